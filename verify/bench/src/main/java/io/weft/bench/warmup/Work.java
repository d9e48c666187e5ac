package io.weft.bench.warmup;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// Work of threads beside those that are measured.
interface Work {
    /// Processor time that it has taken so far.
    long nanos() throws IOException;

    /// Returns once there is no more of it, or after some seconds. Nothing is to add to it
    /// meanwhile.
    default void awaitQuiet() throws IOException, InterruptedException {
        long none = TimeUnit.MICROSECONDS.toNanos(500);
        long before = nanos();
        for (int look = 0; look < 300; look++) {
            Thread.sleep(10);
            long now = nanos();
            if (now - before < none) {
                return;
            }
            before = now;
        }
    }
}
