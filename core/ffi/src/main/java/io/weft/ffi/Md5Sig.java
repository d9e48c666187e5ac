package io.weft.ffi;

/// Offsets in `struct tcp_md5sig`, the value of `TCP_MD5SIG`.
public final class Md5Sig {
    public static final int SIZE = 216;
    public static final int TCPM_ADDR = 0;
    public static final int TCPM_KEYLEN = 130;
    public static final int TCPM_KEY = 136;
    public static final int MAX_KEY = 80;

    private Md5Sig() {}
}
