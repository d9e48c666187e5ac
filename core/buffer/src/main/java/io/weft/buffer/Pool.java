package io.weft.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// Blocks of one thread: a free list a size class, and chunks to cut new blocks from.
///
/// | field | owner | read | written |
/// | --- | --- | --- | --- |
/// | free lists, chunk | the owning thread | plain | plain |
/// | returned | everybody | CAS | CAS pushes, the owner takes all by one exchange |
///
/// Taking all at once is why the stack of returned blocks has no ABA problem: a block is never popped singly.
final class Pool implements Block.Home {
    static final int CHUNK = 1 << 20;
    static final int MIN_SHIFT = 8;
    static final int CLASSES = 13;

    private static final VarHandle RETURNED;

    static {
        try {
            RETURNED = MethodHandles.lookup().findVarHandle(Pool.class, "returned", Block.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Whose blocks these are. Null between owners, when only `returned` may be touched.
    @Nullable Thread owner;

    /// Of the buffers on these blocks.
    final Bias bias = new Bias();

    private final @Nullable Block[] free = new @Nullable Block[CLASSES];
    private long chunk;
    private int chunkUsed = CHUNK;

    @SuppressWarnings("UnusedVariable") // written by RETURNED
    private volatile @Nullable Block returned;

    /// Size classes are powers of two from 256 bytes to the chunk size.
    static int sizeClass(int capacity) {
        return capacity <= 1 << MIN_SHIFT
                ? 0
                : 32 - Integer.numberOfLeadingZeros(capacity - 1) - MIN_SHIFT;
    }

    /// Owner only.
    Block take(int sizeClass) {
        bias.settle();
        Block block = free[sizeClass];
        if (block == null) {
            takeReturned();
            block = free[sizeClass];
            if (block == null) {
                block = cut(sizeClass);
                block.bias = bias;
                return block;
            }
        }
        free[sizeClass] = block.next;
        block.next = null;
        block.bias = bias;
        return block;
    }

    private void takeReturned() {
        Block block = (Block) RETURNED.getAndSet(this, null);
        while (block != null) {
            Block next = block.next;
            keep(block);
            block = next;
        }
    }

    private void keep(Block block) {
        block.next = free[block.tag()];
        free[block.tag()] = block;
    }

    private Block cut(int sizeClass) {
        int size = 1 << (sizeClass + MIN_SHIFT);
        if (size > CHUNK - chunkUsed) {
            cutRest();
            chunk = MemoryBudget.reserve(CHUNK);
            chunkUsed = 0;
        }
        Block block = new Block(chunk + chunkUsed, size, this, sizeClass);
        chunkUsed += size;
        return block;
    }

    /// What is left of a chunk that is too small for a request becomes free blocks of smaller classes.
    private void cutRest() {
        while (CHUNK - chunkUsed >= 1 << MIN_SHIFT) {
            int sizeClass = 31 - Integer.numberOfLeadingZeros(CHUNK - chunkUsed) - MIN_SHIFT;
            int size = 1 << (sizeClass + MIN_SHIFT);
            keep(new Block(chunk + chunkUsed, size, this, sizeClass));
            chunkUsed += size;
        }
    }

    @Override
    public void reclaim(Block block) {
        if (Thread.currentThread() == owner) {
            keep(block);
            return;
        }
        Block head;
        do {
            head = returned;
            block.next = head;
        } while (!RETURNED.weakCompareAndSetRelease(this, head, block));
    }
}
