package io.weft.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Blocks of one size in neighbouring units of a chunk, and a stack of those that are free. Belongs
/// to a pool's owner, but for [#reclaim].
///
/// The stack holds indexes, so that taking and keeping a block stores no reference: the garbage
/// collector's barriers would be the larger part of either. It also counts: blocks made less blocks
/// free are open.
final class Slab implements Block.Home {
    /// The sentinel in place of a missing slab of a list: has no block to give.
    static final Slab NONE = new Slab();

    private static final VarHandle FREE_COUNT;
    private static final VarHandle MADE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            FREE_COUNT = lookup.findVarHandle(Slab.class, "freeCount", int.class);
            MADE = lookup.findVarHandle(Slab.class, "made", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final @Nullable Pool pool;
    final @Nullable Chunk chunk;
    final int sizeClass;
    final int firstUnit;

    private final boolean confined;
    private final @Nullable Block[] blocks;
    private final short[] free;
    private int freeCount;
    private int made;

    /// True if its class's list has it, which is so while it can give a block.
    boolean listed;

    /// The next in that list.
    Slab next = this;

    private Slab() {
        pool = null;
        chunk = null;
        sizeClass = 0;
        firstUnit = 0;
        confined = false;
        blocks = new @Nullable Block[0];
        free = new short[0];
    }

    Slab(Pool pool, Chunk chunk, int firstUnit, int sizeClass) {
        this.pool = pool;
        this.chunk = chunk;
        this.firstUnit = firstUnit;
        this.sizeClass = sizeClass;
        confined = pool.bias != Bias.NONE;
        int count = SizeClasses.blocks(sizeClass);
        blocks = new @Nullable Block[count];
        free = new short[count];
    }

    /// A free block, or null.
    @Nullable Block take() {
        int top = freeCount - 1;
        if (top < 0) {
            return null;
        }
        freeCount = top;
        return blocks[free[top]];
    }

    /// A block that was never used before, or null.
    @Nullable Block make() {
        if (made == blocks.length || chunk == null) {
            return null;
        }
        int size = SizeClasses.size(sizeClass);
        long start = chunk.address + ((long) firstUnit << SizeClasses.UNIT_SHIFT);
        Block block = new Block(start + (long) made * size, size, this, made, confined);
        blocks[made] = block;
        made++;
        return block;
    }

    @Override
    public void reclaim(Block block) {
        Pool home = pool;
        if (home == null) {
            throw new AssertionError("a block of no pool");
        }
        if (Thread.currentThread() == home.owner) {
            keep(home, block);
        } else {
            home.push(block);
        }
    }

    void keep(Pool home, Block block) {
        free[freeCount++] = (short) block.tag();
        if (!listed) {
            home.list(this);
        }
    }

    /// Tells if no buffer is open on it, and none is on its way home.
    boolean isFree() {
        return made == freeCount;
    }

    int units() {
        return SizeClasses.units(sizeClass);
    }

    /// Its units in the chunk's masks.
    int mask() {
        return (int) ((1L << units()) - 1) << firstUnit;
    }

    // ---- any thread: numbers that may be a moment old, and not of the same moment ----

    int openBlocks() {
        return Math.max(0, (int) MADE.getOpaque(this) - (int) FREE_COUNT.getOpaque(this));
    }
}
