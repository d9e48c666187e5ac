package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.Memory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Uses buffers as a faulty program does: after their release, releasing them twice, beyond their
/// ends. Each such use has to throw, and no byte of another owner's buffer may show or
/// change: every open buffer is full of a mark of its owner, also checked when memory has been used
/// again many times.
///
/// Handles are passed between threads by way of queues, as the contract asks; [RacingMisuseTest]
/// does without. `-Dio.weft.misuses` says how many there are.
class MisuseTest {
    private static final int MISUSES = Integer.getInteger("io.weft.misuses", 1_000_000);
    private static final byte[] BYTES = new byte[8];

    private interface Use {
        @SuppressWarnings("UnusedReturnValue")
        Object on(Buffer b);
    }

    /// None of these may succeed on a released buffer.
    private static final List<Use> USES =
            List.of(
                    b -> b.getByte(0),
                    b -> b.getLongLE(0),
                    b -> b.getUnsignedMedium(0),
                    b -> b.setByte(0, 'X'),
                    b -> b.setDouble(0, 1),
                    b -> b.setBytes(0, BYTES, 0, 1),
                    b -> b.getBytes(0, BYTES, 0, 1),
                    b -> b.getBytes(0, ByteBuffer.allocate(1)),
                    b -> b.getBytes(0, b, 0, 1),
                    b -> b.fill(0, 1, 'X'),
                    b -> b.readByte(),
                    b -> b.readInt(),
                    b -> b.readBytes(new byte[1]),
                    b -> b.writeByte('X'),
                    b -> b.writeBytes(BYTES),
                    b -> b.writeBytes(b),
                    b -> b.writeBytes(ByteBuffer.allocate(3)),
                    b -> b.writeUtf8("XÄ"),
                    b -> b.writeAscii("X"),
                    b -> b.clear().ensureWritable(1 << 20),
                    b -> b.split(0),
                    b -> b.slice(0, 0),
                    b -> b.asReadOnly(),
                    b -> b.copy(),
                    b -> b.byteBuffer(0, 0),
                    b -> b.address(),
                    b -> b.indexOf((byte) 0, 0, 0),
                    b -> b.contentHash(),
                    b -> b.contentEquals(b),
                    b -> b.hexDump(),
                    b -> b.retain(),
                    b -> b.release());

    /// None of these may succeed on a buffer of `size` bytes.
    private static final List<OutOfBounds> BEYOND =
            List.of(
                    (b, i) -> b.getByte(i),
                    (b, i) -> b.getInt(i - 3),
                    (b, i) -> b.getLongLE(i - 7),
                    (b, i) -> b.getMediumLE(i - 2),
                    (b, i) -> b.setByte(i, 'X'),
                    (b, i) -> b.setShort(i - 1, 'X'),
                    (b, i) -> b.setLong(i - 7, 'X'),
                    (b, i) -> b.getBytes(i, BYTES, 0, 1),
                    (b, i) -> b.setBytes(i, BYTES, 0, 1),
                    (b, i) -> b.setBytes(0, b, i, 1),
                    (b, i) -> b.fill(i, 1, 'X'),
                    (b, i) -> b.fill(0, i + 1, 'X'),
                    (b, i) -> b.slice(i, 1),
                    (b, i) -> b.slice(1, -1),
                    (b, i) -> b.split(i + 1),
                    (b, i) -> b.byteBuffer(i, 1),
                    (b, i) -> b.readBytes(new byte[i + 1]),
                    (b, i) -> b.skipReadable(-1),
                    (b, i) -> b.writeOffset(i + 1),
                    (b, i) -> b.readOffset(i + 1),
                    (b, i) -> b.indexOf((byte) 0, 0, i + 1));

    private interface CompositeUse {
        @SuppressWarnings("UnusedReturnValue")
        Object on(CompositeBuffer c);
    }

