package io.weft.buffer;

import io.weft.ffi.NativeAccess;
import io.weft.ffi.Pages;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// Blocks that are reserved singly, in whole pages: those larger than a pool's, and all of an
/// allocator without pools.
///
/// A few megabytes of freed ones stay committed until the second [#age], as giving memory back and
/// getting it again costs a fault a page. Any thread; nothing locks.
final class LargeBlocks implements Block.Home {
    private static final int MAX_SHIFT = 31;

    final BufferAllocator allocator;
    private final MemoryBudget budget;

    /// Bytes that may stay committed when they are free.
    private final long keepLimit;

    private final AtomicLong keptBytes = new AtomicLong();
    private final AtomicLong openBytes = new AtomicLong();
    private final AtomicLong openBlocks = new AtomicLong();
    private final Kept[] kept = new Kept[MAX_SHIFT];
    private volatile int generation;

    /// Free ranges of one power of two.
    private static final class Kept extends ConcurrentLinkedDeque<Range> {
        private static final long serialVersionUID = 1L;
    }

    /// @param size committed bytes from its beginning
    private record Range(long address, int size, int generation) {}

    LargeBlocks(BufferAllocator allocator, MemoryBudget budget, long keepLimit) {
        this.allocator = allocator;
        this.budget = budget;
        // Without native access ranges are not powers of two: one cannot serve a larger request.
        this.keepLimit = NativeAccess.granted() ? keepLimit : 0;
        for (int i = 0; i < kept.length; i++) {
            kept[i] = new Kept();
        }
    }

    private Kept keptFor(int size) {
        return kept[32 - Integer.numberOfLeadingZeros(size - 1)];
    }

    /// @throws MemoryLimitException when the cap is reached, or the system has no more
    Block take(int capacity) {
        int size = (int) Pages.round(Math.max(capacity, 1));
        Block block = takeKept(size);
        if (block == null) {
            block = reserve(size);
        }
        openBlocks.getAndIncrement();
        openBytes.getAndAdd(block.size);
        return block;
    }

    private @Nullable Block takeKept(int size) {
        Range range = keptFor(size).pollFirst();
        if (range == null) {
            return null;
        }
        keptBytes.getAndAdd(-range.size);
        if (range.size < size) {
            if (!budget.tryReserve(size - range.size)) {
                free(range.address, range.size);
                return null;
            }
        } else if (range.size - size > range.size / 4) {
            Pages.decommit(range.address + size, range.size - size);
            budget.release(range.size - size);
        } else {
            size = range.size;
        }
        return new Block(range.address, size, this, 0);
    }

    private Block reserve(int size) {
        if (!budget.tryReserve(size)) {
            allocator.makeRoom(null);
            if (!budget.tryReserve(size)) {
                throw budget.exceeded(size);
            }
        }
        try {
            Block block = new Block(pages(size), size, this, 0);
            BufferEvents.large(true, size, budget);
            return block;
        } catch (OutOfMemoryError e) {
            budget.release(size);
            throw budget.refused(size, e);
        }
    }

    private long pages(int size) {
        try {
            return Pages.allocate(size);
        } catch (OutOfMemoryError e) {
            allocator.makeRoom(null);
            return Pages.allocate(size);
        }
    }

    @Override
    public void reclaim(Block block) {
        openBlocks.getAndDecrement();
        openBytes.getAndAdd(-block.size);
        if (block.size <= keepLimit - keptBytes.get()) {
            keptBytes.getAndAdd(block.size);
            keptFor(block.size).addFirst(new Range(block.address, block.size, generation));
        } else {
            free(block.address, block.size);
        }
    }

    private void free(long address, int size) {
        Pages.free(address, size);
        budget.release(size);
        BufferEvents.large(false, size, budget);
    }

    /// Gives back what was freed before the last call, or all that is free.
    ///
    /// @return how many bytes
    long age(boolean all) {
        int now = generation;
        long bytes = 0;
        for (Kept ranges : kept) {
            for (Range range; (range = ranges.pollLast()) != null; ) {
                if (!all && range.generation == now) {
                    ranges.addLast(range);
                    break;
                }
                keptBytes.getAndAdd(-range.size);
                free(range.address, range.size);
                bytes += range.size;
            }
        }
        generation = now + 1;
        return bytes;
    }

    long keptBytes() {
        return keptBytes.get();
    }

    long openBytes() {
        return openBytes.get();
    }

    long openBlocks() {
        return openBlocks.get();
    }
}
