package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BufferAllocatorTest {
    private final BufferAllocator allocator = BufferAllocator.pooled();

    @BeforeEach
    void attach() {
        allocator.attachThread();
    }

    @AfterEach
    void detach() {
        allocator.detachThread();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void aReleasedBlockIsUsedAgain() {
        Buffer first = allocator.allocate(1000);
        long address = first.address();
        first.release();
        Buffer second = allocator.allocate(900);
        assertThat(second.address()).isEqualTo(address);
        second.release();
    }

    @Test
    void openBuffersNeverOverlap() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        Random random = new Random(seed);
        List<Buffer> open = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            if (random.nextInt(open.size() + 1) < 50) {
                Buffer b = allocator.allocate(1 + random.nextInt(1 << random.nextInt(15)));
                int mark = random.nextInt();
                while (b.writableBytes() > 0) {
                    b.writeByte(mark);
                }
                open.add(b);
            } else {
                Buffer b = open.remove(random.nextInt(open.size()));
                byte mark = b.getByte(0);
                byte[] all = new byte[b.readableBytes()];
                b.readBytes(all);
                for (byte each : all) {
                    assertThat(each).isEqualTo(mark);
                }
                b.release();
            }
        }
        open.forEach(Buffer::release);
    }

    @Test
    void buffersReleasedElsewhereComeHomeWithoutNewReservations() throws InterruptedException {
        for (int round = 0; round < 50; round++) {
            List<Buffer> buffers = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                buffers.add(allocator.allocate(4096));
            }
            CountDownLatch go = new CountDownLatch(1);
            List<Thread> threads = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                List<Buffer> mine = buffers.subList(t * 25, t * 25 + 25);
                threads.add(
                        Thread.ofPlatform()
                                .start(
                                        () -> {
                                            try {
                                                go.await();
                                            } catch (InterruptedException e) {
                                                throw new AssertionError(e);
                                            }
                                            mine.forEach(Buffer::release);
                                        }));
            }
            go.countDown();
            for (Thread thread : threads) {
                thread.join();
            }
            if (round == 0) {
                reservedAfterFirstRound = allocator.reservedBytes();
            }
        }
        assertThat(allocator.reservedBytes()).isEqualTo(reservedAfterFirstRound);
    }

    private long reservedAfterFirstRound;

    @Test
    void reachingTheCapIsATypedErrorThatIsSurvived() {
        ArrayDeque<Buffer> open = new ArrayDeque<>();
        assertThatThrownBy(
                        () -> {
                            while (true) {
                                open.add(allocator.allocate(64 << 20));
                            }
                        })
                .isInstanceOf(MemoryLimitException.class)
                .hasMessageContaining("expected: at most");
        int reached = open.size();
        assertThat(reached).isPositive();
        open.remove().release();
        open.add(allocator.allocate(64 << 20));
        assertThat(open).hasSize(reached);
        open.forEach(Buffer::release);
    }
}
