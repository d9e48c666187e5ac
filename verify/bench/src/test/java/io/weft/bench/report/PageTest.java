package io.weft.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageTest {
    private static final Entry ENTRY =
            new Entry(
                    "buffers/Get",
                    Map.of("size", "<8>"),
                    Map.of("jdk", "25"),
                    "ns/op",
                    false,
                    Map.of("weft", new Spread(2, 1, 3)),
                    Map.of("weft", new Spread(16, 16, 16)),
                    new Spread(1.5, 1, 2),
                    List.of(new Verdict("netty", new Spread(1.5, 1, 2), 2)));

    @Test
    void drawsABarASideWithItsSpreadAndItsFigures(@TempDir Path folder) throws IOException {
        Path section = folder.resolve("section");
        Path page = folder.resolve("page.html");
        Files.writeString(section, Page.section("buffers", Map.of("jdk", "25"), List.of(ENTRY)));
        Page.main(new String[] {page.toString(), section.toString()});
        assertThat(page)
                .content()
                .startsWith("<!DOCTYPE html>")
                .contains("size=&lt;8&gt;", "jdk: 25", "rect class=\"weft\"", "2.000, 16.0 B/op")
                .contains("<td class=\"number red\">1.50 (1.00..2.00)</td>")
                .contains("<a href=\"#buffers\">buffers</a></td><td class=\"number green\">0</td>")
                .contains("<td class=\"number red\">1</td></tr>")
                .endsWith("</html>\n");
    }

    @Test
    void theTableEndsWithTheVerdicts() {
        assertThat(Table.of(List.of(ENTRY)))
                .contains("buffers/Get size=<8>, ns/op; weft / best peer 1.50 (1.00..2.00)")
                .contains("RED    netty                  1.50 (1.00..2.00)      2.00")
                .endsWith("0 rows green, 1 red\n");
    }

    @Test
    void anEntryAsJsonHasTheNamesThatProgramsRead() {
        assertThat(ENTRY.fields())
                .containsKeys("name", "params", "unit", "better", "sides", "ratio_vs_best_peer")
                .containsEntry("verdict", "red");
    }
}
