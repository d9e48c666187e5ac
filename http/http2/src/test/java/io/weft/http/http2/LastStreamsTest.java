package io.weft.http.http2;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LastStreamsTest {
    @Test
    void keepsTheLastOnes() {
        LastStreams last = new LastStreams(64);
        for (int added = 1; added <= 300; added++) {
            last.add(2 * added);
            int from = Math.max(1, added - 63);
            assertThat(IntStream.rangeClosed(0, 2 * added + 2).filter(last::contains).toArray())
                    .isEqualTo(IntStream.rangeClosed(from, added).map(i -> 2 * i).toArray());
        }
    }
}
