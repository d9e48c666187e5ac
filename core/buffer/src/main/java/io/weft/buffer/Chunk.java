package io.weft.buffer;

import io.weft.ffi.Pages;
import org.jspecify.annotations.Nullable;

/// 1 MiB of addresses in 32 units, each part of a slab or free, each committed (so counted by the
/// budget) or not. Belongs to a pool's owner; others read `slabs` for metrics.
final class Chunk {
    static final int SIZE = 32 << SizeClasses.UNIT_SHIFT;

    final long address;

    /// By first unit; read by others without synchronization, which a slab's final fields allow.
    final @Nullable Slab[] slabs = new @Nullable Slab[32];

    private int free = -1;
    private int committed;

    /// Free units that were free and committed at the trim before this.
    private int resting;

    Chunk(long address) {
        this.address = address;
    }

    /// The first unit of `units` free ones side by side, or -1.
    int find(int units, boolean onlyCommitted) {
        int starts = onlyCommitted ? free & committed : free;
        for (int have = 1; have < units && starts != 0; ) {
            int step = Math.min(have, units - have);
            starts &= starts >>> step;
            have += step;
        }
        return starts == 0 ? -1 : Integer.numberOfTrailingZeros(starts);
    }

    /// Bytes of the slab that the budget does not count yet.
    int uncommitted(Slab slab) {
        return Integer.bitCount(slab.mask() & ~committed) << SizeClasses.UNIT_SHIFT;
    }

    /// Takes the slab's units; the budget counts them.
    void add(Slab slab) {
        int mask = slab.mask();
        free &= ~mask;
        resting &= ~mask;
        committed |= mask;
        slabs[slab.firstUnit] = slab;
    }

    /// Frees the units of a free slab; they stay committed.
    void remove(Slab slab) {
        free |= slab.mask();
        slabs[slab.firstUnit] = null;
    }

    boolean isFree() {
        return free == -1;
    }

    /// Gives units back to the system that have been free since the last call, or all that are
    /// free.
    ///
    /// @return how many bytes
    int decommit(boolean all) {
        int idle = free & committed;
        int leaving = all ? idle : idle & resting;
        if (Pages.SIZE > SizeClasses.UNIT && (free != -1 || leaving != idle)) {
            leaving = 0; // part of a page cannot be given back
        }
        committed &= ~leaving;
        resting = free & committed;
        if (leaving != -1) { // else the whole range is about to be freed
            for (int rest = leaving; rest != 0; ) {
                int from = Integer.numberOfTrailingZeros(rest);
                int length = Integer.numberOfTrailingZeros(~(rest >>> from));
                Pages.decommit(
                        address + ((long) from << SizeClasses.UNIT_SHIFT),
                        (long) length << SizeClasses.UNIT_SHIFT);
                rest &= (int) ~(((1L << length) - 1) << from);
            }
        }
        return Integer.bitCount(leaving) << SizeClasses.UNIT_SHIFT;
    }

    boolean hasCommitted() {
        return committed != 0;
    }
}
