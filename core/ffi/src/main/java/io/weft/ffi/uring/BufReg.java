package io.weft.ffi.uring;

import io.weft.ffi.Memory;

/// Offsets in `struct io_uring_buf_reg`, the argument of `IORING_REGISTER_PBUF_RING` and its
/// opposite.
public final class BufReg {
    public static final int SIZE = 40;
    public static final int RING_ADDR = 0;
    public static final int RING_ENTRIES = 8;
    public static final int BGID = 12;
    public static final int FLAGS = 14;

    private BufReg() {}

    /// Writes a whole argument.
    public static void put(long at, long ringAddress, int entries, int group, int flags) {
        Memory.fill(at, SIZE, (byte) 0);
        Memory.putLong(at + RING_ADDR, ringAddress);
        Memory.putInt(at + RING_ENTRIES, entries);
        Memory.putShort(at + BGID, (short) group);
        Memory.putShort(at + FLAGS, (short) flags);
    }
}
