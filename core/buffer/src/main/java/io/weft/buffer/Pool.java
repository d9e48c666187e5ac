package io.weft.buffer;

import io.weft.ffi.Pages;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Blocks of one thread: for each size class a list of slabs that can give one, and chunks to place
/// new slabs in.
///
/// | field | owner | read | written |
/// | --- | --- | --- | --- |
/// | lists, slabs | the owning thread | plain; others for metrics | plain |
/// | chunks | the owning thread | volatile, by others for metrics | volatile; the array is never changed |
/// | returned | all threads | CAS | CAS pushes, the owner takes all by one exchange |
/// | asked | all threads | volatile | CAS sets it, the owner clears it when it has given memory back |
/// | wakeUp | the owning thread | volatile | volatile |
///
/// As all are taken at once, the stack of returned blocks has no ABA problem: a block is never
/// popped singly.
///
/// Memory comes back in two steps. A slab without open buffers is *retired*: its units become free,
/// for slabs of any class. Units that stay free from one [#trim] to the next are *decommitted*.
final class Pool {
    /// Bytes that may be committed between two passes over the free slabs. A few passes, and each
    /// class in use has a slab.
    private static final long SLACK = 1 << 18;

    private static final VarHandle RETURNED;
    private static final VarHandle ASKED;

    static {
        try {
            var lookup = MethodHandles.lookup();
            RETURNED = lookup.findVarHandle(Pool.class, "returned", Block.class);
            ASKED = lookup.findVarHandle(Pool.class, "asked", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final BufferAllocator allocator;
    private final MemoryBudget budget;

    /// The thread that owns these blocks. Null between owners, when only `returned` may be touched.
    @Nullable Thread owner;

    /// The bias of the buffers on these blocks; [Bias#NONE] where threads take turns.
    final Bias bias;

    /// For its loop: when to trim next, and the last request to trim that it has seen.
    long nextTrim;

    int pressureSeen;

    /// Wakes the owner's loop; null if that was not asked for.
    volatile @Nullable Runnable wakeUp;

    /// True from [#ask] to the owner's next [BufferAllocator#idle].
    @SuppressWarnings("UnusedVariable") // written by ASKED
    volatile boolean asked;

    private final Slab[] lists = new Slab[SizeClasses.COUNT];
    private volatile Chunk[] chunks = new Chunk[0];

    /// Bytes of the chunks that the budget counts.
    private long committed;

    /// Above so many it pays to look for free slabs before committing more.
    private long retireAt;

    @SuppressWarnings("UnusedVariable") // written by RETURNED
    private volatile @Nullable Block returned;

    Pool(BufferAllocator allocator, MemoryBudget budget, Bias bias) {
        this.allocator = allocator;
        this.budget = budget;
        this.bias = bias;
        Arrays.fill(lists, Slab.NONE);
    }

    /// Owner only.
    Block take(int sizeClass) {
        Block block = lists[sizeClass].take();
        if (block == null) {
            block = takeElsewhere(sizeClass);
        }
        if (block.bias != bias) { // a comparison is cheaper than the store's barrier
            block.bias = bias;
        }
        return block;
    }

    /// Only here, when the list is used up, is taken what other threads have left: looking each
    /// time would have both sides write the same line for each buffer.
    private Block takeElsewhere(int sizeClass) {
        if (bias.isHere()) {
            bias.settle();
        }
        takeReturned();
        for (Slab slab; (slab = lists[sizeClass]) != Slab.NONE; unlistFirst(sizeClass)) {
            Block block = slab.take();
            if (block == null) {
                block = slab.make();
            }
            if (block != null) {
                return block;
            }
        }
        Block block = place(sizeClass).make();
        if (block == null) {
            throw new AssertionError("a new slab has no block");
        }
        return block;
    }

    /// Puts a slab that can give a block first in its class's list.
    void list(Slab slab) {
        slab.next = lists[slab.sizeClass];
        slab.listed = true;
        lists[slab.sizeClass] = slab;
    }

    private void unlistFirst(int sizeClass) {
        Slab first = lists[sizeClass];
        lists[sizeClass] = first.next;
        first.next = Slab.NONE;
        first.listed = false;
    }

    // ---- blocks from other threads ----

    /// Any thread: brings a block home.
    void push(Block block) {
        Block head;
        do {
            head = returned;
            block.next = head;
        } while (!RETURNED.weakCompareAndSetRelease(this, head, block));
    }

    private void takeReturned() {
        if (returned == null) {
            return;
        }
        Block block = (Block) RETURNED.getAndSet(this, null);
        while (block != null) {
            Block next = block.next;
            block.next = null;
            if (block.home() instanceof Slab slab) {
                slab.keep(this, block);
            }
            block = next;
        }
    }

    // ---- slabs ----

    private Slab place(int sizeClass) {
        try {
            Slab slab = tryPlace(sizeClass);
            if (slab != null) {
                return slab;
            }
        } catch (OutOfMemoryError e) {
            // Perhaps not when this process has given some back.
        }
        allocator.makeRoom(this);
        long size = (long) SizeClasses.units(sizeClass) << SizeClasses.UNIT_SHIFT;
        try {
            Slab slab = tryPlace(sizeClass);
            if (slab != null) {
                return slab;
            }
        } catch (OutOfMemoryError e) {
            throw budget.refused(size, e);
        }
        throw budget.exceeded(size);
    }

    private @Nullable Slab tryPlace(int sizeClass) {
        int units = SizeClasses.units(sizeClass);
        Slab slab = placeCommitted(sizeClass, units);
        if (slab == null && committed >= retireAt) {
            if (retireFree()) {
                slab = placeCommitted(sizeClass, units);
            }
            // Not again at once: where everything is released soon, all slabs are free whenever
            // another size is asked for.
            retireAt = committed + (slab == null ? Math.max(committed / 16, SLACK) : SLACK);
        }
        if (slab != null) {
            return slab;
        }
        for (Chunk chunk : chunks) {
            int unit = chunk.find(units, false);
            if (unit >= 0) {
                return placeIn(chunk, unit, sizeClass);
            }
        }
        return placeIn(newChunk(), 0, sizeClass);
    }

    /// Places a slab in units that the budget counts already; null if there is no room in them.
    private @Nullable Slab placeCommitted(int sizeClass, int units) {
        for (Chunk chunk : chunks) {
            int unit = chunk.find(units, true);
            if (unit >= 0) {
                return placeIn(chunk, unit, sizeClass);
            }
        }
        return null;
    }

    /// Null when the budget does not allow it.
    private @Nullable Slab placeIn(Chunk chunk, int unit, int sizeClass) {
        Slab slab = new Slab(this, chunk, unit, sizeClass);
        int more = chunk.uncommitted(slab);
        if (!budget.tryReserve(more)) {
            return null;
        }
        committed += more;
        chunk.add(slab);
        list(slab);
        return slab;
    }

    /// Costs addresses only: the budget counts what slabs use of it.
    private Chunk newChunk() {
        Chunk[] more = Arrays.copyOf(chunks, chunks.length + 1);
        Chunk chunk = new Chunk(Pages.allocate(Chunk.SIZE));
        more[more.length - 1] = chunk;
        chunks = more;
        BufferEvents.chunk(true, Chunk.SIZE, more.length);
        return chunk;
    }

    /// Returns whether there were any.
    private boolean retireFree() {
        boolean any = false;
        for (int c = 0; c < lists.length; c++) {
            Slab kept = Slab.NONE;
            for (Slab slab = lists[c]; slab != Slab.NONE; ) {
                Slab next = slab.next;
                if (slab.isFree() && slab.chunk != null) {
                    slab.chunk.remove(slab);
                    any = true;
                } else {
                    slab.next = kept;
                    kept = slab;
                }
                slab = next;
            }
            lists[c] = kept;
        }
        return any;
    }

    /// Gives memory back that has been free since the last call, or all that is free. Owner only.
    ///
    /// @return how many bytes
    long trim(boolean all) {
        if (bias.isHere()) {
            bias.settle();
        }
        takeReturned();
        retireFree();
        long bytes = 0;
        int kept = 0;
        Chunk[] left = chunks.clone();
        for (Chunk chunk : chunks) {
            bytes += chunk.decommit(all);
            if (chunk.isFree() && !chunk.hasCommitted()) {
                Pages.free(chunk.address, Chunk.SIZE);
                BufferEvents.chunk(false, Chunk.SIZE, chunks.length);
            } else {
                left[kept++] = chunk;
            }
        }
        if (kept < left.length) {
            chunks = Arrays.copyOf(left, kept);
        }
        retireAt = 0;
        if (bytes > 0) {
            committed -= bytes;
            budget.release(bytes);
            BufferEvents.trim(bytes, budget);
        }
        return bytes;
    }

    /// Any thread: has the owner give memory back soon, once a round of its loop.
    ///
    /// @return false when it has been asked already, or cannot be woken
    boolean ask() {
        Runnable wake = wakeUp;
        if (wake == null || asked || !ASKED.compareAndSet(this, false, true)) {
            return false;
        }
        try {
            wake.run();
        } catch (RuntimeException e) {
            asked = false; // its loop has ended
            return false;
        }
        return true;
    }

    /// Owner only.
    void answer() {
        if (asked) {
            trim(true);
            asked = false;
        }
    }

    /// Any thread.
    Chunk[] chunks() {
        return chunks;
    }
}
