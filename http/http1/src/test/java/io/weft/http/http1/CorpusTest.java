package io.weft.http.http1;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CorpusTest {
    @Test
    void everyMalformedRequestIsRefusedWithItsStatus() {
        assertThat(Corpus.BAD).hasSizeGreaterThan(150).doesNotHaveDuplicates();
        assertThat(Corpus.BAD)
                .allSatisfy(
                        bad ->
                                assertThat(Trace.of(bad.input()))
                                        .as(bad.input())
                                        .last()
                                        .isEqualTo("error " + bad.status()));
    }

    @Test
    void noMalformedRequestIsHandedOutWhole() {
        assertThat(Corpus.BAD)
                .allSatisfy(
                        bad ->
                                assertThat(Trace.of(bad.input()))
                                        .noneMatch(event -> event.contains("/admin")));
    }

    @Test
    void everyWellFormedRequestIsTaken() {
        assertThat(Corpus.GOOD).hasSizeGreaterThan(60).doesNotHaveDuplicates();
        assertThat(Corpus.GOOD)
                .allSatisfy(
                        good ->
                                assertThat(Trace.of(good))
                                        .as(good)
                                        .last()
                                        .asString()
                                        .startsWith("end "));
    }

    @Test
    void segmentationInvariance() {
        for (Corpus.Bad bad : Corpus.BAD) {
            checkSegments(bad.input());
        }
        for (String good : Corpus.GOOD) {
            checkSegments(good);
        }
    }

    private static void checkSegments(String input) {
        List<String> whole = Trace.of(input);
        assertThat(Trace.ofSingleBytes(input)).as(input).isEqualTo(whole);
        int step = Math.max(1, input.length() / 400);
        for (int cut = 1; cut < input.length(); cut += step) {
            String[] two = {input.substring(0, cut), input.substring(cut)};
            assertThat(Trace.ofSegments(two)).as("%s cut at %s", input, cut).isEqualTo(whole);
        }
    }
}
