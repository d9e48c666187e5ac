package io.weft.bench.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.Timeout;
import org.junit.jupiter.api.Test;

class NettyWheelTest {
    private static final long TICK_NANOS = 1_000_000;

    @Test
    void aTimeoutRunsAtTheTickThatItIsDue() {
        NettyWheel wheel = new NettyWheel(TICK_NANOS, 16);
        int[] ran = {0};
        wheel.arm((Timeout _) -> ran[0]++, 40 * TICK_NANOS);
        for (int tick = 0; tick < 40; tick++) {
            wheel.tick();
            assertThat(ran[0]).as("tick %d", tick).isZero();
        }
        wheel.tick(); // the one after: the wheel rounds up, and time went by while it armed
        wheel.tick();
        assertThat(ran[0]).isEqualTo(1);
    }
}
