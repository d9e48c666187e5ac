package io.weft.ffi;

import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.TreeMap;

/// Hands out pieces of one reserved segment where native access is denied: the first free piece
/// that is large enough. Neighbours that are free become one piece, so that what was used in small
/// pieces can be used in large ones again.
final class FallbackHeap {
    /// The least piece, so that cutting leaves no crumbs.
    private static final long GRAIN = 64;

    /// Free pieces: address to size. Of no neighbours, as those are one piece.
    private static final TreeMap<Long, Long> FREE = new TreeMap<>();

    // Address 0 stays unused, so that 0 means "nothing" here as it does with native access.
    private static long next = 4096;

    private FallbackHeap() {}

    private static long round(long size) {
        return Math.max(GRAIN, (size + GRAIN - 1) & -GRAIN);
    }

    static synchronized long allocate(MemorySegment space, long size, long alignment) {
        long length = round(size);
        for (Map.Entry<Long, Long> piece : FREE.entrySet()) {
            long start = piece.getKey();
            long end = start + piece.getValue();
            long address = (start + alignment - 1) & -alignment;
            if (end - address >= length) {
                FREE.remove(start);
                keep(start, address);
                keep(address + length, end);
                return address;
            }
        }
        long address = (next + alignment - 1) & -alignment;
        if (length > space.byteSize() - address) {
            throw new OutOfMemoryError(
                    "size: "
                            + size
                            + " (expected: at most "
                            + (space.byteSize() - address)
                            + ", what io.weft.memory.fallback has left without native access)");
        }
        keep(next, address);
        next = address + length;
        return address;
    }

    static synchronized void free(long address, long size) {
        long start = address;
        long end = address + round(size);
        Map.Entry<Long, Long> before = FREE.lowerEntry(start);
        if (before != null && before.getKey() + before.getValue() == start) {
            start = before.getKey();
        }
        Long after = FREE.remove(end);
        if (after != null) {
            end += after;
        }
        if (end == next) {
            FREE.remove(start);
            next = start;
        } else {
            FREE.put(start, end - start);
        }
    }

    private static void keep(long start, long end) {
        if (end > start) {
            FREE.put(start, end - start);
        }
    }
}
