package io.weft.bench.transport.process.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class FootprintTest {
    @Test
    void isReadFromTheLineItWasWrittenAs() {
        Footprint footprint = new Footprint(12, 34);
        assertThat(Footprint.parse(footprint.text())).isEqualTo(footprint);
        assertThat(footprint.minus(new Footprint(2, 4))).isEqualTo(new Footprint(10, 30));
    }

    @Test
    void residentMemoryOfNoFileIsInKibibytes() throws IOException {
        assertThat(Footprint.resident(List.of("Rss:  9 kB", "Anonymous:       7 kB")))
                .isEqualTo(7168);
        assertThatThrownBy(() -> Footprint.resident(List.of("Rss: 9 kB")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("Anonymous");
    }
}
