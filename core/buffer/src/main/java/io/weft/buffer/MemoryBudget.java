package io.weft.buffer;

import io.weft.ffi.Memory;
import java.util.concurrent.atomic.AtomicLong;

/// The process-wide hard cap on memory reserved for buffers: `io.weft.memory.max` bytes, by default as much as the heap
/// may have.
final class MemoryBudget {
    static final long LIMIT =
            Math.min(
                    Memory.spaceSize(),
                    Long.getLong("io.weft.memory.max", Runtime.getRuntime().maxMemory()));
    private static final AtomicLong RESERVED = new AtomicLong();

    private MemoryBudget() {}

    /// Reserves memory for buffers.
    ///
    /// @throws MemoryLimitException when it would exceed the cap, or when the system has no more
    static long reserve(long size) {
        long now = RESERVED.addAndGet(size);
        if (now > LIMIT) {
            RESERVED.addAndGet(-size);
            throw new MemoryLimitException("reserved bytes", now, LIMIT);
        }
        try {
            return Memory.allocate(size, size < 4096 ? 64 : 4096);
        } catch (OutOfMemoryError e) {
            RESERVED.addAndGet(-size);
            MemoryLimitException limit =
                    new MemoryLimitException("reserved bytes", now, now - size);
            limit.initCause(e);
            throw limit;
        }
    }

    static void release(long address, long size) {
        Memory.free(address, size);
        RESERVED.addAndGet(-size);
    }

    static long reserved() {
        return RESERVED.get();
    }
}
