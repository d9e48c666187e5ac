package io.weft.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A piece of off-heap memory and the number of buffers that share it.
///
/// Users never see blocks: allocators make them, and engines make one for each buffer of a kernel-filled ring. When the
/// last buffer on a block is released, the block goes back to its [Home], on the thread of that release.
public final class Block {
    /// Where a block returns to when nothing uses it any more.
    public interface Home {
        /// Takes the block back; called once a life of the block, from any thread.
        void reclaim(Block block);
    }

    private static final VarHandle HANDLES;

    static {
        try {
            HANDLES = MethodHandles.lookup().findVarHandle(Block.class, "handles", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long address;
    final int size;
    private final Home home;

    /// What the home tells its blocks apart by: a size class, or a buffer's id in its ring.
    private final int tag;

    @SuppressWarnings("UnusedVariable") // accessed by HANDLES
    private int handles;

    /// Who counts the owners of the buffers on this block without atomics, in this life of the block.
    Bias bias = Bias.NONE;

    /// How many buffers pass here until the leak detector follows one. A counter a block, which whoever opens a buffer has
    /// at hand; races only blur the sample.
    private int untilFollowed = BufferLeaks.ON ? BufferLeaks.draw() : 0;

    /// Links blocks that wait at their home; owned by the home while no buffer is open on the block.
    @Nullable Block next;

    /// @param address of the first byte; the memory stays valid as long as a buffer is open on this block
    public Block(long address, int size, Home home, int tag) {
        this.address = address;
        this.size = size;
        this.home = home;
        this.tag = tag;
    }

    public long address() {
        return address;
    }

    public int size() {
        return size;
    }

    public int tag() {
        return tag;
    }

    Home home() {
        return home;
    }

    /// The first buffer of a new life of this block: `length` readable bytes.
    public Buffer open(int length) {
        bias = BufferAllocator.pooled().bias();
        Buffer buffer = new Buffer(this, address, size, BufferAllocator.MAX_CAPACITY);
        buffer.writeOffset(length);
        return buffer;
    }

    /// Whether the leak detector is to follow the buffer that is being opened.
    boolean isFollowed() {
        if (--untilFollowed >= 0) {
            return false;
        }
        untilFollowed = BufferLeaks.draw();
        return true;
    }

    void acquireFirst() {
        HANDLES.setRelease(this, 1);
    }

    void acquire() {
        HANDLES.getAndAdd(this, 1);
    }

    /// Whether one buffer alone has this memory, so that its owner may do with it what it likes.
    boolean isExclusive() {
        return (int) HANDLES.getAcquire(this) == 1;
    }

    void release() {
        // Only who owns an open buffer can open another one, and each gives up its handle once (see
        // Owned): "one" read by the last holder cannot change under it, and the atomic subtraction
        // is
        // paid only by blocks that are shared.
        if ((int) HANDLES.getAcquire(this) == 1 || (int) HANDLES.getAndAdd(this, -1) == 1) {
            home.reclaim(this);
        }
    }
}
