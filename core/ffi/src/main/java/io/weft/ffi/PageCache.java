package io.weft.ffi;

import io.weft.ffi.call.SystemCall;

/// The pages of files that the kernel has in memory: `cachestat(2)`, since Linux 6.5.
public final class PageCache {
    private static final int RANGE_SIZE = 16; // struct cachestat_range: off, len
    private static final int STAT_SIZE = 40; // struct cachestat: nr_cache and four more

    /// Bytes that [#holds] needs.
    public static final int SIZE = RANGE_SIZE + STAT_SIZE;

    private PageCache() {}

    /// Tells if a part of a file is in memory, so that reading it waits for no disk. False also
    /// where the kernel does not say: it is older, or the file neither belongs to this process's
    /// user nor may be written by it.
    ///
    /// @param length positive
    /// @param memory [#SIZE] bytes that this may write to
    public static boolean holds(int file, long offset, long length, long memory) {
        Memory.putLong(memory, offset);
        Memory.putLong(memory + Long.BYTES, length);
        long stat = memory + RANGE_SIZE;
        // SAFETY: both structures lie within the SIZE bytes at memory.
        if (SystemCall.call(SystemCall.CACHESTAT, file, memory, stat, 0, 0, 0) < 0) {
            return false;
        }
        long first = offset / Pages.SIZE;
        long last = (offset + length - 1) / Pages.SIZE;
        return Memory.getLong(stat) >= last - first + 1;
    }
}
