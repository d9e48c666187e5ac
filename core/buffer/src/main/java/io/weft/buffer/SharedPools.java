package io.weft.buffer;

import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/// Pools for threads that have none of their own. A thread has one to itself while it takes a
/// block, by a compare-and-set; if it finds one busy, it tries the next and never waits. Blocks
/// come home as from any other thread.
final class SharedPools {
    /// Ints from one word to the next, so that no two share a cache line.
    private static final int STRIDE = 32;

    private final Pool[] pools;
    private final AtomicIntegerArray busy;

    SharedPools(BufferAllocator allocator, MemoryBudget budget, int count) {
        pools = new Pool[count];
        busy = new AtomicIntegerArray(count * STRIDE);
        for (int i = 0; i < count; i++) {
            pools[i] = new Pool(allocator, budget, Bias.NONE);
        }
    }

    /// Twice as many as processors, a power of two up to 64: a thread that is preempted while it
    /// takes leaves others some.
    static int countFor(int processors) {
        return Math.min(64, Integer.highestOneBit(Math.max(1, processors) * 4 - 1));
    }

    /// Null when all are busy.
    @Nullable Block take(int sizeClass) {
        int first = (int) ((Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L) >>> 40);
        for (int n = 0; n < pools.length; n++) {
            int i = (first + n) & (pools.length - 1);
            if (adopt(i)) {
                try {
                    return pools[i].take(sizeClass);
                } finally {
                    leave(i);
                }
            }
        }
        return null;
    }

    /// Trims all that are not busy.
    long trim(boolean all) {
        long bytes = 0;
        for (int i = 0; i < pools.length; i++) {
            if (adopt(i)) {
                try {
                    bytes += pools[i].trim(all);
                } finally {
                    leave(i);
                }
            }
        }
        return bytes;
    }

    private boolean adopt(int i) {
        int at = i * STRIDE;
        return busy.getPlain(at) == 0 && busy.compareAndSet(at, 0, 1);
    }

    private void leave(int i) {
        busy.setRelease(i * STRIDE, 0);
    }

    Pool[] pools() {
        return pools;
    }
}
