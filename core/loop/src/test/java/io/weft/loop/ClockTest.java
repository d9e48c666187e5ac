package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class ClockTest {
    @Test
    void systemClockDoesNotRunBackwards() {
        long before = Clock.system().nanoTime();
        assertThat(Clock.system().nanoTime() - before).isNotNegative();
    }

    @Test
    void manualClockStandsStillUntilAdvanced() {
        ManualClock clock = new ManualClock(Long.MAX_VALUE);
        assertThat(clock.nanoTime()).isEqualTo(Long.MAX_VALUE);
        clock.advance(7);
        assertThat(clock.nanoTime() - Long.MAX_VALUE).isEqualTo(7);
    }

    @Test
    void manualClockRefusesToGoBack() {
        assertThatThrownBy(() -> new ManualClock().advance(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nanos: -1 (expected: >= 0)");
    }
}
