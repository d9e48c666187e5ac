package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TimersTest {
    private final AtomicBoolean inLoop = new AtomicBoolean(true);
    private final Timers timers = new Timers(inLoop::get);

    private Timeout add(ManualClock clock, long delay, Runnable task) {
        long deadline = Timers.deadline(clock, delay, TimeUnit.NANOSECONDS);
        Timeout timeout = new Timeout(timers, task, deadline, 0);
        timers.add(timeout);
        return timeout;
    }

    private void fireDue(ManualClock clock) {
        for (Timeout t; (t = timers.pollDue(clock.nanoTime())) != null; ) {
            t.fire(clock);
        }
    }

    private record Entry(int id, long due, Timeout timeout) {}

    @ParameterizedTest
    @ValueSource(longs = {0, Long.MAX_VALUE - 5_000, -3_000})
    void behavesLikeASortedListWhateverIsScheduledAndCancelled(long origin) {
        long seed = System.nanoTime();
        System.out.println("TimersTest seed: " + seed);
        Random random = new Random(seed);
        ManualClock clock = new ManualClock(origin);
        List<Integer> fired = new ArrayList<>();
        List<Integer> expected = new ArrayList<>();
        List<Entry> model = new ArrayList<>();
        for (int id = 0; id < 20_000; id++) {
            int me = id;
            int delay = random.nextInt(200) - 10;
            Timeout timeout = add(clock, delay, () -> fired.add(me));
            model.add(new Entry(me, clock.nanoTime() - origin + Math.max(delay, 0), timeout));
            if (random.nextInt(3) == 0) {
                Entry victim = model.remove(random.nextInt(model.size()));
                inLoop.set(random.nextBoolean());
                assertThat(victim.timeout.cancel()).isTrue();
                assertThat(victim.timeout.cancel()).isFalse();
                inLoop.set(true);
            }
            if (random.nextInt(4) == 0) {
                clock.advance(random.nextInt(20));
                fireDue(clock);
                long now = clock.nanoTime() - origin;
                List<Entry> due = new ArrayList<>(model);
                due.removeIf(e -> e.due > now);
                due.sort(Comparator.comparingLong(Entry::due)); // stable: ties stay in order
                due.forEach(e -> expected.add(e.id));
                model.removeAll(due);
                assertThat(due).allMatch(e -> e.timeout.isExpired());
            }
        }
        assertThat(fired).describedAs("seed %d", seed).isEqualTo(expected);
    }

    @Test
    void equalDeadlinesFireInTheOrderOfInsertion() {
        ManualClock clock = new ManualClock();
        List<Integer> fired = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            int me = i;
            add(clock, 5, () -> fired.add(me));
        }
        clock.advance(5);
        fireDue(clock);
        assertThat(fired).isSorted().hasSize(1000);
    }

    @Test
    void cancelInTheLoopRemovesAtOnce() {
        ManualClock clock = new ManualClock();
        List<Timeout> timeouts = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            timeouts.add(add(clock, i * 37 % 100, () -> {}));
        }
        for (int left = 99; left >= 0; left--) {
            timeouts.remove(left / 2).cancel();
            assertThat(timers.size()).isEqualTo(left);
        }
        assertThat(timers.untilFirst(clock)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void cancelledByAnotherThreadTheyDoNotPileUp() {
        ManualClock clock = new ManualClock();
        Timeout kept = add(clock, 1_000_000, () -> {});
        inLoop.set(false);
        int most = 0;
        for (int i = 0; i < 100_000; i++) {
            add(clock, 2_000_000, () -> {}).cancel();
            most = Math.max(most, timers.size());
        }
        assertThat(most).isLessThan(200);
        assertThat(timers.untilFirst(clock)).isEqualTo(1_000_000);
        assertThat(kept.isCancelled()).isFalse();
    }

    @Test
    void aLongDelayStaysComparable() {
        ManualClock clock = new ManualClock(Long.MAX_VALUE - 10);
        Timeout late = add(clock, Long.MAX_VALUE, () -> {});
        Timeout soon = add(clock, 20, () -> {});
        assertThat(timers.untilFirst(clock)).isEqualTo(20);
        assertThat(late.deadlineNanos() - soon.deadlineNanos()).isPositive();
    }

    @Test
    void aThrowingTaskDoesNotReachTheLoop() {
        ManualClock clock = new ManualClock();
        Timeout timeout =
                add(
                        clock,
                        0,
                        () -> {
                            throw new AssertionError("expected in the log");
                        });
        fireDue(clock);
        assertThat(timeout.isExpired()).isTrue();
        assertThat(timeout.cancel()).isFalse();
        assertThat(timeout.isCancelled()).isFalse();
    }

    @Test
    void closingCancelsWhatIsLeftAndTakesNoMore() {
        ManualClock clock = new ManualClock();
        Timeout marked = add(clock, 2, () -> {});
        Timeout left = add(clock, 1, () -> {});
        inLoop.set(false);
        marked.cancel();
        inLoop.set(true);
        timers.close();
        assertThat(left.isCancelled()).isTrue();
        assertThat(timers.size()).isZero();
        assertThatThrownBy(() -> add(clock, 1, () -> {}))
                .isInstanceOf(RejectedExecutionException.class);
    }
}
