package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/// Figures of published headers: lines `system | name | value | place` of a file beside the tests.
final class Figures {
    private Figures() {}

    static Map<String, Long> of(String file, String system) throws IOException {
        Map<String, Long> figures = new TreeMap<>();
        try (InputStream stream = Figures.class.getResourceAsStream(file)) {
            assertThat(stream).isNotNull();
            String text = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
            text.lines()
                    .filter(line -> line.startsWith(system + "|"))
                    .map(line -> line.split("\\|", -1))
                    .forEach(cells -> figures.put(cells[1], Long.decode(cells[2])));
        }
        assertThat(figures).isNotEmpty();
        return figures;
    }
}
