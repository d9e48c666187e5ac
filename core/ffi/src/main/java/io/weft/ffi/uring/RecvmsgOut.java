package io.weft.ffi.uring;

/// Offsets in `struct io_uring_recvmsg_out`, which a multishot `IORING_OP_RECVMSG` puts before
/// name, control data and payload in the buffer.
public final class RecvmsgOut {
    public static final int SIZE = 16;
    public static final int NAMELEN = 0;
    public static final int CONTROLLEN = 4;
    public static final int PAYLOADLEN = 8;
    public static final int FLAGS = 12;

    private RecvmsgOut() {}
}
