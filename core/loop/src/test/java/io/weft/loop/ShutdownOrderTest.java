package io.weft.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A thread that hands a task over and then asks for the shutdown, while the loop is between the
/// tasks of a round and its look at the shutdown.
class ShutdownOrderTest {
    private final List<String> seen = new ArrayList<>();
    private boolean comes;

    private final LoopDriver driver =
            new LoopDriver() {
                @Override
                public void poll(long timeoutNanos) {}

                @Override
                public void wakeup() {}

                @Override
                public void shuttingDown() {
                    seen.add("driver");
                }

                @Override
                public void close() {
                    seen.add("end");
                }
            };

    /// Is read behind the tasks of a round in which some ran.
    private final Clock clock =
            () -> {
                if (comes) {
                    comes = false;
                    come();
                }
                return 0;
            };

    private final ManualExecutor executor = new ManualExecutor(clock, driver);

    private void come() {
        executor.execute(() -> seen.add("task"));
        var _ = executor.shutdownGracefully(Duration.ZERO, Duration.ofDays(1));
        executor.executeUnbounded(() -> seen.add("later"));
    }

    @Test
    void driverIsToldBehindTheTasksThatCameBefore() {
        executor.execute(() -> comes = true);
        executor.runPending();
        assertThat(seen).startsWith("task").containsSubsequence("task", "driver", "end");
        assertThat(seen).contains("later");
        assertThat(executor.isTerminated()).isTrue();
    }
}
