package io.weft.handler.traffic;

import java.util.concurrent.atomic.AtomicLong;

/// So many bytes a second, on average, and a burst at once. One limit may be shared by any number
/// of channels on any loops; each gets what the others leave.
///
/// It keeps one number: when everything let through so far would have been sent at the rate (the
/// virtual scheduling form of the generic cell rate algorithm, ITU-T I.371).
public final class RateLimit {
    private static final long SECOND = 1_000_000_000L;

    private final long bytesPerSecond;
    private final long burstNanos;
    private final AtomicLong due = new AtomicLong();
    private final AtomicLong total = new AtomicLong();
    private volatile boolean started;

    private RateLimit(long bytesPerSecond, long burst) {
        if (bytesPerSecond <= 0 || burst < 0 || burst > Long.MAX_VALUE / SECOND) {
            throw new IllegalArgumentException(
                    "bytesPerSecond, burst: "
                            + bytesPerSecond
                            + ", "
                            + burst
                            + " (expected: > 0, >= 0)");
        }
        this.bytesPerSecond = bytesPerSecond;
        this.burstNanos = burst * SECOND / bytesPerSecond;
    }

    /// @param burst bytes that may go at once after a time without any
    public static RateLimit of(long bytesPerSecond, long burst) {
        return new RateLimit(bytesPerSecond, burst);
    }

    /// Counts `bytes` and returns for how many nanoseconds they should wait, or whatever comes
    /// behind them; 0: not at all. Any thread.
    ///
    /// @param now on a clock that all users of this limit share
    public long take(long bytes, long now) {
        total.addAndGet(bytes);
        if (!started) {
            due.compareAndSet(0, now - burstNanos);
            started = true;
        }
        long cost = (long) (bytes * (double) SECOND / bytesPerSecond);
        long after =
                due.updateAndGet(
                        before -> {
                            // What was not used longer ago than a burst is lost.
                            long earliest = now - burstNanos;
                            return (before - earliest < 0 ? earliest : before) + cost;
                        });
        return Math.max(0, after - now);
    }

    /// Bytes counted so far. Any thread.
    public long total() {
        return total.get();
    }
}
