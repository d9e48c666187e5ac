package io.weft.ffi.uring;

import io.weft.ffi.Memory;

/// Offsets in `struct io_uring_cqe`, a completion, and how to read one.
public final class Cqe {
    public static final int SIZE = 16;
    public static final int USER_DATA = 0;
    public static final int RES = 8;
    public static final int FLAGS = 12;

    private Cqe() {}

    public static long userData(long cqe) {
        return Memory.getLong(cqe + USER_DATA);
    }

    /// Returns the result that the system call would have returned here: a value or -errno.
    public static int res(long cqe) {
        return Memory.getInt(cqe + RES);
    }

    public static int flags(long cqe) {
        return Memory.getInt(cqe + FLAGS);
    }

    /// The id of the buffer that the kernel took, in flags that have `IORING_CQE_F_BUFFER`.
    public static int bufferId(int flags) {
        return flags >>> IoUring.IORING_CQE_BUFFER_SHIFT;
    }
}
