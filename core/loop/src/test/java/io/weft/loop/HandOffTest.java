package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The short form of `dev/handoffs.sh`: counts, and measures nothing.
@Timeout(120)
class HandOffTest {
    private static final int COUNT = 2_000_000;

    private final AtomicLong wakeups = new AtomicLong();
    private long polls; // of the loop
    private long sleeps; // of the loop
    private long ran; // of the loop

    private final class Counting implements LoopDriver {
        private final LoopDriver parking = LoopDriver.parking();

        @Override
        public void start() {
            parking.start();
        }

        @Override
        public void poll(long timeoutNanos) {
            polls++;
            sleeps += timeoutNanos > 0 ? 1 : 0;
            parking.poll(timeoutNanos);
        }

        @Override
        public void wakeup() {
            wakeups.incrementAndGet();
            parking.wakeup();
        }

        @Override
        public void close() {}
    }

    /// A lost wake-up would keep the last task of a burst waiting for the next burst, or for ever.
    @Test
    void burstsOfTasksWakeTheLoopOnceASleepAtMost() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        System.out.println("HandOffTest seed: " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        SingleThreadExecutor executor =
                SingleThreadExecutor.builder("hand-offs").driver(new Counting()).build();
        for (int left = COUNT; left > 0; ) {
            int burst = Math.min(left, random.nextInt(1, 500));
            for (int i = 1; i < burst; i++) {
                executor.execute(() -> ran++);
            }
            Future<Long> last = executor.submit(() -> ++ran);
            left -= burst;
            assertThat(last.join()).isEqualTo(COUNT - left);
            for (int spins = random.nextInt(500); spins > 0; spins--) {
                Thread.onSpinWait();
            }
        }
        executor.shutdownGracefully().join();
        assertThat(ran).isEqualTo(COUNT);
        assertThat(sleeps).isPositive();
        assertThat(wakeups.get()).isPositive().isLessThanOrEqualTo(polls);
    }

    @Test
    void aLoopThatDoesNotSleepIsNotWokenUp() throws InterruptedException {
        SingleThreadExecutor executor =
                SingleThreadExecutor.builder("awake").driver(new Counting()).build();
        Held held = Held.hold(executor);
        long before = wakeups.get();
        for (int i = 0; i < 10_000; i++) {
            executor.execute(() -> ran++);
        }
        assertThat(wakeups.get()).isEqualTo(before);
        held.letGo();
        executor.shutdownGracefully().join();
        assertThat(ran).isEqualTo(10_000);
    }
}
