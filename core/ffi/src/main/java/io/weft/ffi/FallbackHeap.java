package io.weft.ffi;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

/// Hands out pieces of one reserved segment where native access is denied. Callers reserve few sizes and large ones
/// (chunks), so a free list a size is enough.
final class FallbackHeap {
    private static final Map<Long, ArrayDeque<Long>> FREE = new HashMap<>();

    // Address 0 stays unused, so that 0 means "nothing" here as it does with native access.
    private static long next = 4096;

    private FallbackHeap() {}

    static synchronized long allocate(MemorySegment space, long size, long alignment) {
        ArrayDeque<Long> free = FREE.get(size);
        if (free != null) {
            Long address = free.poll();
            if (address != null && address % alignment == 0) {
                return address;
            } else if (address != null) {
                free.add(address);
            }
        }
        long address = (next + alignment - 1) & -alignment;
        if (size > space.byteSize() - address) {
            throw new OutOfMemoryError(
                    "size: "
                            + size
                            + " (expected: at most "
                            + (space.byteSize() - address)
                            + ", what io.weft.memory.fallback has left without native access)");
        }
        next = address + size;
        return address;
    }

    static synchronized void free(long address, long size) {
        FREE.computeIfAbsent(size, _ -> new ArrayDeque<>()).add(address);
    }
}
