package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What a faulty program does with buffers: uses them after their release, releases them twice, reaches beyond their ends.
/// Each has to throw, and no byte of anybody else's buffer may show or change: every open buffer is full of a mark of its
/// owner, also checked when memory has been used again many times.
///
/// Handles are passed between threads by way of queues, as the contract asks: two threads that release the last ownership
/// at the same moment are not covered. `-Dio.weft.misuses=1000000` is the long form.
class MisuseTest {
    private static final int MISUSES = Integer.getInteger("io.weft.misuses", 100_000);
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

    private interface OutOfBounds {
        @SuppressWarnings("UnusedReturnValue")
        Object at(Buffer b, int size);
    }

    /// Released handles, of all threads.
    private final AtomicReferenceArray<Buffer> stale = new AtomicReferenceArray<>(256);

    /// Buffers that another thread is to release.
    private final ConcurrentLinkedQueue<Buffer> handedOver = new ConcurrentLinkedQueue<>();

    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void throwsAndHarmsNobody(int threads) throws InterruptedException {
        long seed = System.nanoTime();
        System.out.println("seed: " + seed);
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
        handedOver.forEach(Buffer::release);
        assertThat(failures).isEmpty();
    }

    private final class Program {
        private final Random random;
        private final List<Buffer> open = new ArrayList<>();

        Program(Random random) {
            this.random = random;
        }

        void run(int misuses) {
            BufferAllocator.pooled().attachThread();
            try {
                for (int i = 0; i < misuses; i++) {
                    proceed();
                    if (random.nextBoolean()) {
                        misuse();
                    } else {
                        exceed();
                    }
                    open.forEach(Program::checkMark);
                }
            } finally {
                open.forEach(Buffer::release);
                BufferAllocator.pooled().detachThread();
            }
        }

        /// The correct part: opens and releases, here or on another thread.
        private void proceed() {
            if (open.size() < 6) {
                Buffer b = BufferAllocator.pooled().allocate(1 + random.nextInt(300));
                b.fill(0, b.capacity(), 1 + random.nextInt(255)).writeOffset(b.capacity());
                open.add(b);
                if (random.nextInt(4) == 0) {
                    open.add(b.slice(0, 1 + random.nextInt(b.capacity())));
                }
            } else {
                Buffer b = open.remove(random.nextInt(open.size()));
                if (random.nextInt(4) == 0) {
                    handedOver.add(b);
                } else {
                    release(b);
                }
            }
            Buffer other = random.nextInt(4) == 0 ? handedOver.poll() : null;
            if (other != null) {
                checkMark(other);
                release(other);
            }
        }

        private void release(Buffer b) {
            b.release();
            stale.set(random.nextInt(stale.length()), b);
        }

        private void misuse() {
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
            Buffer b = open.get(random.nextInt(open.size()));
            int which = random.nextInt(BEYOND.size());
            try {
                BEYOND.get(which).at(b, b.capacity());
            } catch (IndexOutOfBoundsException expected) {
                return;
            }
            throw new AssertionError("access " + which + " out of bounds passed: " + b);
        }

        private static void checkMark(Buffer b) {
            byte mark = b.getByte(0);
            if (mark == 0 || b.forEachByte(0, b.capacity(), each -> each == mark) >= 0) {
                throw new AssertionError("a foreign byte in " + b + "\n" + b.hexDump());
            }
        }
    }
}
