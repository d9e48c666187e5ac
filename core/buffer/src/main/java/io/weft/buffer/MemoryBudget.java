package io.weft.buffer;

import io.weft.buffer.memory.SystemMemory;
import io.weft.ffi.Memory;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;

/// A hard cap on committed bytes, and how many there are.
final class MemoryBudget {
    /// The process's budget: `io.weft.memory.max` bytes, by default a share of the memory that the
    /// process may use.
    static final MemoryBudget PROCESS = new MemoryBudget(processLimit());

    private final long limit;
    private final AtomicLong reserved = new AtomicLong();

    MemoryBudget(long limit) {
        this.limit = limit;
    }

    private static long processLimit() {
        Long set = Long.getLong("io.weft.memory.max");
        long limit =
                set != null
                        ? set
                        : SystemMemory.share(
                                new SystemMemory(Path.of("/")).limit(),
                                Runtime.getRuntime().maxMemory());
        // Without native access there is one reservation, and no more.
        return Math.min(Memory.spaceSize(), limit);
    }

    /// Counts `size` bytes; false, and nothing counted, when that would exceed the cap.
    boolean tryReserve(long size) {
        long now;
        do {
            now = reserved.get();
            if (size > limit - now) {
                return false;
            }
        } while (!reserved.compareAndSet(now, now + size));
        return true;
    }

    void release(long size) {
        reserved.addAndGet(-size);
    }

    MemoryLimitException exceeded(long size) {
        BufferEvents.limit(size, reserved.get(), limit);
        return new MemoryLimitException("reserved bytes", reserved.get() + size, limit);
    }

    /// The system has no more, though the cap allows it.
    MemoryLimitException refused(long size, OutOfMemoryError cause) {
        BufferEvents.limit(size, reserved.get(), limit);
        long now = reserved.get();
        MemoryLimitException refused = new MemoryLimitException("reserved bytes", now + size, now);
        refused.initCause(cause);
        return refused;
    }

    long reserved() {
        return reserved.get();
    }

    long limit() {
        return limit;
    }
}
