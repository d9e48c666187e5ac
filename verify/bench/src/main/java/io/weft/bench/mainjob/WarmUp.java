package io.weft.bench.mainjob;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Load on a server until its JIT compilers have next to nothing to do.
///
/// They share the server's core, so what they have not compiled yet would be measured twice: as the
/// time that they take, and as code that is interpreted meanwhile. A JVM of Netty's takes six
/// seconds of load for that on one core, where the compilers may work between the windows four.
public final class WarmUp {
    /// Windows after which it is enough.
    static final int MOST = 12;

    /// Share of a window that the compilers may take in one that is measured.
    private static final double QUIET = 0.04;

    /// Between two looks at compilers that work without load.
    private static final long LOOK_MILLIS = 20;

    private static final int MOST_LOOKS = 150;

    /// A window of load.
    @FunctionalInterface
    public interface Window {
        void run() throws IOException, InterruptedException;
    }

    /// Work that is to be over.
    interface Work {
        /// Processor time that it has taken so far.
        long nanos() throws IOException;
    }

    private final Work work;
    private final LongSupplier nanoTime;

    WarmUp(Work work, LongSupplier nanoTime) {
        this.work = work;
        this.nanoTime = nanoTime;
    }

    /// Puts load on the server of a process, in one window at least.
    ///
    /// @return the number of windows
    public static int of(long pid, Window window) throws IOException, InterruptedException {
        return new WarmUp(new Compilers(pid), System::nanoTime).run(window);
    }

    int run(Window window) throws IOException, InterruptedException {
        for (int windows = 1; ; windows++) {
            long begin = nanoTime.getAsLong();
            long before = work.nanos();
            window.run();
            long taken = work.nanos() - before;
            if (taken <= (nanoTime.getAsLong() - begin) * QUIET || windows == MOST) {
                return windows;
            }
            awaitQuiet();
        }
    }

    /// Lets the compilers do what has been asked of them, which they do faster without load.
    private void awaitQuiet() throws IOException, InterruptedException {
        long before = work.nanos();
        for (int look = 0; look < MOST_LOOKS; look++) {
            Thread.sleep(LOOK_MILLIS);
            long now = work.nanos();
            if (now - before < TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS) * QUIET) {
                return;
            }
            before = now;
        }
    }
}
