package io.weft.bench.warmup;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/// Load on a server until its JIT compilers have next to nothing to do.
///
/// They share the server's core, so what they have not compiled yet would be measured twice: as the
/// time that they take, and as code that is interpreted meanwhile. A JVM of Netty's takes six
/// seconds of load for that on one core, where the compilers may work between the windows four. A
/// server that was warm may meet something new long after that, and be compiled anew for a fifth of
/// a second; so a window in which it was counts for nothing, and is repeated.
public final class WarmUp {
    /// Windows after which it is enough.
    static final int MOST = 12;

    /// Share of a window that the compilers may take in one whose rate is measured.
    static final double QUIET = 0.04;

    /// The same where percentiles of times are measured: a compiler that takes the core for a
    /// hundredth of the window is all that a 99th percentile tells of.
    static final double QUIET_FOR_TIMES = 0.002;

    /// A window of load.
    @FunctionalInterface
    public interface Window {
        void run() throws IOException, InterruptedException;
    }

    /// A window of load, and what was measured in it.
    @FunctionalInterface
    public interface MeasuredWindow<T> {
        T run() throws IOException, InterruptedException;
    }

    private final Work compilers;
    private final LongSupplier nanoTime;
    private final double quiet;

    /// @param quiet share of a window that the compilers may take in the last one
    WarmUp(Work compilers, LongSupplier nanoTime, double quiet) {
        this.compilers = compilers;
        this.nanoTime = nanoTime;
        this.quiet = quiet;
    }

    private static WarmUp of(long pid, double quiet) {
        return new WarmUp(new Compilers(pid), System::nanoTime, quiet);
    }

    /// Puts load on the server of a process, in one window at least.
    public static void of(long pid, Window window) throws IOException, InterruptedException {
        int _ = of(pid, QUIET).run(window);
    }

    /// Puts load on the server of a process, until its compilers have next to nothing to do.
    ///
    /// @return what was measured in the last window
    public static <T> T last(long pid, MeasuredWindow<T> window)
            throws IOException, InterruptedException {
        return last(of(pid, QUIET), window);
    }

    /// The same of a window in which percentiles of times are measured: compilers have nothing to
    /// do in it.
    public static <T> T lastOfTimes(long pid, MeasuredWindow<T> window)
            throws IOException, InterruptedException {
        return last(of(pid, QUIET_FOR_TIMES), window);
    }

    private static <T> T last(WarmUp warmUp, MeasuredWindow<T> window)
            throws IOException, InterruptedException {
        AtomicReference<T> last = new AtomicReference<>();
        int _ = warmUp.run(() -> last.set(window.run()));
        return last.get();
    }

    /// Returns the number of windows.
    int run(Window window) throws IOException, InterruptedException {
        for (int windows = 1; ; windows++) {
            long begin = nanoTime.getAsLong();
            long before = compilers.nanos();
            window.run();
            long taken = compilers.nanos() - before;
            if (taken <= (nanoTime.getAsLong() - begin) * quiet || windows == MOST) {
                return windows;
            }
            compilers.awaitQuiet();
        }
    }
}
