package io.weft.bench.transport.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Two connections and a request every 100 ns, the first at 1,000.
class PaceTest {
    private static final long START = 1_000;

    private final Pace pace = new Pace(2, 1e7, START);

    private List<Integer> due(long now) {
        List<Integer> due = new ArrayList<>();
        for (int next; (next = pace.next(now)) >= 0; ) {
            due.add(next);
        }
        return due;
    }

    @Test
    void requestsAreDueOnConnectionsInTurn() {
        assertThat(due(999)).isEmpty();
        assertThat(due(1_000)).containsExactly(0);
        assertThat(due(1_099)).isEmpty();
        assertThat(due(1_100)).containsExactly(1);
        assertThat(pace.elapsed(0, 1_150)).isEqualTo(150);
        assertThat(pace.answered(0)).isFalse();
        assertThat(due(1_200)).containsExactly(0);
    }

    @Test
    void theTimeOfARequestThatHadToWaitCountsFromWhenItWasDue() {
        assertThat(due(1_500)).containsExactly(0, 1); // of 0 to 5; 2 and 4 wait behind 0
        assertThat(pace.elapsed(0, 1_500)).isEqualTo(500);
        assertThat(pace.answered(0)).isTrue();
        assertThat(pace.elapsed(0, 1_550)).isEqualTo(350);
        assertThat(pace.answered(0)).isTrue();
        assertThat(pace.elapsed(0, 1_550)).isEqualTo(150);
        assertThat(pace.answered(0)).isFalse();
    }

    @Test
    void requestsThatWereNeverSentCount() {
        assertThat(due(1_500)).containsExactly(0, 1);
        Latencies latencies = new Latencies(1);
        pace.giveUp(2_000, latencies);
        assertThat(latencies.count()).isEqualTo(4);
        assertThat(latencies.micros(1)).isEqualTo(0.5);
        assertThat(latencies.micros(100)).isEqualTo(0.8);
    }

    @Test
    void aPercentileIsTheLeastThatSoManyDoNotExceed() {
        Latencies latencies = new Latencies(1);
        for (int i = 1_000; i > 0; i--) {
            latencies.add(i * 1_000L);
        }
        assertThat(latencies.micros(50)).isEqualTo(500);
        assertThat(latencies.micros(99)).isEqualTo(990);
        assertThat(latencies.micros(99.9)).isEqualTo(999);
    }
}
