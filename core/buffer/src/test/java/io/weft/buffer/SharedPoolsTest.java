package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SharedPoolsTest {
    private final BufferAllocator allocator = new BufferAllocator(new MemoryBudget(256 << 20));

    @AfterEach
    void nothingIsLeft() {
        allocator.trim();
        assertThat(allocator.reservedBytes()).isZero();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void smallBuffersShareSlabs() {
        List<Buffer> open = new ArrayList<>();
        for (int i = 0; i < 32; i++) {
            open.add(allocator.allocate(1000));
        }
        assertThat(allocator.reservedBytes()).isEqualTo(32 << 10);
        open.forEach(Buffer::release);
        for (int i = 0; i < 32; i++) {
            open.set(i, allocator.allocate(1000));
        }
        assertThat(allocator.reservedBytes()).isEqualTo(32 << 10);
        open.forEach(Buffer::release);
    }

    @Test
    void virtualThreadsAllocateAndReleaseEachOthersBuffers() throws InterruptedException {
        long seed = Long.getLong("io.weft.test.seed", 1);
        ConcurrentLinkedQueue<Buffer> others = new ConcurrentLinkedQueue<>();
        ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
        CountDownLatch done = new CountDownLatch(64);
        for (int t = 0; t < 64; t++) {
            Random random = new Random(seed + t);
            Thread.Builder builder = t % 8 == 0 ? Thread.ofPlatform() : Thread.ofVirtual();
            builder.start(
                    () -> {
                        try {
                            churn(random, others);
                        } catch (Throwable e) {
                            failures.add(e);
                        } finally {
                            done.countDown();
                        }
                    });
        }
        done.await();
        others.forEach(Buffer::release);
        assertThat(failures).isEmpty();
    }

    /// Each buffer is full of its own mark from its allocation to its release.
    private void churn(Random random, ConcurrentLinkedQueue<Buffer> others) {
        for (int i = 0; i < 500; i++) {
            int capacity = 1 + random.nextInt(1 << random.nextInt(14));
            Buffer mine = allocator.allocate(capacity);
            mine.fill(0, capacity, capacity);
            others.add(mine);
            if (random.nextInt(3) > 0) {
                Buffer other = others.poll();
                if (other != null) {
                    assertThat(other.getByte(0)).isEqualTo((byte) other.capacity());
                    assertThat(other.getByte(other.capacity() - 1))
                            .isEqualTo((byte) other.capacity());
                    other.release();
                }
            }
            if (i % 100 == 99) {
                allocator.trim();
            }
        }
    }

    @Test
    void countsAreBounded() {
        assertThat(SharedPools.countFor(1)).isEqualTo(2);
        assertThat(SharedPools.countFor(2)).isEqualTo(4);
        assertThat(SharedPools.countFor(3)).isEqualTo(8);
        assertThat(SharedPools.countFor(1000)).isEqualTo(64);
    }

    @Test
    void openBuffersOutliveTheirThread() throws InterruptedException {
        List<Buffer> open = Collections.synchronizedList(new ArrayList<>());
        Thread thread =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    allocator.attachThread();
                                    open.add(allocator.allocate(100).writeByte(7));
                                    allocator.detachThread();
                                });
        thread.join();
        assertThat(allocator.trim()).isZero();
        assertThat(open.getFirst().readByte()).isEqualTo((byte) 7);
        open.getFirst().release();
        assertThat(allocator.trim()).isEqualTo(32 << 10);
    }
}
