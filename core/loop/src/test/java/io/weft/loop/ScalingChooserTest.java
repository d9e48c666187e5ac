package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/// In virtual time, with executors whose load is made up.
class ScalingChooserTest {
    private static final int MAX = 8;

    private final ManualClock clock = new ManualClock();
    private final IdentityHashMap<EventExecutor, Long> busy = new IdentityHashMap<>();
    private final List<EventExecutor> executors = new ArrayList<>();
    private final ScalingChooser chooser;

    ScalingChooserTest() {
        for (int i = 0; i < MAX; i++) {
            executors.add(new ManualExecutor(clock));
        }
        executors.forEach(e -> busy.put(e, 1_000_000L));
        chooser =
                ScalingChooser.builder(2)
                        .window(Duration.ofSeconds(1))
                        .thresholds(0.2, 0.8)
                        .patience(3)
                        .clock(clock)
                        .busyNanos(busy::get)
                        .build();
        EventExecutor _ = chooser.choose(executors);
    }

    /// Lets windows pass in which the active executors share `load` threads' worth of work.
    private void windows(int count, double load) {
        for (int i = 0; i < count; i++) {
            int active = chooser.activeExecutors();
            double share = Math.min(load / active, 1);
            for (EventExecutor executor : executors.subList(0, active)) {
                busy.merge(executor, (long) (share * 1e9), Long::sum);
            }
            clock.advance(1_000_000_000);
            EventExecutor _ = chooser.choose(executors);
        }
    }

    private Set<EventExecutor> chosen() {
        Set<EventExecutor> chosen = new HashSet<>();
        for (int i = 0; i < 2 * MAX; i++) {
            chosen.add(chooser.choose(executors));
        }
        return chosen;
    }

    @Test
    void beginsWithTheMinimumAndSharesTasksAmongThem() {
        assertThat(chosen()).containsExactlyInAnyOrderElementsOf(executors.subList(0, 2));
        windows(10, 0);
        assertThat(chooser.activeExecutors()).isEqualTo(2);
        assertThat(chooser.timesScaledDown()).isZero();
    }

    @Test
    void growsOnceItsPatienceIsOver() {
        windows(2, 2);
        assertThat(chooser.utilisation()).isEqualTo(1);
        assertThat(chooser.activeExecutors()).isEqualTo(2);
        windows(1, 2);
        assertThat(chooser.activeExecutors()).isEqualTo(4); // two threads' worth at half load
        assertThat(chooser.timesScaledUp()).isEqualTo(1);
        assertThat(chosen()).containsExactlyInAnyOrderElementsOf(executors.subList(0, 4));
    }

    @Test
    void growsToAllAndNoFurther() {
        windows(30, 100);
        assertThat(chooser.activeExecutors()).isEqualTo(MAX);
        assertThat(chosen()).hasSize(MAX);
    }

    @Test
    void shrinksByOneAtATimeToTheMinimum() {
        windows(30, 100);
        windows(3, 0.5);
        assertThat(chooser.activeExecutors()).isEqualTo(MAX - 1);
        windows(60, 0.1);
        assertThat(chooser.activeExecutors()).isEqualTo(2);
        assertThat(chooser.timesScaledDown()).isEqualTo(MAX - 2);
    }

    @Test
    void findsItsWayToALoadThatStaysAndThenRests() {
        windows(60, 2.5);
        int active = chooser.activeExecutors();
        assertThat(2.5 / active).isBetween(0.2, 0.8);
        long ups = chooser.timesScaledUp();
        windows(60, 2.5);
        assertThat(chooser.activeExecutors()).isEqualTo(active);
        assertThat(chooser.timesScaledUp()).isEqualTo(ups);
        assertThat(chooser.timesScaledDown()).isZero();
    }

    @Test
    void aPeakThatIsShorterThanItsPatienceChangesNothing() {
        for (int i = 0; i < 10; i++) {
            windows(2, 2);
            windows(1, 1);
        }
        assertThat(chooser.activeExecutors()).isEqualTo(2);
    }

    @Test
    void tasksWithAKeyStayWhereTheyAre() {
        EventExecutorGroup group = EventExecutorGroup.of(executors, chooser);
        List<EventExecutor> before = new ArrayList<>();
        for (int key = 0; key < 100; key++) {
            before.add(group.executorOf(key));
        }
        assertThat(new HashSet<>(before)).hasSize(MAX);
        windows(30, 100);
        for (int key = 0; key < 100; key++) {
            assertThat(group.executorOf(key)).isSameAs(before.get(key));
        }
    }

    @Test
    void refusesWhatCannotBe() {
        var builder = ScalingChooser.builder(1);
        assertThatThrownBy(() -> ScalingChooser.builder(0)).hasMessageContaining("minimum: 0");
        assertThatThrownBy(() -> builder.thresholds(0.5, 0.5)).hasMessageContaining("0.5, 0.5");
        assertThatThrownBy(() -> builder.patience(0)).hasMessageContaining("patience: 0");
        assertThatThrownBy(() -> builder.window(Duration.ZERO)).hasMessageContaining("PT0S");
        for (Duration wrong :
                new Duration[] {
                    Duration.ofSeconds(Long.MAX_VALUE),
                    Duration.ofSeconds(Long.MIN_VALUE),
                    Duration.ofDays(1).plusNanos(1),
                    Duration.ofMillis(10).minusNanos(1)
                }) {
            assertThatThrownBy(() -> builder.window(wrong))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        builder.window(Duration.ofDays(1)).window(Duration.ofMillis(10));
    }
}
