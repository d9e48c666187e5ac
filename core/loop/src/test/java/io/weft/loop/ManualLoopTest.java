package io.weft.loop;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A caller's thread as a loop, in real time.
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SAME_THREAD)
class ManualLoopTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final CountDownLatch waiting = new CountDownLatch(1);
    private final List<String> ran = new ArrayList<>();
    private final ManualExecutor loop = new ManualExecutor(Clock.system(), new Announcing());

    /// Parks, and tells when it does.
    private final class Announcing implements LoopDriver {
        private final LoopDriver parking = LoopDriver.parking();

        @Override
        public void start() {
            parking.start();
        }

        @Override
        public void poll(long timeoutNanos) {
            if (timeoutNanos > 0) {
                waiting.countDown();
            }
            parking.poll(timeoutNanos);
        }

        @Override
        public void wakeup() {
            parking.wakeup();
        }

        @Override
        public void close() {
            ran.add("closed");
        }
    }

    /// Has another thread do something when the loop is about to wait.
    private Thread whenItWaits(Runnable action) {
        return Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                waiting.await();
                                action.run();
                            } catch (InterruptedException e) {
                                throw new AssertionError(e);
                            }
                        });
    }

    @Test
    void runNowGoesRoundOnceWithoutWaiting() {
        loop.execute(() -> loop.execute(() -> ran.add("nested")));
        loop.schedule(() -> ran.add("timer"), 0, NANOSECONDS);
        loop.schedule(() -> ran.add("never"), 1, HOURS);
        assertThat(loop.runNow()).isEqualTo(3);
        assertThat(ran).containsExactly("timer", "nested");
        assertThat(loop.runNow()).isZero();
        assertThat(waiting.getCount()).isOne();
    }

    @Test
    void runWaitsForATaskOfAnotherThread() throws InterruptedException {
        Thread other = whenItWaits(() -> loop.execute(() -> ran.add("task")));
        assertThat(runUntilSomethingRan()).isEqualTo(1);
        assertThat(ran).containsExactly("task");
        other.join();
    }

    /// A driver may return early.
    private int runUntilSomethingRan() {
        int count;
        do {
            count = loop.run(LONG);
        } while (count == 0);
        return count;
    }

    @Test
    void runWaitsForATimer() {
        loop.schedule(() -> ran.add("timer"), 1, MILLISECONDS);
        assertThat(loop.untilNext()).isLessThanOrEqualTo(MILLISECONDS.toNanos(1));
        assertThat(runUntilSomethingRan()).isEqualTo(1);
        assertThat(loop.untilNext()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void runReturnsWhenTheTimeIsOver() {
        assertThat(loop.run(Duration.ofMillis(1))).isZero();
        assertThatThrownBy(() -> loop.run(Duration.ofNanos(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("atMost: PT-0.000000001S (expected: >= 0)");
    }

    @Test
    void aWakeUpLetsTheRunThatWaitsReturn() throws InterruptedException {
        Thread other = whenItWaits(loop::wakeUp);
        assertThat(loop.run(LONG)).isZero();
        other.join();
    }

    @Test
    void aWakeUpBeforeLetsTheNextRunReturnAndNoOther() throws InterruptedException {
        loop.wakeUp();
        loop.wakeUp();
        assertThat(loop.run(LONG)).isZero();
        assertThat(waiting.getCount()).isOne();
        Thread other = whenItWaits(() -> loop.execute(() -> {}));
        assertThat(runUntilSomethingRan()).isOne();
        other.join();
    }

    @Test
    void anInterruptLetsRunReturnAndStaysTheCallers() {
        Thread.currentThread().interrupt();
        assertThat(loop.run(LONG)).isZero();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aTaskThatDrivesItsOwnLoopIsRefused() {
        Future<Integer> nested = loop.submit(loop::runNow);
        assertThat(loop.runNow()).isEqualTo(1);
        assertThat(nested.cause())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("expected: one thread, once");
    }

    @Test
    void aShutdownEndsItInARound() {
        loop.execute(() -> ran.add("task"));
        Future<Void> end = loop.shutdownGracefully(Duration.ZERO, LONG);
        assertThat(loop.untilNext()).isZero();
        while (!loop.isTerminated()) {
            int _ = loop.run(LONG);
        }
        assertThat(end.isSuccess()).isTrue();
        assertThat(ran).containsExactly("task", "closed");
        assertThat(loop.run(LONG)).isZero();
        loop.wakeUp();
        assertThat(loop.untilNext()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aShutdownFromElsewhereWakesIt() throws InterruptedException {
        Thread other =
                whenItWaits(
                        () -> {
                            Future<Void> _ = loop.shutdownGracefully();
                        });
        while (!loop.isTerminated()) {
            int _ = loop.run(LONG);
        }
        other.join();
    }

    @Test
    void severalInTheSameTimeAreDrivenStepByStep() {
        ManualClock clock = new ManualClock();
        ManualExecutor a = new ManualExecutor(clock);
        ManualExecutor b = new ManualExecutor(clock);
        a.schedule(() -> b.execute(() -> ran.add("b@" + clock.nanoTime())), 5, NANOSECONDS);
        b.schedule(() -> ran.add("b timer@" + clock.nanoTime()), 3, NANOSECONDS);
        for (long next; (next = Math.min(a.untilNext(), b.untilNext())) < Long.MAX_VALUE; ) {
            clock.advance(Math.max(next, 0));
            int _ = a.runNow();
            int _ = b.runNow();
        }
        assertThat(ran).containsExactly("b timer@3", "b@5");
        assertThatThrownBy(() -> loop.advance(Duration.ofNanos(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("expected: a ManualClock");
    }
}
