package io.weft.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Vectors made by rule and byte: no malformed one is taken, no unusual one is refused, wherever the
/// input is cut.
class VectorsTest {
    private static final EnumSet<Divergence> ALL = EnumSet.allOf(Divergence.class);
    private static final EnumSet<Divergence> NONE = EnumSet.noneOf(Divergence.class);

    @Test
    void noMalformedRequestIsTaken() {
        List<MalformedRequests.Vector> vectors = MalformedRequests.all();
        assertThat(vectors).hasSizeGreaterThan(7000);
        Set<String> taken =
                vectors.stream()
                        .filter(v -> !Trace.of(v.input()).getLast().equals("error " + v.status()))
                        .map(v -> v.rule() + ": " + v.input() + " " + Trace.of(v.input()))
                        .collect(Collectors.toSet());
        assertThat(taken).isEmpty();
    }

    @Test
    void theOracleTakesNoMalformedRequestEither() {
        assertThat(MalformedRequests.all())
                .allMatch(v -> RequestOracle.of(v.input(), ALL).getLast().equals("error"));
    }

    @Test
    void noUnusualRequestIsRefused() {
        List<String> inputs = UnusualRequests.all();
        assertThat(inputs).hasSizeGreaterThan(3000);
        assertThat(inputs)
                .allSatisfy(
                        input ->
                                assertThat(Trace.of(input))
                                        .isEqualTo(RequestOracle.of(input, NONE))
                                        .noneMatch(event -> event.startsWith("error")));
    }

    /// Byte by byte, and at every seventh place: a neighbour in the list, which has much the same
    /// bytes, is cut at the next.
    @Test
    void cutsDoNotMatter() {
        List<String> inputs = new ArrayList<>(UnusualRequests.all());
        MalformedRequests.all().forEach(v -> inputs.add(v.input()));
        for (int i = 0; i < inputs.size(); i++) {
            String input = inputs.get(i);
            List<String> whole = Trace.of(input);
            assertThat(Trace.ofSingleBytes(input)).as(input).isEqualTo(whole);
            for (int cut = 1 + i % 7; cut < input.length(); cut += 7) {
                String[] two = {input.substring(0, cut), input.substring(cut)};
                assertThat(Trace.ofSegments(two)).as("%s cut at %d", input, cut).isEqualTo(whole);
            }
        }
    }

    /// The decoder does not parse a line wholly if it is as long as the line before and has the
    /// same method and version.
    @Test
    void aRequestIsJudgedAlikeBehindOneWithALineOfTheSameLength() {
        List<String> inputs = new ArrayList<>(UnusualRequests.all());
        MalformedRequests.all().forEach(v -> inputs.add(v.input()));
        for (String input : inputs) {
            for (String method : List.of("GET", "POST", "OPTIONS")) {
                String before = requestWithLineOf(input.indexOf("\r\n"), method);
                List<String> expected = new ArrayList<>(Trace.of(before));
                expected.addAll(Trace.of(input));
                assertThat(Trace.of(before + input)).as(before + input).isEqualTo(expected);
            }
        }
    }

    /// The decoder takes over what it found out about the first fields of the request before, if
    /// this one begins with the same.
    @Test
    void aRequestIsJudgedAlikeBehindOneWithTheSameFirstFields() {
        List<String> inputs = new ArrayList<>(UnusualRequests.all());
        MalformedRequests.all().forEach(v -> inputs.add(v.input()));
        int tried = 0;
        for (String input : inputs) {
            int section = input.indexOf("\r\n") + 2;
            int end = section;
            for (int lines = 0; lines < 4 && end >= 2; lines++) {
                String before = requestWithFields(input.substring(section, end));
                List<String> expected = new ArrayList<>(Trace.of(before));
                if (expected.getLast().startsWith("end")) {
                    tried++;
                    expected.addAll(Trace.of(input));
                    assertThat(Trace.of(before + input)).as(before + input).isEqualTo(expected);
                    int cut = before.length() + (section + end) / 2;
                    String all = before + input;
                    assertThat(Trace.ofSegments(all.substring(0, cut), all.substring(cut)))
                            .as("%s cut at %d", all, cut)
                            .isEqualTo(expected);
                }
                end = input.indexOf("\r\n", end) + 2;
            }
        }
        assertThat(tried).isGreaterThan(20_000);
    }

    private static String requestWithFields(String fields) {
        boolean host = fields.regionMatches(true, 0, "host:", 0, 5) || fields.contains("\nHost:");
        return "GET /before HTTP/1.1\r\n" + fields + (host ? "" : "Host: a\r\n") + "\r\n";
    }

    private static String requestWithLineOf(int length, String method) {
        String version = " HTTP/1.1";
        int rest = length - method.length() - 2 - version.length();
        return method + " /" + "x".repeat(Math.max(0, rest)) + version + "\r\nHost: a\r\n\r\n";
    }
}
