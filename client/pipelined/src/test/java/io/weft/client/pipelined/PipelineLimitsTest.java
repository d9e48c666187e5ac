package io.weft.client.pipelined;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class PipelineLimitsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration EVER = Duration.ofSeconds(Long.MAX_VALUE);

    @Test
    void retriesDoubleUpToTheLast() {
        PipelineLimits limits =
                new PipelineLimits(1, 0, SECOND, Duration.ofMillis(50), Duration.ofMillis(500));
        assertThat(limits.retryNanos(0)).isEqualTo(50_000_000);
        assertThat(limits.retryNanos(1)).isEqualTo(100_000_000);
        assertThat(limits.retryNanos(3)).isEqualTo(400_000_000);
        assertThat(limits.retryNanos(4)).isEqualTo(500_000_000);
        assertThat(limits.retryNanos(1000)).isEqualTo(500_000_000);
    }

    @Test
    void longTimesDoNotOverflow() {
        PipelineLimits limits = new PipelineLimits(1, 0, EVER, Duration.ofNanos(1), EVER);
        assertThat(limits.timeoutNanos()).isPositive();
        assertThat(limits.retryNanos(1000)).isEqualTo(65_536);
    }

    @Test
    void limitsOutOfTheirRangesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PipelineLimits(0, 0, SECOND, SECOND, SECOND));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PipelineLimits((1 << 20) + 1, 0, SECOND, SECOND, SECOND));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PipelineLimits(1, -1, SECOND, SECOND, SECOND));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PipelineLimits(1, 0, Duration.ZERO, SECOND, SECOND));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PipelineLimits(1, 0, SECOND, SECOND, Duration.ZERO));
    }
}
