package io.weft.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.Timeout;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class NettyWheelTest {
    /// So long that the time that really goes by while a timeout is armed makes none.
    private static final long TICK_NANOS = TimeUnit.HOURS.toNanos(1);

    @Test
    void aTimeoutRunsAtTheTickThatItIsDue() {
        NettyWheel wheel = new NettyWheel(TICK_NANOS, 16);
        int[] ran = {0};
        wheel.arm((Timeout _) -> ran[0]++, 40 * TICK_NANOS);
        for (int tick = 0; tick < 40; tick++) {
            wheel.tick();
            assertThat(ran[0]).as("tick %d", tick).isZero();
        }
        // The one after: some time went by while it was armed, and the wheel rounds up.
        wheel.tick();
        assertThat(ran[0]).isEqualTo(1);
    }
}
