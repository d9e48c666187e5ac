package io.weft.ffi;

import java.util.concurrent.ConcurrentLinkedQueue;

/// Memory in whole pages, at addresses that stay accessible for good.
///
/// Memory that is freed here is *decommitted*: the system takes the physical memory back, but the
/// range is never unmapped, and is handed out again later. So an access to a range that has been
/// freed reads zeros or another owner's bytes, and never kills the process.
///
/// **Address space.** Ranges have powers of two as sizes, and one is mapped only when none of its
/// size is free. There are never more of a size than were in use at one time, so with `n` bytes in
/// use at most, each of the `k` sizes in use maps at most `2n` bytes: address space is bounded by
/// `2kn`, of which only what is in use costs memory.
///
/// | system | freed memory |
/// |---|---|
/// | Linux, macOS | goes back to the system (`madvise`) |
/// | others with native access | stays resident and is used again |
/// | without native access | goes back to the one reservation (`io.weft.memory.fallback`) |
public final class Pages {
    /// Bytes of a page, a power of two.
    public static final int SIZE = PageCalls.size();

    private static final int MIN_SHIFT = Integer.numberOfTrailingZeros(SIZE);

    /// Ranges smaller than this are cut from one of this size: a mapping is dear.
    private static final int CUT_SHIFT = Math.max(20, MIN_SHIFT);

    private static final int MAX_SHIFT = 46;

    private static final Free[] FREE = new Free[MAX_SHIFT + 1];

    static {
        for (int shift = MIN_SHIFT; shift <= MAX_SHIFT; shift++) {
            FREE[shift] = new Free();
        }
    }

    /// Decommitted ranges of one size.
    private static final class Free extends ConcurrentLinkedQueue<Long> {
        private static final long serialVersionUID = 1L;
    }

    private Pages() {}

    /// The bytes of whole pages that hold `size` bytes.
    public static long round(long size) {
        return (size + SIZE - 1) & -SIZE;
    }

    /// Readable and writable pages that hold `size` bytes; their content is undefined. Physical
    /// memory is used for pages that are written.
    ///
    /// @throws IllegalArgumentException unless 0 < size <= 2^46
    /// @throws OutOfMemoryError when the system or the fallback space has no room
    public static long allocate(long size) {
        if (size <= 0 || size > 1L << MAX_SHIFT) {
            throw new IllegalArgumentException("size: " + size + " (expected: 1 to 2^46)");
        }
        if (!NativeAccess.granted()) {
            return Memory.allocate(round(size), SIZE);
        }
        return range(shift(size));
    }

    /// Returns what [#allocate] gave for the same `size`.
    public static void free(long address, long size) {
        if (!NativeAccess.granted()) {
            Memory.free(address, round(size));
            return;
        }
        PageCalls.decommit(address, round(size));
        FREE[shift(size)].add(address);
    }

    /// Gives the physical memory of whole pages back to the system, where it can; their content is
    /// undefined afterwards, and they may be used again at once.
    ///
    /// @param address a multiple of the page size
    /// @param size a multiple of the page size
    public static void decommit(long address, long size) {
        if (NativeAccess.granted()) {
            PageCalls.decommit(address, size);
        }
    }

    private static int shift(long size) {
        return Math.max(MIN_SHIFT, 64 - Long.numberOfLeadingZeros(size - 1));
    }

    private static long range(int shift) {
        Long free = FREE[shift].poll();
        if (free != null) {
            return free;
        }
        if (shift >= CUT_SHIFT) {
            return PageCalls.map(1L << shift);
        }
        // The upper half of each range on the way down becomes free.
        long address = range(shift + 1);
        FREE[shift].add(address + (1L << shift));
        return address;
    }
}
