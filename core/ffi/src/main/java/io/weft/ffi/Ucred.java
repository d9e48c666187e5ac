package io.weft.ffi;

/// Offsets in `struct ucred`, the value of `SO_PEERCRED`.
public final class Ucred {
    public static final int SIZE = 12;
    public static final int PID = 0;
    public static final int UID = 4;
    public static final int GID = 8;

    private Ucred() {}
}