    /// None of these may succeed on a released composite.
    private static final List<CompositeUse> COMPOSITE_USES =
            List.of(
                    c -> c.getByte(0),
                    c -> c.getLongLE(0),
                    c -> c.setByte(0, 'X'),
                    c -> c.setDouble(0, 1),
                    c -> c.getBytes(0, BYTES, 0, 1),
                    c -> c.setBytes(0, BYTES, 0, 1),
                    c -> c.readByte(),
                    c -> c.writeByte('X'),
                    c -> c.split(0),
                    c -> c.slice(0, 0),
                    c -> c.copy(),
                    c -> c.flatten(),
                    c -> c.removeFirst(),
                    c -> c.discardRead(),
                    c -> c.byteBuffers(),
                    c -> c.indexOf((byte) 0, 0, 0),
                    c -> c.release());

    /// None of these may succeed on a composite of `size` bytes.
    private static final List<CompositeOutOfBounds> COMPOSITE_BEYOND =
            List.of(
                    (c, i) -> c.getByte(i),
                    (c, i) -> c.getByte(-1),
                    (c, i) -> c.getInt(i - 3),
                    (c, i) -> c.setByte(i, 'X'),
                    (c, i) -> c.setLong(i - 7, 'X'),
                    (c, i) -> c.setBytes(i, BYTES, 0, 1),
                    (c, i) -> c.getBytes(0, new byte[i + 1], 0, i + 1),
                    (c, i) -> c.slice(i, 1),
                    (c, i) -> c.copy(1, -1),
                    (c, i) -> c.split(i + 1),
                    (c, i) -> c.skipReadable(-1),
                    (c, i) -> c.readBytes(new byte[i + 1]),
                    (c, i) -> c.writeOffset(i + 1));

    private interface CompositeOutOfBounds {
        @SuppressWarnings("UnusedReturnValue")
        Object at(CompositeBuffer c, int size);
    }

    private interface OutOfBounds {
        @SuppressWarnings("UnusedReturnValue")
        Object at(Buffer b, int size);
    }

    /// Released handles, of all threads.
    private final AtomicReferenceArray<Buffer> stale = new AtomicReferenceArray<>(256);

