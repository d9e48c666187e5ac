package io.weft.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SummaryTest {
    private static Entry entry(String name, double ratio, double goal) {
        Spread spread = new Spread(ratio, ratio - 0.25, ratio + 0.25);
        return new Entry(
                name,
                Map.of(),
                Map.of(),
                "requests/s",
                true,
                Map.of(),
                Map.of(),
                spread,
                List.of(
                        new Verdict("netty io_uring", spread, goal),
                        new Verdict("c epoll", spread, goal)));
    }

    @Test
    void drawsABarForEachHeadlineThatWasMeasured(@TempDir Path folder) throws IOException {
        Path section = folder.resolve("section");
        Path picture = folder.resolve("summary.svg");
        List<Entry> entries =
                List.of(
                        entry("main-job/hello-http/pipelined/throughput", 2, 1.7),
                        entry("main-job/hello-http/plain/throughput", 1, 1.15),
                        entry("main-job/hello-http/plain/p99", 1, 1.15));
        Files.writeString(section, Page.section("main-job", Map.of(), entries));
        Summary.main(new String[] {picture.toString(), section.toString()});
        assertThat(picture)
                .content()
                .startsWith("<svg xmlns=")
                .containsSubsequence(
                        "class=\"missed\"", "1.00 (0.75 to 1.25)",
                        "class=\"met\"", "2.00 (1.75 to 2.25)")
                .doesNotContain("p99")
                .endsWith("</svg>\n");
    }

    @Test
    void longBarsEndWithinThePicture(@TempDir Path folder) throws IOException {
        Path section = folder.resolve("section");
        Path picture = folder.resolve("summary.svg");
        List<Entry> entries = List.of(entry("main-job/hello-http/plain/throughput", 50, 1.15));
        Files.writeString(section, Page.section("main-job", Map.of(), entries));
        Summary.main(new String[] {picture.toString(), section.toString()});
        assertThat(picture).content().contains("width=\"320.0\"", "50.00 (49.75 to 50.25)");
    }
}
