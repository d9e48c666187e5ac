package io.weft.loop;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ManualExecutorTest {
    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - 7);
    private final ManualExecutor executor = new ManualExecutor(clock);
    private final List<String> ran = new ArrayList<>();
    private final long start = executor.clock().nanoTime();

    private void note(String what) {
        ran.add(what + "@" + (executor.clock().nanoTime() - start));
    }

    @Test
    void nothingRunsUntilDriven() {
        executor.execute(() -> note("a"));
        executor.execute(() -> executor.execute(() -> note("b")));
        assertThat(ran).isEmpty();
        assertThat(executor.pendingTasks()).isEqualTo(2);
        assertThat(executor.runPending()).isEqualTo(3);
        assertThat(ran).containsExactly("a@0", "b@0");
        assertThat(executor.runPending()).isZero();
    }

    @Test
    void timersRunInOrderEachAtItsTime() {
        executor.schedule(() -> note("late"), 20, NANOSECONDS);
        executor.schedule(() -> note("early"), 10, NANOSECONDS);
        executor.schedule(() -> note("early too"), Duration.ofNanos(10));
        executor.schedule(
                () -> executor.schedule(() -> note("nested"), 3, NANOSECONDS), 12, NANOSECONDS);
        executor.advance(Duration.ofNanos(9));
        assertThat(ran).isEmpty();
        executor.advance(Duration.ofNanos(100));
        assertThat(ran).containsExactly("early@10", "early too@10", "nested@15", "late@20");
        assertThat(executor.clock().nanoTime() - start).isEqualTo(109);
    }

    @Test
    void aTimerIsNeverEarly() {
        Timeout timeout = executor.schedule(() -> note("x"), 10, NANOSECONDS);
        executor.advance(Duration.ofNanos(9));
        assertThat(timeout.isExpired()).isFalse();
        executor.advance(Duration.ofNanos(1));
        assertThat(timeout.isExpired()).isTrue();
        assertThat(timeout.deadlineNanos() - start).isEqualTo(10);
    }

    @Test
    void fixedRateCountsFromDeadlineFixedDelayFromTheEnd() {
        Timeout rate =
                executor.scheduleAtFixedRate(
                        () -> {
                            note("rate");
                            clock.advance(3);
                        },
                        5,
                        10,
                        NANOSECONDS);
        executor.advance(Duration.ofNanos(26));
        assertThat(ran).containsExactly("rate@5", "rate@15", "rate@25");
        assertThat(rate.cancel()).isTrue();
        assertThat(rate.isCancelled()).isTrue();
        ran.clear();
        executor.scheduleWithFixedDelay(
                () -> {
                    note("delay");
                    clock.advance(3);
                },
                2,
                10,
                NANOSECONDS);
        executor.advance(Duration.ofNanos(30));
        assertThat(ran).containsExactly("delay@30", "delay@43", "delay@56");
    }

    @Test
    void ofTheRunsThatARateHasMissedOneIsMadeUpFor() {
        executor.scheduleAtFixedRate(() -> note("tick"), 1, 1, SECONDS);
        long hour = Duration.ofHours(1).toNanos();
        clock.advance(hour);
        executor.runPending();
        assertThat(ran).containsExactly("tick@" + hour, "tick@" + hour);
        ran.clear();
        executor.advance(Duration.ofSeconds(2));
        long second = SECONDS.toNanos(1);
        assertThat(ran).containsExactly("tick@" + (hour + second), "tick@" + (hour + 2 * second));
    }

    @Test
    void aPeriodicTaskMayCancelItselfAndSurvivesWhatItThrows() {
        Timeout[] self = new Timeout[1];
        self[0] =
                executor.scheduleAtFixedRate(
                        () -> {
                            note("tick");
                            if (ran.size() == 3) {
                                self[0].cancel();
                            }
                            throw new IllegalStateException("expected in the log");
                        },
                        1,
                        1,
                        SECONDS);
        executor.advance(Duration.ofDays(1));
        assertThat(ran).hasSize(3);
    }

    @Test
    void aPeriodThatIsNoneIsRefused() {
        assertThatThrownBy(() -> executor.scheduleAtFixedRate(() -> {}, 0, 0, SECONDS))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("period: 0 (expected: > 0)");
        assertThatThrownBy(() -> executor.scheduleWithFixedDelay(() -> {}, 0, -1, SECONDS))
                .hasMessage("delay: -1 (expected: > 0)");
    }

    @Test
    void aHundredYearsPassInNoTime() {
        int[] days = {0};
        executor.scheduleAtFixedRate(() -> days[0]++, 1, 1, DAYS);
        Timeout atTheEnd = executor.schedule(() -> note("end"), 36_525, DAYS);
        executor.advance(Duration.ofDays(36_525));
        assertThat(days[0]).isEqualTo(36_525);
        assertThat(atTheEnd.isExpired()).isTrue();
        assertThat(ran).containsExactly("end@" + DAYS.toNanos(36_525));
    }

    @Test
    void submitYieldsWhatTheTaskReturnsOrThrows() {
        Future<String> value = executor.submit(() -> "x");
        Exception cause = new Exception("y");
        Future<String> failed =
                executor.submit(
                        () -> {
                            throw cause;
                        });
        Future<String> cancelled = executor.submit(() -> "never");
        assertThat(cancelled.cancel()).isTrue();
        executor.runPending();
        assertThat(value.now()).isEqualTo("x");
        assertThat(failed.cause()).isSameAs(cause);
        assertThat(cancelled.isCancelled()).isTrue();
    }

    @Test
    void aFullQueueIsRefusedWithItsLimit() {
        for (int i = 0; i < 65_536; i++) {
            executor.execute(() -> {});
        }
        assertThatThrownBy(() -> executor.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("65536 tasks (expected: < 65536)");
    }

    @Test
    void completionsAreTakenByAFullQueueAndKeepTheirPlace() {
        executor.execute(
                () -> {
                    note("first");
                    executor.execute(() -> note("later"));
                });
        for (int i = 1; i < 65_536; i++) {
            executor.execute(() -> note("task"));
        }
        executor.executeUnbounded(() -> note("completion"));
        assertThat(executor.pendingTasks()).isEqualTo(65_537);
        executor.runPending();
        assertThat(ran).hasSize(65_538).startsWith("first@0").endsWith("completion@0", "later@0");
    }

    @Test
    void whoeverDrivesIsInTheLoop() throws InterruptedException {
        assertThat(executor.inLoop()).isTrue();
        AtomicReference<Boolean> before = new AtomicReference<>();
        AtomicReference<Boolean> within = new AtomicReference<>();
        Thread.ofPlatform()
                .start(
                        () -> {
                            before.set(executor.inLoop());
                            executor.execute(() -> within.set(executor.inLoop()));
                            executor.runPending();
                        })
                .join();
        assertThat(before).hasValue(false);
        assertThat(within).hasValue(true);
        assertThat(executor.inLoop()).isTrue();
    }

    @Test
    void shutdownRunsWhatWasAcceptedThenRefuses() {
        executor.execute(() -> executor.execute(() -> note("nested")));
        Timeout timer = executor.schedule(() -> note("never"), 1, SECONDS);
        Future<Void> end = executor.shutdownGracefully();
        executor.execute(() -> note("after the call"));
        assertThat(executor.isShuttingDown()).isTrue();
        assertThat(executor.isTerminated()).isFalse();
        executor.runPending();
        assertThat(ran).containsExactly("after the call@0", "nested@0");
        assertThat(end.isSuccess()).isTrue();
        assertThat(timer.isCancelled()).isTrue();
        assertThatThrownBy(() -> executor.execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("shut down (expected: running)");
        assertThatThrownBy(() -> executor.schedule(() -> {}, 1, SECONDS))
                .isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void timersThatAreDueRunBeforeTheEnd() {
        executor.execute(
                () -> {
                    executor.schedule(() -> executor.execute(() -> note("posted")), -1, SECONDS);
                    executor.schedule(() -> note("timer"), 0, SECONDS);
                    executor.shutdownGracefully();
                });
        executor.runPending();
        assertThat(ran).containsExactly("timer@0", "posted@0");
        assertThat(executor.isTerminated()).isTrue();
    }

    @Test
    void soDoMoreThanOneRoundWouldRun() {
        AtomicInteger fired = new AtomicInteger();
        for (int i = 0; i < 10_000; i++) {
            executor.schedule(fired::incrementAndGet, 0, SECONDS);
        }
        executor.shutdownGracefully(Duration.ZERO, Duration.ZERO);
        executor.runPending();
        assertThat(fired).hasValue(10_000);
    }

    @Test
    void aRateThatIsNeverCaughtUpWithDoesNotKeepItFromEnding() {
        executor.scheduleAtFixedRate(() -> clock.advance(2_000_000), 1, 1, MILLISECONDS);
        clock.advance(1_000_000);
        executor.shutdownGracefully();
        executor.runPending();
        assertThat(executor.isTerminated()).isTrue();
    }

    @Test
    void completionsWithoutEndAreRefusedInTheEnd() {
        AtomicInteger runs = new AtomicInteger();
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        executor.execute(
                new Runnable() {
                    @Override
                    public void run() {
                        runs.incrementAndGet();
                        try {
                            executor.executeUnbounded(this);
                        } catch (RejectedExecutionException e) {
                            refusal.set(e);
                        }
                    }
                });
        executor.shutdownGracefully(Duration.ZERO, Duration.ZERO);
        executor.runPending();
        assertThat(executor.isTerminated()).isTrue();
        assertThat(refusal.get()).hasMessageContaining("shut down (expected: running)");
        assertThat(runs).hasValueGreaterThan(1_000_000);
    }

    @Test
    @SuppressWarnings("NullAway") // the subject
    void noTaskIsNull() {
        assertThatThrownBy(() -> executor.execute(null)).isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.executeUnbounded(null))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> executor.submit(null)).hasMessage("task");
        assertThatThrownBy(() -> executor.schedule(null, 1, SECONDS)).hasMessage("task");
        assertThatThrownBy(() -> executor.scheduleCoarse(null, 1, SECONDS)).hasMessage("task");
        assertThatThrownBy(() -> executor.scheduleAtFixedRate(null, 1, 1, SECONDS))
                .hasMessage("task");
        assertThatThrownBy(() -> executor.scheduleWithFixedDelay(null, 1, 1, SECONDS))
                .hasMessage("task");
        assertThat(executor.untilNext()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void theQuietPeriodBeginsAnewWithEachTask() {
        executor.execute(() -> note("before"));
        executor.runPending();
        executor.shutdownGracefully(Duration.ofMillis(10), Duration.ofSeconds(1));
        executor.advance(Duration.ofMillis(6));
        executor.execute(() -> note("task"));
        executor.advance(Duration.ofMillis(6));
        assertThat(executor.isTerminated()).isFalse();
        executor.advance(Duration.ofMillis(4));
        assertThat(executor.isTerminated()).isTrue();
    }

    @Test
    void oneThatHasBeenQuietForLongEnoughEndsAtOnce() {
        executor.execute(() -> note("task"));
        executor.advance(Duration.ofSeconds(10));
        executor.shutdownGracefully(Duration.ofSeconds(10), Duration.ofSeconds(20));
        executor.runPending();
        assertThat(executor.isTerminated()).isTrue();
    }

    @Test
    void soDoesOneThatNeverRanAnything() {
        executor.shutdownGracefully(Duration.ofSeconds(10), Duration.ofSeconds(20));
        executor.runPending();
        assertThat(executor.isTerminated()).isTrue();
    }

    @Test
    void whatWasQuietBeforeTheCallIsTakenOffThePeriod() {
        executor.execute(() -> note("task"));
        executor.advance(Duration.ofSeconds(4));
        executor.shutdownGracefully(Duration.ofSeconds(10), Duration.ofSeconds(20));
        executor.advance(Duration.ofMillis(5999));
        assertThat(executor.isTerminated()).isFalse();
        executor.advance(Duration.ofMillis(1));
        assertThat(executor.isTerminated()).isTrue();
    }

    @Test
    void theTimeoutEndsAnExecutorThatIsNeverQuiet() {
        executor.scheduleAtFixedRate(() -> {}, 1, 1, MILLISECONDS);
        executor.advance(Duration.ofMillis(1));
        executor.shutdownGracefully(Duration.ofMillis(10), Duration.ofMillis(100));
        executor.advance(Duration.ofMillis(99));
        assertThat(executor.isTerminated()).isFalse();
        executor.advance(Duration.ofMillis(2));
        assertThat(executor.isTerminated()).isTrue();
    }

    @Test
    void aNegativeQuietPeriodIsRefused() {
        assertThatThrownBy(() -> executor.shutdownGracefully(Duration.ofNanos(-1), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("quietPeriod: PT-0.000000001S (expected: >= 0)");
    }

    @Test
    void executorsThatTakeTurnsAreStrangersToEachOther() {
        ManualClock clock = new ManualClock();
        ManualExecutor one = ManualExecutor.stepped(clock, NoDriver.INSTANCE);
        ManualExecutor other = ManualExecutor.stepped(clock, NoDriver.INSTANCE);
        List<Boolean> inLoop = new ArrayList<>();
        one.execute(
                () -> {
                    inLoop.add(one.inLoop());
                    inLoop.add(other.inLoop());
                    other.execute(() -> inLoop.add(other.inLoop()));
                });
        assertThat(one.inLoop()).isFalse();
        assertThat(one.untilNext()).isZero();
        assertThat(other.untilNext()).isEqualTo(Long.MAX_VALUE);
        assertThat(one.runNow()).isEqualTo(1);
        assertThat(other.untilNext()).isZero();
        assertThat(other.runNow()).isEqualTo(1);
        assertThat(inLoop).containsExactly(true, false, true);
    }

    @Test
    void threadThatTakesTurnsWaitsForNoneOfThem() throws Exception {
        ManualExecutor one = ManualExecutor.stepped(new ManualClock(), NoDriver.INSTANCE);
        Promise<String> promise = one.newPromise();
        List<ThrowingCallable> waits =
                List.of(
                        promise::join,
                        () -> promise.await(1, NANOSECONDS),
                        () -> promise.toCompletionStage().toCompletableFuture().join());
        for (ThrowingCallable wait : waits) {
            assertThatThrownBy(wait)
                    .isInstanceOf(BlockingOperationException.class)
                    .hasMessageContaining("use Simulation.await");
        }
        assertThat(CompletableFuture.supplyAsync(() -> one.isDriver() || one.inLoop()).get())
                .isFalse();
        promise.trySuccess("done");
        int _ = one.runPending();
        assertThat(promise.join()).isEqualTo("done");
    }

    /// Tells the driver's calls.
    private static final class Told implements LoopDriver {
        final List<@Nullable Thread> entered = new ArrayList<>();

        @Override
        public void entered(@Nullable Thread thread) {
            entered.add(thread);
        }

        @Override
        public void poll(long timeoutNanos) {}

        @Override
        public void wakeup() {}

        @Override
        public void close() {}
    }

    @Test
    void driverIsToldWhichThreadIsInTheLoop() throws InterruptedException {
        Told told = new Told();
        ManualExecutor driven = new ManualExecutor(new ManualClock(), told);
        Thread creator = Thread.currentThread();
        driven.runNow();
        assertThat(told.entered).containsExactly(creator);
        Thread other = new Thread(driven::runNow);
        other.start();
        other.join();
        assertThat(told.entered).containsExactly(creator, other, creator);
        Told turns = new Told();
        ManualExecutor.stepped(new ManualClock(), turns).runNow();
        assertThat(turns.entered).containsExactly(creator, null);
    }
}
