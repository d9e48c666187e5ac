package io.weft.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpreadTest {
    @Test
    void medianOfAnOddCountIsTheMiddleSample() {
        assertThat(Spread.of(3, 1, 2)).isEqualTo(new Spread(2, 1, 3));
    }

    @Test
    void medianOfAnEvenCountLiesBetweenTheMiddleSamples() {
        assertThat(Spread.of(4, 1, 2, 3)).isEqualTo(new Spread(2.5, 1, 4));
    }

    @Test
    void nothingIsKnownWithoutSamples() {
        assertThat(Spread.of().isKnown()).isFalse();
    }
}
