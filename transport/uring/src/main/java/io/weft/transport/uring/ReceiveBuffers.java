package io.weft.transport.uring;

import io.weft.buffer.Block;
import io.weft.buffer.Buffer;
import io.weft.engine.EngineUnavailableException;
import io.weft.ffi.Errno;
import io.weft.ffi.Memory;
import io.weft.ffi.Pages;
import io.weft.ffi.uring.BufReg;
import io.weft.ffi.uring.BufRing;
import io.weft.ffi.uring.IoUring;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The buffers that the kernel receives into (`IORING_REGISTER_PBUF_RING`): it takes one when bytes
/// have arrived, so an idle connection holds none. They are handed up without a copy and come back
/// when the last reader releases them.
///
/// A buffer released on the loop's thread goes straight back to the kernel; elsewhere, to a stack
/// that the loop takes whole.
///
/// **Scarcity.** Received memory that readers keep must not stop reception. If less than a quarter
/// of the ring is left, or half of it and a stream has its share, what that stream receives is
/// copied, and its buffer is back at once. Until then nothing is copied. If there is no memory for
/// a copy, the stream waits ([Starvation]).
final class ReceiveBuffers implements Block.Home {
    static final int GROUP = 0;

    static final int COUNT = 256;
    static final int SIZE = 16 << 10;

    /// With fewer left the ring is scarce: what is received then is copied.
    private static final int SCARCE = COUNT / 4;

    /// Buffers that one stream may have once half of the ring is out; what it receives beyond is
    /// copied.
    private static final int SHARE = 16;

    /// More than the size, so that the first lines of the buffers do not all fall into one set of
    /// the processor's caches.
    private static final int STRIDE = SIZE + 192;

    /// Bytes of all buffers.
    static final long MEMORY = (long) COUNT * STRIDE;

    private final UringEngine engine;
    private final long ring = Memory.allocate((long) COUNT * BufRing.SIZE, 4096);
    private final long memory;
    private final Block[] blocks = new Block[COUNT];

    /// The streams that received into the buffers that are out.
    private final @Nullable UringInput[] holders = new @Nullable UringInput[COUNT];

    /// A returned block and those returned before it.
    private record Returned(Block block, @Nullable Returned before) {}

    private final AtomicReference<@Nullable Returned> returned = new AtomicReference<>();
    private int tail;
    private int home = COUNT;

    ReceiveBuffers(UringEngine engine) {
        this.engine = engine;
        memory = Pages.allocate(MEMORY);
        Memory.fill(ring, (long) COUNT * BufRing.SIZE, (byte) 0);
        for (int id = 0; id < COUNT; id++) {
            blocks[id] = new Block(memory + (long) id * STRIDE, SIZE, this, id);
            give(blocks[id]);
        }
        BufRing.putTail(ring, tail);
    }

    /// Registers the ring; on the issuer's thread.
    void register(Ring uring) throws EngineUnavailableException {
        long registration = Memory.allocate(BufReg.SIZE, 8);
        try {
            BufReg.put(registration, ring, COUNT, GROUP, 0);
            int result = uring.register(IoUring.IORING_REGISTER_PBUF_RING, registration, 1);
            if (result < 0) {
                throw new EngineUnavailableException(
                        "provided buffers: " + Errno.describe(-result));
            }
        } finally {
            Memory.free(registration, BufReg.SIZE);
        }
    }

    private void giveBack(Block block) {
        give(block);
        home++;
        UringInput holder = holders[block.tag()];
        if (holder != null) {
            holders[block.tag()] = null;
            holder.gaveBack();
        }
    }

    private void give(Block block) {
        BufRing.put(ring, tail & (COUNT - 1), block.address(), SIZE, block.tag());
        tail++;
    }

    /// The kernel filled `length` bytes of the buffer `id` for `holder`, if that still is; the
    /// caller owns the result.
    Buffer take(int id, int length, @Nullable UringInput holder) {
        home--;
        holders[id] = holder;
        return blocks[id].open(length);
    }

    /// Tells if the kernel has no buffer left.
    boolean isEmpty() {
        return home == 0;
    }

    /// Tells if the kernel has so few buffers left that received bytes are to be copied.
    boolean isScarce() {
        return home < SCARCE;
    }

    /// Tells if the bytes that a stream receives are to be copied, while it holds `held` buffers of
    /// the ring.
    boolean isScarceFor(int held) {
        return home < COUNT / 2 && (home < SCARCE || held > SHARE);
    }

    /// Returns the number of buffers that the kernel has. Loop only.
    int home() {
        return home;
    }

    @Override
    public void reclaim(Block block) {
        if (engine.inLoop()) {
            giveBack(block);
            BufRing.putTail(ring, tail);
            return;
        }
        Returned top = returned.get();
        while (!returned.compareAndSet(top, new Returned(block, top))) {
            top = returned.get();
        }
        engine.buffersReturned();
    }

    /// Gives the kernel what other threads have released. Loop only.
    void takeReturned() {
        if (returned.getPlain() == null) {
            return;
        }
        for (Returned r = returned.getAndSet(null); r != null; r = r.before) {
            giveBack(r.block);
        }
        BufRing.putTail(ring, tail);
    }

    /// Frees the memory, after the ring was closed. If readers still hold buffers, or the kernel
    /// may still receive into some, the memory stays reserved instead: it must never be reached
    /// after it has another owner. Freed memory stays accessible, as all memory of buffers does: a
    /// view that a user kept by mistake must not kill the process.
    void close(boolean kernelIsDone) {
        takeReturned();
        if (kernelIsDone && home == COUNT) {
            Pages.free(memory, MEMORY);
            Memory.free(ring, (long) COUNT * BufRing.SIZE);
        }
    }
}
