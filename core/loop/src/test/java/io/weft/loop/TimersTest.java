package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimersTest {
    private final AtomicBoolean inLoop = new AtomicBoolean(true);
    private ManualClock clock = new ManualClock();
    private Timers timers = new Timers(clock, inLoop::get);

    private void beginAt(long origin) {
        clock = new ManualClock(origin);
        timers = new Timers(clock, inLoop::get);
    }

    private Timeout add(long delay, Runnable task) {
        Timeout timeout = timers.timeout(task, delay, 0, TimeUnit.NANOSECONDS);
        timers.add(timeout);
        return timeout;
    }

    private void fireDue() {
        for (Timeout t; (t = timers.pollDue(clock.nanoTime())) != null; ) {
            t.fire();
        }
    }

    private record Entry(int id, long due, Timeout timeout) {}

    /// @param bits how long delays are at most: one slot of the wheel, several digits of it, years
    @ParameterizedTest
    @CsvSource({
        "0, 8",
        "0, 24",
        "0, 40",
        "0, 61",
        "9223372036854770000, 8",
        "9223372036854770000, 24",
        "9223372036854770000, 61",
        "-3000, 8",
        "-3000, 40"
    })
    void behavesLikeASortedListWhateverIsScheduledRearmedAndCancelled(long origin, int bits) {
        long seed = Long.getLong("io.weft.test.seed", 1);
        System.out.println("TimersTest seed: " + seed);
        Random random = new Random(seed);
        beginAt(origin);
        List<Integer> fired = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        List<Entry> model = new ArrayList<>(); // ties in the order of (re)scheduling
        for (int id = 0; id < 10_000; id++) {
            int me = id;
            long delay = delay(random, bits) - 10;
            Timeout timeout = add(delay, () -> fired.add(me));
            model.add(new Entry(me, clock.nanoTime() - origin + Math.max(delay, 0), timeout));
            if (random.nextInt(3) == 0) {
                Entry victim = model.remove(random.nextInt(model.size()));
                inLoop.set(random.nextBoolean());
                assertThat(victim.timeout.cancel()).isTrue();
                assertThat(victim.timeout.cancel()).isFalse();
                inLoop.set(true);
                assertThat(victim.timeout.rearm(1, TimeUnit.SECONDS)).isFalse();
            }
            if (random.nextInt(3) == 0 && !model.isEmpty()) {
                Entry moved = model.remove(random.nextInt(model.size()));
                long later = delay(random, bits);
                assertThat(moved.timeout.rearm(later, TimeUnit.NANOSECONDS)).isTrue();
                model.add(new Entry(moved.id, clock.nanoTime() - origin + later, moved.timeout));
            }
            if (random.nextInt(4) == 0) {
                clock.advance(delay(random, bits) >> 4);
                fireDue();
                long now = clock.nanoTime() - origin;
                List<Entry> due = new ArrayList<>(model);
                due.removeIf(e -> e.due > now);
                due.sort(Comparator.comparingLong(Entry::due)); // stable: ties stay in order
                due.forEach(e -> expected.add(e.id));
                model.removeAll(due);
                assertThat(due).allMatch(e -> e.timeout.isExpired());
                long wait = model.stream().mapToLong(e -> e.due - now).min().orElse(Long.MAX_VALUE);
                assertThat(timers.untilFirst()).isPositive().isLessThanOrEqualTo(wait);
            }
            if (clock.nanoTime() - origin > 1L << 61) {
                origin = restart(random);
                model.clear();
            }
        }
        assertThat(fired).describedAs("seed %d", seed).isEqualTo(expected);
    }

    /// Of any magnitude below 2^bits.
    private static long delay(Random random, int bits) {
        return random.nextLong() >>> (64 - 1 - random.nextInt(bits));
    }

    private long restart(Random random) {
        timers.close();
        beginAt(random.nextLong());
        return clock.nanoTime();
    }

    @Test
    void aCenturyOfTimersGoesByInOrder() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        System.out.println("TimersTest seed: " + seed);
        Random random = new Random(seed);
        beginAt(Long.MAX_VALUE - TimeUnit.DAYS.toNanos(365 * 50)); // nanoTime wraps half-way
        long start = clock.nanoTime();
        long[] last = {start};
        int[] fired = {0};
        int scheduled = 0;
        Timeout idle = add(TimeUnit.DAYS.toNanos(365 * 120), () -> {});
        while (clock.nanoTime() - start < TimeUnit.DAYS.toNanos(365 * 100)) {
            for (int i = 0; i < 10; i++, scheduled++) {
                long delay = delay(random, 56);
                long due = clock.nanoTime() + delay;
                add(
                        delay,
                        () -> {
                            assertThat(due - last[0]).isNotNegative();
                            last[0] = due;
                            fired[0]++;
                        });
            }
            clock.advance(random.nextLong(TimeUnit.DAYS.toNanos(20)));
            fireDue();
        }
        clock.advance(1L << 56);
        fireDue();
        assertThat(fired[0]).describedAs("seed %d", seed).isPositive().isEqualTo(scheduled);
        assertThat(idle.isExpired()).isFalse();
        clock.advance(TimeUnit.DAYS.toNanos(365 * 20));
        fireDue();
        assertThat(idle.isExpired()).isTrue();
        assertThat(timers.size()).isZero();
    }

    @Test
    void aClockThatJumpsFiresInOrderWhatHasBecomeDue() {
        List<Integer> fired = new ArrayList<>();
        int[] days = {300, 1, 40, 2, 39, 7, 365};
        for (int day : days) {
            add(TimeUnit.DAYS.toNanos(day), () -> fired.add(day));
        }
        clock.advance(TimeUnit.DAYS.toNanos(10_000));
        add(0, () -> fired.add(10_000));
        fireDue();
        assertThat(fired).containsExactly(1, 2, 7, 39, 40, 300, 365, 10_000);
    }

    @Test
    void aTimeoutThatWaitsForTwoCenturiesWhileOthersComeAndGo() {
        List<Integer> fired = new ArrayList<>();
        Timeout first = add(Timers.MAX_DELAY, () -> fired.add(1));
        for (int decade = 0; decade < 20; decade++) {
            clock.advance(TimeUnit.DAYS.toNanos(3650));
            if (decade < 13) {
                assertThat(first.rearm(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
            }
            add(Timers.MAX_DELAY, () -> fired.add(2)).cancel();
            add(5, () -> fired.add(3));
            clock.advance(5);
            fireDue();
        }
        assertThat(fired).hasSize(20).containsOnly(3);
        clock.advance(Timers.MAX_DELAY);
        fireDue();
        assertThat(fired).hasSize(21).endsWith(1);
    }

    @Test
    void puttingOffAMillionTimesDoesNotTouchTheWheel() {
        List<Timeout> timeouts = new ArrayList<>();
        int[] fired = {0};
        for (int i = 0; i < 1000; i++) {
            timeouts.add(add(1_000_000_000L + i, () -> fired[0]++));
        }
        for (int round = 0; round < 1000; round++) {
            clock.advance(900_000_000);
            fireDue();
            timeouts.forEach(t -> t.rearm(1_000_000_000, TimeUnit.NANOSECONDS));
        }
        assertThat(fired[0]).isZero();
        clock.advance(999_999_999);
        fireDue();
        assertThat(fired[0]).isZero();
        clock.advance(1);
        fireDue();
        assertThat(fired[0]).isEqualTo(1000);
        assertThat(timeouts.getFirst().rearm(1, TimeUnit.DAYS)).isFalse();
        assertThat(timers.size()).isZero();
    }

    @Test
    void rearmedBeforeItGetsToTheLoopItIsArmedOnce() {
        int[] fired = {0};
        Timeout timeout = timers.timeout(() -> fired[0]++, 10, 0, TimeUnit.NANOSECONDS);
        assertThat(timeout.rearm(20, TimeUnit.NANOSECONDS)).isTrue();
        timers.add(timeout);
        assertThat(timers.size()).isEqualTo(1);
        clock.advance(19);
        fireDue();
        assertThat(fired[0]).isZero();
        clock.advance(1);
        fireDue();
        assertThat(fired[0]).isEqualTo(1);
        inLoop.set(false);
        assertThatThrownBy(() -> timeout.rearm(1, TimeUnit.DAYS))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("expected: the timeout's executor");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 5_000, -3_000_000_000L})
    void coarseTimeoutsAreLateByASixteenthAtMostAndShareFewDeadlines(long origin) {
        beginAt(origin);
        Set<Long> deadlines = new HashSet<>();
        for (int i = 0; i < 10_000; i++) {
            Timeout timeout = timers.coarse(() -> {}, 60, TimeUnit.SECONDS);
            timers.add(timeout);
            long late = timeout.deadlineNanos() - clock.nanoTime() - TimeUnit.SECONDS.toNanos(60);
            assertThat(late).isBetween(0L, TimeUnit.SECONDS.toNanos(60) / 16);
            deadlines.add(timeout.deadlineNanos());
            clock.advance(1_000_000);
        }
        assertThat(deadlines).hasSizeLessThanOrEqualTo(10);
        Timeout soon = timers.coarse(() -> {}, 1, TimeUnit.NANOSECONDS);
        assertThat(soon.deadlineNanos() - clock.nanoTime()).isBetween(1L, 1L << 20);
    }

    @Test
    void equalDeadlinesFireInTheOrderOfInsertion() {
        List<Integer> fired = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            int me = i;
            add(5, () -> fired.add(me));
        }
        clock.advance(5);
        fireDue();
        assertThat(fired).isSorted().hasSize(1000);
    }

    @Test
    void cancelInTheLoopRemovesAtOnce() {
        List<Timeout> timeouts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            timeouts.add(add(i * 37 % 100, () -> {}));
        }
        for (int left = 99; left >= 0; left--) {
            timeouts.remove(left / 2).cancel();
            assertThat(timers.size()).isEqualTo(left);
        }
        assertThat(timers.untilFirst()).isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void cancelledTimeoutsAreLetGo(boolean byTheLoop) {
        List<WeakReference<Timeout>> gone = new ArrayList<>();
        Timeout kept = add(TimeUnit.DAYS.toNanos(1), () -> {});
        inLoop.set(byTheLoop);
        for (int i = 0; i < 100_000; i++) {
            Timeout timeout = add(TimeUnit.DAYS.toNanos(i % 1000), () -> {});
            timeout.cancel();
            gone.add(new WeakReference<>(timeout));
        }
        assertLetGo(gone, 1000);
        assertThat(kept.isCancelled()).isFalse();
    }

    /// All but a few. One collection may leave some that the next takes.
    private static void assertLetGo(List<WeakReference<Timeout>> gone, int few) {
        for (int i = 0; i < 100 && left(gone) >= few; i++) {
            System.gc();
        }
        assertThat(left(gone)).isLessThan(few);
    }

    private static long left(List<WeakReference<Timeout>> gone) {
        return gone.stream().filter(r -> r.get() != null).count();
    }

    /// A cancelled timer stays in its list until the loop next looks at its timers and few are
    /// left.
    @Test
    void cancelledInAnyOrderTheyAreLetGo() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        System.out.println("TimersTest seed: " + seed);
        List<Timeout> timeouts = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            timeouts.add(add(TimeUnit.DAYS.toNanos(1) + i, () -> {}));
        }
        Collections.shuffle(timeouts, new Random(seed));
        List<WeakReference<Timeout>> gone = new ArrayList<>();
        while (timeouts.size() > 10) {
            Timeout timeout = timeouts.removeLast();
            timeout.cancel();
            gone.add(new WeakReference<>(timeout));
        }
        assertThat(timers.size()).isEqualTo(10);
        assertThat(timers.untilFirst()).isLessThan(TimeUnit.DAYS.toNanos(2));
        assertLetGo(gone, 100);
        clock.advance(TimeUnit.DAYS.toNanos(2));
        fireDue();
        assertThat(timeouts).allMatch(Timeout::isExpired);
    }

    @Test
    void cancelledByAnotherThreadTheyDoNotPileUp() {
        Timeout kept = add(1_000_000, () -> {});
        inLoop.set(false);
        int most = 0;
        for (int i = 0; i < 100_000; i++) {
            add(2_000_000, () -> {}).cancel();
            most = Math.max(most, timers.size());
        }
        assertThat(most).isLessThan(200);
        assertThat(timers.untilFirst()).isEqualTo(1_000_000);
        assertThat(kept.isCancelled()).isFalse();
    }

    @Test
    void aLongDelayStaysComparable() {
        beginAt(Long.MAX_VALUE - 10);
        Timeout late = add(Long.MAX_VALUE, () -> {});
        Timeout soon = add(20, () -> {});
        assertThat(timers.untilFirst()).isEqualTo(20);
        assertThat(late.deadlineNanos() - soon.deadlineNanos()).isPositive();
    }

    @Test
    void aThrowingTaskDoesNotReachTheLoop() {
        Timeout timeout =
                add(
                        0,
                        () -> {
                            throw new AssertionError("expected in the log");
                        });
        fireDue();
        assertThat(timeout.isExpired()).isTrue();
        assertThat(timeout.cancel()).isFalse();
        assertThat(timeout.isCancelled()).isFalse();
    }

    @Test
    void closingCancelsWhatIsLeftAndTakesNoMore() {
        Timeout marked = add(2, () -> {});
        Timeout left = add(1, () -> {});
        inLoop.set(false);
        marked.cancel();
        inLoop.set(true);
        timers.close();
        assertThat(left.isCancelled()).isTrue();
        assertThat(timers.size()).isZero();
        assertThatThrownBy(() -> add(1, () -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    /// Deadlines as far as there are need no new beginning of the wheel, in which every timeout is
    /// looked at: that would ask the clock for the time.
    @Test
    void theLongestDelaysCostNoMoreThanOthers() {
        AtomicLong asked = new AtomicLong();
        Timers timers = new Timers(asked::incrementAndGet, () -> true);
        for (int i = 0; i < 100_000; i++) {
            Timeout timeout =
                    i % 2 == 0
                            ? timers.timeout(() -> {}, Long.MAX_VALUE, 0, TimeUnit.DAYS)
                            : timers.coarse(() -> {}, Long.MAX_VALUE, TimeUnit.NANOSECONDS);
            timers.add(timeout);
        }
        assertThat(asked).hasValue(100_001); // one for the beginning
        assertThat(timers.size()).isEqualTo(100_000);
    }

    @Test
    void closingRunsWhatIsDueOnceInOrder() {
        List<String> ran = new ArrayList<>();
        Timeout rate = timers.timeout(() -> ran.add("rate"), 1, 1, TimeUnit.NANOSECONDS);
        timers.add(rate);
        Timeout next = add(100, () -> ran.add("not due"));
        add(
                2,
                () -> {
                    ran.add("once");
                    assertThat(next.rearm(0, TimeUnit.NANOSECONDS)).isFalse();
                    assertThatThrownBy(() -> add(0, () -> {}))
                            .isInstanceOf(RejectedExecutionException.class);
                });
        clock.advance(10);
        timers.close();
        assertThat(ran).containsExactly("rate", "once");
        assertThat(rate.isCancelled()).isTrue();
        assertThat(next.isCancelled()).isTrue();
        assertThat(timers.size()).isZero();
    }
}
