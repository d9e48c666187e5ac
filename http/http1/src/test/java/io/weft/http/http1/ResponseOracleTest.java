package io.weft.http.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// [ResponseDecoder] beside [ResponseOracle]. `dev/differential.sh` compares them for longer.
class ResponseOracleTest {
    private static final Set<Divergence> SHARED = EnumSet.allOf(Divergence.class);
    private static final Set<ResponseDivergence> ALL = EnumSet.allOf(ResponseDivergence.class);

    /// Seeds that found something, after the first.
    private static final long[] SEEDS = {Long.getLong("io.weft.test.seed", 1)};

    private static final int INPUTS = Integer.getInteger("io.weft.http1.inputs", 20_000);

    private static List<String> withoutReason(List<String> events) {
        return events.stream().map(event -> event.startsWith("error ") ? "error" : event).toList();
    }

    private static List<String> oracle(String methods, String input) {
        return ResponseOracle.of(methods, input, SHARED, ALL);
    }

    private static void agree(String methods, String input) {
        check(1, methods, input, oracle(methods, input), ResponseTrace.of(methods, input));
    }

    @Test
    void decoderAndOracleAgreeOnTheCorpora() {
        ResponseCorpus.BAD.forEach(bad -> agree(bad.methods(), bad.input()));
        ResponseCorpus.GOOD.forEach(good -> agree(good.methods(), good.input()));
    }

    @Test
    void decoderAndOracleAgreeOnGeneratedResponses() {
        for (long seed : SEEDS) {
            ResponseGenerator generator = new ResponseGenerator(seed);
            SplittableRandom cuts = new SplittableRandom(seed);
            int taken = 0;
            for (int i = 0; i < INPUTS; i++) {
                String input = generator.next();
                String methods = generator.methods();
                List<String> expected = oracle(methods, input);
                int cut = cuts.nextInt(input.length() + 1);
                check(seed, methods, input, expected, ResponseTrace.of(methods, input));
                check(
                        seed,
                        methods,
                        input,
                        expected,
                        ResponseTrace.of(methods, input.substring(0, cut), input.substring(cut)));
                taken += expected.contains("error") ? 0 : 1;
            }
            // Neither kind is rare, so that both decisions are tried.
            assertThat(taken).isBetween(INPUTS / 10, INPUTS * 9 / 10);
        }
    }

    private static void check(
            long seed, String methods, String input, List<String> expected, List<String> events) {
        if (!withoutReason(events).equals(expected)) {
            fail(
                    "seed %d, %s, input %s%n oracle  %s%n decoder %s",
                    seed,
                    methods,
                    MessageOracle.quoted(input),
                    MessageOracle.quoted(expected.toString()),
                    MessageOracle.quoted(events.toString()));
        }
    }

    @Test
    void eachDivergenceIsOne() {
        for (ResponseDivergence divergence : ResponseDivergence.values()) {
            Set<ResponseDivergence> others = EnumSet.complementOf(EnumSet.of(divergence));
            agree(divergence.methods, divergence.example);
            assertThat(ResponseOracle.of(divergence.methods, divergence.example, SHARED, others))
                    .as(divergence.name())
                    .isNotEqualTo(oracle(divergence.methods, divergence.example));
        }
    }

    @Test
    void eachDivergenceIsExplained() throws IOException {
        List<String> rows =
                Files.readAllLines(Path.of("../../docs/http1.md")).stream()
                        .filter(line -> line.startsWith("| `"))
                        .map(line -> line.substring(3, line.indexOf('`', 3)))
                        .toList();
        assertThat(rows).containsAll(ALL.stream().map(ResponseDivergence::name).toList());
    }
}
