package io.weft.loop;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The progress of an executor's shutdown. Any thread asks for it; the loop alone decides when it
/// is done.
final class Shutdown {
    private record Request(long quietNanos, long timeoutNanos) {
        /// Loads the class now: a shutdown must not fail because no descriptor is left to load it
        /// by.
        static void prepare() {}
    }

    static {
        Request.prepare();
    }

    private final Promise<Void> terminated;
    private volatile @Nullable Request request;

    // Of the loop.
    private boolean begun;
    private long start;
    private boolean everRan;
    private long lastRun;

    Shutdown(EventExecutor executor) {
        terminated = executor.newPromise();
        // Nobody but the loop can end it.
        terminated.setUncancellable();
    }

    // ---- any thread ----

    synchronized void request(Duration quietPeriod, Duration timeout) {
        var asked = new Request(nanos("quietPeriod", quietPeriod), nanos("timeout", timeout));
        if (request == null) {
            request = asked;
        }
    }

    /// @throws IllegalArgumentException when a duration is negative
    static void check(Duration quietPeriod, Duration timeout) {
        long _ = nanos("quietPeriod", quietPeriod);
        long _ = nanos("timeout", timeout);
    }

    private static long nanos(String name, Duration duration) {
        if (duration.isNegative()) {
            throw new IllegalArgumentException(name + ": " + duration + " (expected: >= 0)");
        }
        boolean fits = duration.compareTo(Duration.ofNanos(Timers.MAX_DELAY)) < 0;
        return fits ? duration.toNanos() : Timers.MAX_DELAY;
    }

    boolean isRequested() {
        return request != null;
    }

    Promise<Void> terminated() {
        return terminated;
    }

    // ---- the loop ----

    /// True when [#begin] is due.
    boolean isNew() {
        return !begun && request != null;
    }

    void begin(long now) {
        begun = true;
        start = now;
    }

    /// Notes that something ran at `now`, before or after [#begin]: the quiet period begins anew.
    void ran(long now) {
        everRan = true;
        lastRun = now;
    }

    /// Nanoseconds until the executor may end although nothing happens, at most 0 if it may now;
    /// `Long.MAX_VALUE` when it has not been asked to.
    ///
    /// @param idle whether nothing but time keeps it from ending
    long untilEnd(long now, boolean idle) {
        Request asked = request;
        if (!begun || asked == null) {
            return Long.MAX_VALUE;
        }
        long untilTimeout = asked.timeoutNanos - (now - start);
        long untilQuiet = everRan ? asked.quietNanos - (now - lastRun) : 0;
        return idle ? Math.min(untilTimeout, untilQuiet) : untilTimeout;
    }
}
