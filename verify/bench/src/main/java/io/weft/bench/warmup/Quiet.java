package io.weft.bench.warmup;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/// The end of work that nothing adds to: it is waited for.
final class Quiet {
    private static final long LOOK_MILLIS = 10;

    /// Processor time between two looks that is none.
    private static final long NONE = TimeUnit.MICROSECONDS.toNanos(500);

    private static final int MOST_LOOKS = 300;

    private Quiet() {}

    /// Returns once there is no more work, or after some seconds.
    static void await(Work work) throws IOException, InterruptedException {
        long before = work.nanos();
        for (int look = 0; look < MOST_LOOKS; look++) {
            Thread.sleep(LOOK_MILLIS);
            long now = work.nanos();
            if (now - before < NONE) {
                return;
            }
            before = now;
        }
    }
}
