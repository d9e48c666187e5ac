package io.weft.transport.uring;

import io.weft.buffer.Block;
import io.weft.buffer.Buffer;
import io.weft.channel.EngineUnavailableException;
import io.weft.ffi.BufReg;
import io.weft.ffi.BufRing;
import io.weft.ffi.Errno;
import io.weft.ffi.IoUring;
import io.weft.ffi.Memory;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// The buffers that the kernel receives into (`IORING_REGISTER_PBUF_RING`): it takes one when bytes have arrived, so an
/// idle connection holds none. They are handed up without a copy and come back when the last reader releases them.
///
/// A buffer released on the loop's thread goes straight back to the kernel; elsewhere, to a stack that the loop takes
/// whole. When all are held up by readers, streams wait ([UringStream] re-arms) and a release elsewhere wakes the loop.
final class ReceiveBuffers implements Block.Home {
    static final int GROUP = 0;

    static final int COUNT = 256;
    private static final int SIZE = 16 << 10;

    /// More than the size, so that the first lines of the buffers do not all fall into one set of the processor's caches.
    private static final int STRIDE = SIZE + 192;

    private final UringEngine engine;
    private final long ring = Memory.allocate((long) COUNT * BufRing.SIZE, 4096);
    private final long memory;
    private final Block[] blocks = new Block[COUNT];

    /// A returned block and those returned before it.
    private record Returned(Block block, @Nullable Returned before) {}

    private final AtomicReference<@Nullable Returned> returned = new AtomicReference<>();
    private int tail;
    private int home = COUNT;

    ReceiveBuffers(UringEngine engine) {
        this.engine = engine;
        memory = Memory.allocate((long) COUNT * STRIDE, 4096);
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

    private void give(Block block) {
        BufRing.put(ring, tail & (COUNT - 1), block.address(), SIZE, block.tag());
        tail++;
    }

    /// The kernel filled `length` bytes of the buffer `id`; the caller owns the result.
    Buffer take(int id, int length) {
        home--;
        return blocks[id].open(length);
    }

    /// Whether the kernel has a buffer left.
    boolean isEmpty() {
        return home == 0;
    }

    /// How many the kernel has. Loop only.
    int home() {
        return home;
    }

    @Override
    public void reclaim(Block block) {
        if (engine.inLoop()) {
            give(block);
            BufRing.putTail(ring, tail);
            home++;
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
            give(r.block);
            home++;
        }
        BufRing.putTail(ring, tail);
    }

    /// Frees the memory, after the ring was closed. Where readers still hold buffers, or the kernel may still receive into
    /// some, it stays reserved instead: nobody must ever reach memory that is somebody else's.
    void close(boolean kernelIsDone) {
        takeReturned();
        if (kernelIsDone && home == COUNT) {
            Memory.free(memory, (long) COUNT * STRIDE);
            Memory.free(ring, (long) COUNT * BufRing.SIZE);
        }
    }
}
