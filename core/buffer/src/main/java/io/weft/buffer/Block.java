package io.weft.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// A piece of off-heap memory and the number of buffers that share it.
///
/// Users never see blocks: allocators make them, and engines make one for each buffer of a
/// kernel-filled ring. When the last buffer on a block is released, the block goes back to its
/// [Home], on the thread of that release.
public final class Block {
    /// The place that a block returns to when it is no longer used.
    public interface Home {
        /// Takes the block back; called once a life of the block, from any thread.
        void reclaim(Block block);
    }

    private static final VarHandle HANDLES;
    private static final VarHandle ELSEWHERE;

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            HANDLES = lookup.findVarHandle(Block.class, "handles", int.class);
            ELSEWHERE = lookup.findVarHandle(Block.class, "elsewhere", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final long address;
    final int size;
    private final Home home;

    /// The home's mark on this block: a size class, or a buffer's id in its ring.
    private final int tag;

    /// True if the thread of the [Bias] alone counts this block's buffers and sends it home,
    /// without atomics; others leave it to that thread. So for a slab's blocks, which wait for
    /// their owner's thread anyway.
    final boolean confined;

    /// Buffers on this block. If it is confined, their number is the sum with `elsewhere`, and is 0
    /// between lives; this part is then written by the bias thread alone, and becomes negative
    /// where buffers come from elsewhere.
    private int handles;

    /// Buffers that other threads have put on a confined block; only ever grows, and may wrap
    /// around.
    @SuppressWarnings("UnusedVariable") // written by ELSEWHERE
    private int elsewhere;

    /// False from a confined block's way home to its next life. The sum cannot come to 0 twice but
    /// by mistake: a part that another thread cut off a buffer which it did not own.
    private boolean open;

    /// The bias by which the owners of the buffers on this block are counted without atomics, in
    /// this life of the block.
    Bias bias = Bias.NONE;

    /// The number of buffers that pass here until the leak detector follows one. A counter a block,
    /// which the thread that opens a buffer has at hand; races only blur the sample.
    private int untilFollowed = BufferLeaks.ON ? BufferLeaks.draw() : 0;

    /// Links blocks that wait at their home; owned by the home while no buffer is open on the
    /// block.
    @Nullable Block next;

    /// @param address of the first byte; the memory stays valid as long as a buffer is open on this
    ///     block
    public Block(long address, int size, Home home, int tag) {
        this(address, size, home, tag, false);
    }

    Block(long address, int size, Home home, int tag, boolean confined) {
        this.confined = confined;
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

    /// Tells if the leak detector is to follow the buffer that is being opened.
    boolean isFollowed() {
        if (--untilFollowed >= 0) {
            return false;
        }
        untilFollowed = BufferLeaks.draw();
        return true;
    }

    /// Begins a life, before other threads know of it.
    void acquireFirst() {
        open = true;
        HANDLES.setRelease(this, confined ? handles + 1 : 1);
    }

    void acquire() {
        if (!confined) {
            HANDLES.getAndAdd(this, 1);
        } else if (bias.isHere()) {
            HANDLES.setRelease(this, handles + 1);
        } else {
            ELSEWHERE.getAndAdd(this, 1);
        }
    }

    /// Tells if one buffer alone has this memory, so that its owner may do with it what it likes.
    boolean isExclusive() {
        int here = (int) HANDLES.getAcquire(this);
        // Not before: a buffer from elsewhere that has been taken off must have been counted.
        return here + (confined ? (int) ELSEWHERE.getAcquire(this) : 0) == 1;
    }

    /// Gives up a handle.
    ///
    /// @param ended the buffer that had it, or null when that one lives on elsewhere
    void release(@Nullable Owned ended) {
        if (confined) {
            if (bias.isHere()) {
                drop();
            } else {
                bias.push(ended, this);
            }
        } else if ((int) HANDLES.getAcquire(this) == 1 || (int) HANDLES.getAndAdd(this, -1) == 1) {
            // Only who owns an open buffer can open another one, and each gives up its handle once
            // (see Owned): "one" read by the last holder cannot change under it, and the atomic
            // subtraction is paid only by blocks that are shared.
            home.reclaim(this);
        }
    }

    /// Takes a handle off a confined block. Bias thread only.
    void drop() {
        int left = handles - 1;
        HANDLES.setRelease(this, left);
        if (left + (int) ELSEWHERE.getAcquire(this) == 0 && open) {
            open = false;
            home.reclaim(this);
        }
    }
}
