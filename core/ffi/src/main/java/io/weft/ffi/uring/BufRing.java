package io.weft.ffi.uring;

import io.weft.ffi.Memory;

/// Offsets in `struct io_uring_buf_ring`: an array of `struct io_uring_buf` ([#SIZE] bytes each,
/// aligned to a page) in whose first element the ring's tail lies over an unused member.
public final class BufRing {
    public static final int SIZE = 16;
    public static final int ADDR = 0;
    public static final int LEN = 8;
    public static final int BID = 12;

    /// Of the ring, not of an element.
    public static final int TAIL = 14;

    private BufRing() {}

    /// Writes the buffer of element `index` (already masked). The kernel sees it once [#putTail]
    /// covers it.
    public static void put(long ring, int index, long address, int length, int id) {
        long buf = ring + (long) index * SIZE;
        Memory.putLong(buf + ADDR, address);
        Memory.putInt(buf + LEN, length);
        Memory.putShort(buf + BID, (short) id); // not the member behind it: it may be the tail
    }

    /// Hands the elements before `tail` (counted without the mask) to the kernel.
    public static void putTail(long ring, int tail) {
        Memory.putShortRelease(ring + TAIL, (short) tail);
    }
}
