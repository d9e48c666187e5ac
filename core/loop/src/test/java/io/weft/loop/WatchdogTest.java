package io.weft.loop;

import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchdogTest {
    /// Ends when the watchdog has seen it, however long that takes.
    @Test
    void aTaskThatHoldsItsLoopIsSeen() {
        SingleThreadExecutor executor = new SingleThreadExecutor("held");
        executor.execute(() -> holdUntilSeen(executor));
        executor.shutdownGracefully().join();
        assertThat(executor.statistics().longestHoldNanos()).isPositive();
    }

    @Test
    void soIsOneThatADriverDispatchesAfterItsWait() {
        CountDownLatch asleep = new CountDownLatch(1);
        SingleThreadExecutor[] executor = new SingleThreadExecutor[1];
        LoopDriver parking = LoopDriver.parking();
        LoopDriver driver =
                new LoopDriver() {
                    @Override
                    public void start() {
                        parking.start();
                    }

                    @Override
                    public void poll(long timeoutNanos) {
                        if (timeoutNanos > 0) {
                            asleep.countDown();
                        }
                        parking.poll(timeoutNanos);
                        LoopThread.working();
                        holdUntilSeen(executor[0]);
                    }

                    @Override
                    public void wakeup() {
                        parking.wakeup();
                    }

                    @Override
                    public void close() {}
                };
        executor[0] = SingleThreadExecutor.builder("dispatches").driver(driver).build();
        executor[0].execute(() -> {});
        executor[0].shutdownGracefully().join();
        assertThat(executor[0].statistics().longestHoldNanos()).isPositive();
    }

    private static void holdUntilSeen(SingleThreadExecutor executor) {
        while (executor.statistics().longestHoldNanos() == 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void statisticsCountTasksAndTheLatenessOfTimers() {
        SingleThreadExecutor executor = new SingleThreadExecutor("counts");
        assertThat(executor.statistics()).isEqualTo(new LoopStatistics(0, 0, 0, 0, 0));
        for (int i = 0; i < 100; i++) {
            executor.execute(() -> {});
        }
        Promise<Void> fired = executor.newPromise();
        executor.schedule(() -> fired.setSuccess(null), 1, NANOSECONDS);
        fired.join();
        executor.shutdownGracefully().join();
        LoopStatistics statistics = executor.statistics();
        assertThat(statistics.tasksRun()).isGreaterThanOrEqualTo(100);
        assertThat(statistics.pendingTasks()).isZero();
        assertThat(statistics.lagNanos()).isPositive();
    }

    @Test
    void onAThreadThatIsNoLoopWorkingDoesNothing() {
        LoopThread.working();
        assertThat(Thread.currentThread()).isNotInstanceOf(LoopThread.class);
    }
}
