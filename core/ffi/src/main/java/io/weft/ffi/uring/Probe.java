package io.weft.ffi.uring;

import io.weft.ffi.Memory;

/// Offsets in `struct io_uring_probe` and in the `struct io_uring_probe_op`s behind it, which
/// `IORING_REGISTER_PROBE` fills in from zeros.
public final class Probe {
    public static final int SIZE = 16;
    public static final int LAST_OP = 0;
    public static final int OPS_LEN = 1;
    public static final int OPS = 16;

    // struct io_uring_probe_op
    public static final int OP_SIZE = 8;
    public static final int OP_OP = 0;
    public static final int OP_FLAGS = 2;

    private Probe() {}

    /// Tells if the kernel that filled in the probe knows the opcode.
    public static boolean supports(long probe, int opcode) {
        return opcode < Byte.toUnsignedInt(Memory.getByte(probe + OPS_LEN))
                && (Memory.getShort(probe + OPS + (long) opcode * OP_SIZE + OP_FLAGS)
                                & IoUring.IO_URING_OP_SUPPORTED)
                        != 0;
    }
}
