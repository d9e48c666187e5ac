package io.weft.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.bench.report.Entry;
import io.weft.bench.report.Spread;
import io.weft.bench.report.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RowTest {
    private static final List<String> GOALS =
            List.of(
                    "# comment",
                    "buffers | .* | netty.* | 1",
                    "buffers | .* | netty | 2",
                    "buffers | Get size=8 | netty | 4",
                    "buffers | .* | .*[+]unsafe | level",
                    "buffers | Get | quick | size=8,16",
                    "loops | .* | .* | 7");

    private static Row row(Map<String, String> params) {
        Row row = new Row("Get", params, "ns/op", false);
        for (int round = 1; round <= 2; round++) {
            row.add("netty", 10 * round, 16);
            row.add("netty+unsafe", 5 * round, 0);
            row.add("segment", round, Double.NaN);
            row.add("weft", 5, 0);
        }
        return row;
    }

    private static Entry entry(Map<String, String> params) {
        return row(params).entry("buffers", Map.of(), Goals.parse("buffers", GOALS));
    }

    @Test
    void theBestPeerIsTheOneWithTheBestMedianAndNoReference() {
        assertThat(row(Map.of()).bestPeer()).contains("netty+unsafe");
    }

    @Test
    void ratiosAreMadeOfTheSamplesOfOneRound() {
        assertThat(row(Map.of()).weftBeside("netty")).isEqualTo(new Spread(3, 2, 4));
    }

    @Test
    void theBestOfWeftsEnginesStandsForIt() {
        Row row = new Row("Echo", Map.of(), "ops/s", true);
        row.add("nettyEpoll", 10, Double.NaN);
        row.add("weftNio", 8, Double.NaN);
        row.add("weftEpoll", 15, Double.NaN);
        assertThat(row.bestPeer()).contains("nettyEpoll");
        assertThat(row.weftBeside("nettyEpoll")).isEqualTo(new Spread(1.5, 1.5, 1.5));
    }

    @Test
    void aScoreMayHaveAnUpperLimit() {
        List<String> lines = List.of("x | Get | most | 4");
        Entry red = row(Map.of()).entry("x", Map.of(), Goals.parse("x", lines));
        assertThat(red.verdicts())
                .containsExactly(new Verdict("<= 4", new Spread(0.8, 0.8, 0.8), 1));
    }

    @Test
    void theLastLineAboutTheSamePeersCounts() {
        assertThat(entry(Map.of()).verdicts())
                .extracting(Verdict::beside, Verdict::least)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("netty+unsafe", 1.0),
                        org.assertj.core.groups.Tuple.tuple("netty", 2.0),
                        org.assertj.core.groups.Tuple.tuple("netty+unsafe", 0.95));
        assertThat(entry(Map.of()).isGreen()).isTrue();
    }

    @Test
    void aRowIsRedWhenOneGoalIsMissed() {
        assertThat(entry(Map.of("size", "8")).isRed()).isTrue();
        assertThat(entry(Map.of("size", "8")).isGreen()).isFalse();
    }

    @Test
    void aQuickRunTakesTheListedValues() {
        assertThat(Goals.parse("buffers", GOALS).subsets())
                .singleElement()
                .satisfies(
                        subset -> {
                            assertThat(subset.param()).isEqualTo("size");
                            assertThat(subset.values()).containsExactly("8", "16");
                            assertThat(subset.operation().test("Get")).isTrue();
                            assertThat(subset.operation().test("Set")).isFalse();
                        });
    }

    @Test
    void everyGroupsGoalsCanBeRead() {
        for (String group : List.of("memory", "buffers", "loops", "transports")) {
            assertThat(Goals.of(group).goals()).as(group).isNotEmpty();
        }
    }
}
