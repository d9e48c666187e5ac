package io.weft.buffer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// At the cap, with memory that is free, but in the hands of loops that sleep.
@Timeout(60)
class ScarceMemoryTest {
    private static final int LIMIT = 4 << 20;

    /// A thread that sleeps until it is woken.
    private static final class Sleeper implements AutoCloseable {
        private final BlockingQueue<Runnable> rounds = new ArrayBlockingQueue<>(100);
        private final Thread thread;
        private int woken;

        Sleeper(BufferAllocator allocator) {
            thread =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        allocator.attachThread(
                                                () -> {
                                                    woken++;
                                                    rounds.add(() -> allocator.idle(0));
                                                });
                                        loop();
                                        allocator.detachThread();
                                    });
        }

        private void loop() {
            try {
                while (true) {
                    rounds.take().run();
                }
            } catch (InterruptedException e) {
                // closed
            }
        }

        /// Fills the memory by buffers of this thread's.
        List<Buffer> fill(BufferAllocator allocator, int size) throws InterruptedException {
            BlockingQueue<List<Buffer>> filled = new ArrayBlockingQueue<>(1);
            rounds.add(
                    () -> {
                        List<Buffer> open = new ArrayList<>();
                        try {
                            while (true) {
                                open.add(allocator.allocate(size));
                            }
                        } catch (MemoryLimitException e) {
                            filled.add(open);
                        }
                    });
            return filled.take();
        }

        @Override
        public void close() {
            thread.interrupt();
            try {
                thread.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @Test
    void memoryReleasedToASleepingLoopIsGivenBackAtTheCap() throws InterruptedException {
        var allocator = new BufferAllocator(new MemoryBudget(LIMIT), TimeUnit.SECONDS.toNanos(50));
        try (var sleeper = new Sleeper(allocator)) {
            for (int size : new int[] {1 << 10, 16 << 10}) {
                List<Buffer> open = sleeper.fill(allocator, size);
                assertThat(allocator.reservedBytes()).isGreaterThan(LIMIT / 2);
                open.forEach(Buffer::release);
                allocator.allocate(200 << 10).release();
                allocator.allocate(LIMIT / 2).release();
                allocator.trim();
            }
        }
    }

    @Test
    void aLoopThatDoesNotAnswerIsWokenOnce() throws InterruptedException {
        var allocator = new BufferAllocator(new MemoryBudget(LIMIT), 0);
        try (var sleeper = new Sleeper(allocator)) {
            List<Buffer> open = sleeper.fill(allocator, 1 << 10);
            var busy = new ArrayBlockingQueue<String>(1);
            sleeper.rounds.add(
                    () -> {
                        try {
                            busy.put("now");
                            busy.put("until taken");
                        } catch (InterruptedException e) {
                            Thread.currentThread().interrupt();
                        }
                    });
            while (busy.isEmpty()) {
                Thread.onSpinWait();
            }
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> allocator.allocate(LIMIT / 2))
                        .isInstanceOf(MemoryLimitException.class);
            }
            assertThat(sleeper.woken).isEqualTo(1);
            busy.take();
            open.forEach(Buffer::release);
        }
    }

    @Test
    void aLoopThatHasEndedHindersNobody() {
        var allocator = new BufferAllocator(new MemoryBudget(LIMIT));
        allocator.attachThread(
                () -> {
                    throw new IllegalStateException("ended");
                });
        var failure = new ArrayBlockingQueue<Throwable>(1);
        Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                allocator.allocate(2 * LIMIT);
                            } catch (MemoryLimitException e) {
                                failure.add(e);
                            }
                        });
        assertThat(takeFrom(failure)).isInstanceOf(MemoryLimitException.class);
        allocator.detachThread();
    }

    private static Throwable takeFrom(BlockingQueue<Throwable> failures) {
        try {
            return failures.take();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
