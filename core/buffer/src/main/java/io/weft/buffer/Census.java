package io.weft.buffer;

import java.util.ArrayList;
import java.util.List;

/// Counts blocks by looking at all slabs, so that allocating need not count.
final class Census {
    private final long[] open = new long[SizeClasses.COUNT];
    private final long[] free = new long[SizeClasses.COUNT];
    private long pinned;

    void add(Pool pool) {
        for (Chunk chunk : pool.chunks()) {
            for (Slab slab : chunk.slabs) {
                if (slab != null) {
                    add(slab);
                }
            }
        }
    }

    private void add(Slab slab) {
        int blocks = slab.openBlocks();
        open[slab.sizeClass] += blocks;
        free[slab.sizeClass] += SizeClasses.blocks(slab.sizeClass) - blocks;
        if (blocks > 0) {
            pinned += (long) slab.units() << SizeClasses.UNIT_SHIFT;
        }
    }

    AllocatorMetrics metrics(LargeBlocks large, MemoryBudget budget) {
        long largeBytes = large.openBytes();
        long used = largeBytes;
        List<AllocatorMetrics.SizeClass> classes = new ArrayList<>();
        for (int c = 0; c < SizeClasses.COUNT; c++) {
            used += open[c] * SizeClasses.size(c);
            if (open[c] + free[c] > 0) {
                classes.add(new AllocatorMetrics.SizeClass(SizeClasses.size(c), open[c], free[c]));
            }
        }
        return new AllocatorMetrics(
                used,
                pinned + largeBytes,
                budget.reserved(),
                budget.limit(),
                classes,
                large.openBlocks(),
                largeBytes);
    }
}
