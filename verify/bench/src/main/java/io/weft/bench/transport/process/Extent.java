package io.weft.bench.transport.process;

import io.weft.bench.warmup.WarmUp;
import java.io.IOException;

/// The extent of a measurement.
enum Extent {
    FULL(5, 2_000, 10_000),
    QUICK(3, 350, 10_000),

    /// A moment of everything: shows that it runs, and no more.
    SMOKE(1, 5, 100);

    /// Of each side, interleaved.
    final int rounds;

    /// Of load.
    final int windowMillis;

    /// That are idle.
    final int connections;

    Extent(int rounds, int windowMillis, int connections) {
        this.rounds = rounds;
        this.windowMillis = windowMillis;
        this.connections = connections;
    }

    /// Measures a server: in a window in which its compilers have next to nothing to do, or, of a
    /// smoke test, in the first.
    <T> T measure(RunningServer server, WarmUp.MeasuredWindow<T> window)
            throws IOException, InterruptedException {
        return this == SMOKE ? window.run() : WarmUp.last(server.process().pid(), window);
    }

    /// The same where times are measured: in a window in which its compilers have nothing to do.
    <T> T measureTimes(RunningServer server, WarmUp.MeasuredWindow<T> window)
            throws IOException, InterruptedException {
        return this == SMOKE ? window.run() : WarmUp.lastOfTimes(server.process().pid(), window);
    }

    /// Number of the first round: the one below 0 warms up.
    int firstRound() {
        return this == SMOKE ? 0 : -1;
    }

    @Override
    public String toString() {
        return "%d interleaved rounds, windows of %d ms; servers on core 0, the load on core 1"
                .formatted(rounds, windowMillis);
    }
}