    /// Buffers that another thread is to release.
    private final ConcurrentLinkedQueue<Open> handedOver = new ConcurrentLinkedQueue<>();

    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    /// A buffer and perhaps an unreleasable view of it.
    private record Open(Buffer buffer, @Nullable Buffer view) {}

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void throwsAndHarmsNobody(int threads) throws InterruptedException {
        long seed = Long.getLong("io.weft.test.seed", 1);
        List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Program program = new Program(new Random(seed + t));
            running.add(
                    Thread.ofPlatform()
                            .uncaughtExceptionHandler((_, e) -> failures.add(e))
                            .start(() -> program.run(MISUSES / 3 / threads)));
        }
        for (Thread thread : running) {
            thread.join();
        }
        handedOver.forEach(open -> open.buffer.release());
        assertThat(failures).isEmpty();
    }

    private final class Program {
        private final Random random;
        private final List<Open> open = new ArrayList<>();
        private CompositeBuffer composite;
        private CompositeBuffer staleComposite;
        private byte compositeMark;

        Program(Random random) {
            this.random = random;
            this.composite = new CompositeBuffer(BufferAllocator.pooled());
            this.staleComposite = new CompositeBuffer(BufferAllocator.pooled());
            staleComposite.release();
        }

        void run(int misuses) {
            BufferAllocator.pooled().attachThread();
            try {
                for (int i = 0; i < misuses; i++) {
                    if (open.isEmpty() || random.nextInt(3) == 0) {
                        proceed();
                    }
                    switch (random.nextInt(8)) {
                        case 0 -> misuseComposite();
                        case 1 -> exceedComposite();
                        case 2, 3, 4 -> exceed();
                        default -> misuse();
                    }
                    // Marks last: each buffer is looked at now and then, and before its release.
                    checkMark(any());
                }
            } finally {
                open.forEach(each -> each.buffer.release());
                composite.release();
                BufferAllocator.pooled().detachThread();
            }
        }

        private Buffer any() {
            return open.get(random.nextInt(open.size())).buffer;
        }

        /// The correct part: opens and releases, here or on another thread.
        private void proceed() {
            if (open.size() < 6) {
                open();
            } else {
                Open each = open.remove(random.nextInt(open.size()));
                switch (random.nextInt(8)) {
                    case 0, 1 -> handedOver.add(each);
                    case 2 -> add(each);
                    default -> release(each);
                }
            }
            Open other = random.nextInt(4) == 0 ? handedOver.poll() : null;
            if (other != null) {
                release(other);
            }
        }

        private void open() {
            Buffer b = BufferAllocator.pooled().allocate(1 + random.nextInt(300));
            b.fill(0, b.capacity(), 1 + random.nextInt(255)).writeOffset(b.capacity());
            if (random.nextInt(4) == 0) {
                open.add(new Open(b.slice(0, 1 + random.nextInt(b.capacity())), null));
            }
            open.add(new Open(b, random.nextInt(4) == 0 ? b.asUnreleasable() : null));
        }

        private void release(Open each) {
            checkMark(each.buffer);
            each.buffer.release();
            forget(each);
        }

        private void forget(Open each) {
            stale.set(random.nextInt(stale.length()), each.buffer);
            if (each.view != null) {
                stale.set(random.nextInt(stale.length()), each.view);
            }
        }

        /// Gives a buffer to the composite: its handle and its views are stale then.
        private void add(Open each) {
            if (composite.components() == 3) {
                checkComposite();
                composite.release();
                staleComposite = composite;
                composite = new CompositeBuffer(BufferAllocator.pooled());
            }
            if (composite.components() == 0) {
                compositeMark = each.buffer.getByte(0);
            } else {
                // May be shared with a slice, so copied before it gets another mark.
                Buffer copy = each.buffer.copy();
                release(each);
                each = new Open(copy.fill(0, copy.capacity(), compositeMark), null);
            }
            composite.add(each.buffer);
            forget(each);
        }

        private void checkComposite() {
            if (composite.forEachByte(each -> each == compositeMark) >= 0) {
                throw new AssertionError("a foreign byte in " + composite);
            }
        }

        private void misuse() {
            Open mine = open.get(random.nextInt(open.size()));
            if (mine.view != null && random.nextBoolean()) {
                boolean last =
                        random.nextBoolean() ? mine.view.release() : mine.view.retain() == null;
                if (last || mine.view.getByte(0) != mine.buffer.getByte(0)) {
                    throw new AssertionError("an unreleasable view was released: " + mine);
                }
                return;
            }
            Buffer b = stale.get(random.nextInt(stale.length()));
            if (b != null) {
                int which = random.nextInt(USES.size());
                try {
                    USES.get(which).on(b);
                } catch (IllegalReferenceCountException expected) {
                    return;
                }
                throw new AssertionError("use " + which + " of a released buffer passed: " + b);
            }
        }

        private void exceed() {
            Buffer b = any();
            int which = random.nextInt(BEYOND.size());
            try {
                BEYOND.get(which).at(b, b.capacity());
            } catch (IndexOutOfBoundsException expected) {
                return;
            }
            throw new AssertionError("access " + which + " out of bounds passed: " + b);
        }

        private void misuseComposite() {
            int which = random.nextInt(COMPOSITE_USES.size());
            try {
                COMPOSITE_USES.get(which).on(staleComposite);
            } catch (IllegalReferenceCountException expected) {
                return;
            }
            throw new AssertionError("use " + which + " passed: " + staleComposite);
        }

        private void exceedComposite() {
            int which = random.nextInt(COMPOSITE_BEYOND.size());
            try {
                COMPOSITE_BEYOND.get(which).at(composite, composite.capacity());
            } catch (IndexOutOfBoundsException expected) {
                return;
            }
            throw new AssertionError("access " + which + " out of bounds passed: " + composite);
        }

        /// All bytes are the same if each is as the next.
        private static void checkMark(Buffer b) {
            long start = b.address();
            if (b.getByte(0) == 0 || Memory.mismatch(start, start + 1, b.capacity() - 1L) >= 0) {
                throw new AssertionError("a foreign byte in " + b + "\n" + b.hexDump());
            }
        }
    }
}
