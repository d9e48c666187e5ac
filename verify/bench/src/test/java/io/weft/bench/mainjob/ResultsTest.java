package io.weft.bench.mainjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.bench.report.Entry;
import io.weft.bench.report.Json;
import io.weft.bench.report.Spread;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private static final Side WEFT = new Side("weft", Side.Role.WEFT, List.of());
    private static final Side SLOW = new Side("slow", Side.Role.PEER, List.of());
    private static final Side FAST = new Side("fast", Side.Role.PEER, List.of());

    private final Results results = new Results();

    ResultsTest() {
        for (double noise : List.of(1.0, 0.5, 2.0)) {
            add(SLOW, 100 * noise, 400);
            add(FAST, 150 * noise, 300);
            add(WEFT, 300 * noise, 200);
        }
    }

    private void add(Side side, double requestsPerSecond, double p99) {
        results.add(Load.PLAIN, side, new Sample(requestsPerSecond, p99, 1, 1, 0));
    }

    @Test
    void ratiosPairTheSamplesOfARoundSoThatSharedNoiseCancels() {
        assertThat(results.ratio(Load.PLAIN, Metric.THROUGHPUT, WEFT, FAST))
                .isEqualTo(new Spread(2, 2, 2));
    }

    @Test
    void theBestIsTheHighestThroughputOrTheLowestLatencyOfItsRole() {
        assertThat(results.best(Load.PLAIN, Metric.THROUGHPUT, Side.Role.PEER)).contains(FAST);
        assertThat(results.best(Load.PLAIN, Metric.P99, Side.Role.PEER)).contains(FAST);
        assertThat(results.best(Load.PLAIN, Metric.P99, Side.Role.LIMIT)).isEmpty();
    }

    @Test
    void aRatioAboveOneMeansBetterForLowerIsBetterToo() {
        assertThat(results.ratio(Load.PLAIN, Metric.P99, WEFT, FAST).median()).isEqualTo(1.5);
    }

    @Test
    void nothingAllocatedIsAFiniteRatioBetter() {
        results.add(Load.PLAIN, WEFT, new Cost(1, 0));
        results.add(Load.PLAIN, FAST, new Cost(1, 1000));
        assertThat(results.ratio(Load.PLAIN, Metric.ALLOCATED, WEFT, FAST).median())
                .isEqualTo(100_000);
    }

    @Test
    void theReportHoldsEverySideAndTheRatioOfTheBest() {
        List<Entry> entries =
                Entries.of(
                        "main-job",
                        List.of(Load.values()),
                        results,
                        Plan.QUICK,
                        Map.of("kernel", "6.18"));
        String json = Json.write(entries.stream().map(Entry::fields).toList());
        assertThat(json)
                .contains("\"name\": \"main-job/hello-http/plain/throughput\"")
                .contains("\"kernel\": \"6.18\"")
                .contains("\"slow\": {\n        \"median\": 100,")
                .contains("\"ratio_vs_best_peer\": 2,");
    }

    @Test
    void theTableHasARowForEverySide() {
        assertThat(Table.of(results, Load.PLAIN))
                .startsWith("one request at a time, 64 connections\n")
                .contains("/ fast")
                .contains("2.00 (2.00..2.00)");
    }

    @Test
    void theGoalsAreBesideTheBestPeerTheLimitAndEachRival() {
        Side rival = new Side("rival", Side.Role.RIVAL, List.of());
        Side nginx = new Side("nginx", Side.Role.NATIVE, List.of());
        Side c = new Side("c", Side.Role.LIMIT, List.of());
        for (double noise : List.of(1.0, 0.5, 2.0)) {
            add(rival, 400 * noise, 400);
            add(nginx, 200 * noise, 300);
            add(c, 310 * noise, 200);
        }
        assertThat(Goals.of(results, Load.PLAIN, Metric.THROUGHPUT))
                .extracting(verdict -> verdict.beside() + " " + verdict.isMet())
                .containsExactly("fast true", "c false", "rival false", "nginx true");
    }
}
