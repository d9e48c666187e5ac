package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The promises of a loop to its driver.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD) // join() ignores interrupts
class LoopDriverTest {
    /// Notes each call; waits on a semaphore, which remembers wake-ups.
    private static class Notes implements LoopDriver {
        final List<String> calls = Collections.synchronizedList(new ArrayList<>());
        final Semaphore wakeups = new Semaphore(0);
        final AtomicInteger polls = new AtomicInteger();
        final AtomicInteger woken = new AtomicInteger();
        volatile boolean closed;
        volatile boolean idle = true;

        @Override
        public void start() {
            calls.add("start");
        }

        @Override
        public void poll(long timeoutNanos) {
            polls.incrementAndGet();
            if (timeoutNanos == Long.MAX_VALUE) {
                wakeups.acquireUninterruptibly();
            }
        }

        @Override
        public void wakeup() {
            woken.incrementAndGet();
            if (closed) {
                calls.add("wakeup after close");
            }
            wakeups.release();
        }

        @Override
        public void shuttingDown() {
            calls.add("shuttingDown");
        }

        @Override
        public boolean isIdle() {
            return idle;
        }

        @Override
        public void close() {
            closed = true;
            calls.add("close");
        }
    }

    private static SingleThreadExecutor with(LoopDriver driver) {
        return SingleThreadExecutor.builder("loop").driver(driver).build();
    }

    @Test
    void isStartedToldOfTheShutdownAndClosedInThatOrder() {
        Notes driver = new Notes();
        SingleThreadExecutor executor = with(driver);
        executor.submit(() -> driver.calls.add("task")).join();
        executor.shutdownGracefully().join();
        assertThat(driver.calls).containsExactly("start", "task", "shuttingDown", "close");
    }

    @Test
    void isLetWaitByALoopThatYieldsFirst() throws InterruptedException {
        var waits = new Semaphore(0);
        Notes driver =
                new Notes() {
                    @Override
                    public void poll(long timeoutNanos) {
                        if (timeoutNanos > 0) {
                            waits.release();
                        }
                        super.poll(timeoutNanos);
                    }

                    @Override
                    public boolean yields() {
                        return true;
                    }
                };
        SingleThreadExecutor executor = with(driver);
        for (int i = 0; i < 100; i++) {
            waits.drainPermits();
            executor.submit(() -> true).join();
            waits.acquire();
        }
        executor.shutdownGracefully().join();
    }

    @Test
    void isNeverWokenByTheLoopItself() throws InterruptedException {
        Notes driver = new Notes();
        SingleThreadExecutor executor = with(driver);
        CountDownLatch othersAreDone = new CountDownLatch(1);
        Future<Integer> wakeups =
                executor.submit(
                        () -> {
                            othersAreDone.await();
                            int before = driver.woken.get();
                            for (int i = 0; i < 100; i++) {
                                executor.execute(() -> {});
                            }
                            return driver.woken.get() - before;
                        });
        othersAreDone.countDown();
        assertThat(wakeups.join()).isZero();
        executor.shutdownGracefully().join();
    }

    @Test
    void isWokenAtMostOnceASleep() {
        Notes driver = new Notes();
        SingleThreadExecutor executor = with(driver);
        for (int i = 0; i < 10_000; i++) {
            executor.execute(() -> {});
            executor.execute(() -> {});
            executor.submit(() -> "x").join();
        }
        executor.shutdownGracefully().join();
        assertThat(driver.woken.get()).isPositive().isLessThanOrEqualTo(driver.polls.get());
    }

    @Test
    void keepsTheLoopAliveUntilItIsIdle() {
        Notes driver = new Notes();
        driver.idle = false;
        SingleThreadExecutor executor = with(driver);
        Future<Void> end = executor.shutdownGracefully();
        for (int i = 0; i < 100; i++) {
            assertThat(executor.submit(() -> "still taking tasks").join()).isNotNull();
        }
        assertThat(end.isDone()).isFalse();
        executor.execute(() -> driver.idle = false);
        executor.execute(() -> driver.idle = true);
        end.join();
    }

    @Test
    void mayThrowOnEveryPoll() {
        LoopDriver broken =
                new LoopDriver() {
                    @Override
                    public boolean yields() {
                        throw new IllegalStateException("expected in the log");
                    }

                    @Override
                    public void start() {
                        throw new IllegalStateException("expected in the log");
                    }

                    @Override
                    public void poll(long timeoutNanos) {
                        throw new IllegalStateException("expected in the log");
                    }

                    @Override
                    public void wakeup() {
                        throw new IllegalStateException("expected in the log");
                    }

                    @Override
                    public void shuttingDown() {
                        throw new IllegalStateException("expected in the log");
                    }

                    @Override
                    public boolean isIdle() {
                        throw new IllegalStateException("expected in the log");
                    }

                    @Override
                    public void close() {
                        throw new IllegalStateException("expected in the log");
                    }
                };
        SingleThreadExecutor executor = with(broken);
        for (int i = 0; i < 20; i++) {
            assertThat(executor.submit(() -> "x").join()).isEqualTo("x");
        }
        executor.shutdownGracefully().join();
    }

    @Test
    void isNeverWokenAfterItWasClosed() throws InterruptedException {
        for (int round = 0; round < 300; round++) {
            Notes driver = new Notes();
            SingleThreadExecutor executor = with(driver);
            Thread producer =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            while (true) {
                                                executor.submit(() -> "x").join();
                                            }
                                        } catch (
                                                java.util.concurrent.RejectedExecutionException _) {
                                            // the end
                                        }
                                    });
            executor.submit(() -> "begun").join();
            executor.shutdownGracefully(Duration.ZERO, Duration.ZERO).join();
            producer.join();
            assertThat(driver.calls).doesNotContain("wakeup after close");
        }
    }
}
