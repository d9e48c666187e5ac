package io.weft.ffi.uring;

/// Offsets in `struct io_uring_restriction`, an element of `IORING_REGISTER_RESTRICTIONS`.
public final class Restriction {
    public static final int SIZE = 16;
    public static final int OPCODE = 0;

    // union
    public static final int REGISTER_OP = 2;
    public static final int SQE_OP = 2;
    public static final int SQE_FLAGS = 2;

    private Restriction() {}
}
