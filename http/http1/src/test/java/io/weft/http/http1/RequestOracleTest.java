package io.weft.http.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// [RequestDecoder] beside [RequestOracle]. `dev/differential.sh` compares them for longer.
class RequestOracleTest {
    private static final EnumSet<Divergence> ALL = EnumSet.allOf(Divergence.class);

    /// Seeds that found something, after the first.
    private static final long[] SEEDS = {Long.getLong("io.weft.test.seed", 1)};

    private static final int INPUTS = Integer.getInteger("io.weft.http1.inputs", 20_000);

    private static List<String> withoutStatus(List<String> events) {
        return events.stream().map(event -> event.startsWith("error ") ? "error" : event).toList();
    }

    @Test
    void decoderAndOracleAgreeOnTheCorpora() {
        for (Corpus.Bad bad : Corpus.BAD) {
            agree(bad.input());
        }
        Corpus.GOOD.forEach(RequestOracleTest::agree);
    }

    private static void agree(String input) {
        assertThat(withoutStatus(Trace.of(input)))
                .as(input)
                .isEqualTo(RequestOracle.of(input, ALL));
    }

    @Test
    void decoderAndOracleAgreeOnGeneratedRequests() {
        for (long seed : SEEDS) {
            RequestGenerator generator = new RequestGenerator(seed);
            SplittableRandom cuts = new SplittableRandom(seed);
            int taken = 0;
            for (int i = 0; i < INPUTS; i++) {
                String input = generator.next();
                List<String> expected = RequestOracle.of(input, ALL);
                int cut = cuts.nextInt(input.length() + 1);
                check(seed, input, expected, Trace.of(input));
                check(
                        seed,
                        input,
                        expected,
                        Trace.ofSegments(input.substring(0, cut), input.substring(cut)));
                if (!expected.contains("error")) {
                    taken++;
                }
            }
            // Neither kind is rare, so that both decisions are tried.
            assertThat(taken).isBetween(INPUTS / 10, INPUTS * 9 / 10);
        }
    }

    private static void check(long seed, String input, List<String> expected, List<String> events) {
        if (!withoutStatus(events).equals(expected)) {
            fail(
                    "seed %d, input %s%n oracle  %s%n decoder %s",
                    seed,
                    MessageOracle.quoted(input),
                    MessageOracle.quoted(expected.toString()),
                    MessageOracle.quoted(events.toString()));
        }
    }

    @Test
    void eachDivergenceIsOne() {
        for (Divergence divergence : Divergence.values()) {
            EnumSet<Divergence> others = EnumSet.complementOf(EnumSet.of(divergence));
            agree(divergence.example);
            assertThat(RequestOracle.of(divergence.example, others))
                    .as(divergence.name())
                    .isNotEqualTo(RequestOracle.of(divergence.example, ALL));
        }
    }

    @Test
    void eachDivergenceIsExplained() throws IOException {
        List<String> rows =
                Files.readAllLines(Path.of("../../docs/http1.md")).stream()
                        .filter(line -> line.startsWith("| `"))
                        .map(line -> line.substring(3, line.indexOf('`', 3)))
                        .toList();
        assertThat(rows).containsAll(ALL.stream().map(Divergence::name).toList());
    }
}
