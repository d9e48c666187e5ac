package io.weft.loop;

import java.util.concurrent.atomic.AtomicLong;

/// A clock that stands still until it is told to move. Any thread may read and move it.
public final class ManualClock implements Clock {
    private final AtomicLong now;

    /// A clock at 0.
    public ManualClock() {
        this(0);
    }

    /// A clock at `start` nanoseconds; one near `Long.MAX_VALUE` shows whether code survives the
    /// wrap.
    public ManualClock(long start) {
        now = new AtomicLong(start);
    }

    @Override
    public long nanoTime() {
        return now.get();
    }

    /// Moves the time forward by `nanos`.
    ///
    /// @throws IllegalArgumentException when `nanos` is negative
    public void advance(long nanos) {
        if (nanos < 0) {
            throw new IllegalArgumentException("nanos: " + nanos + " (expected: >= 0)");
        }
        now.addAndGet(nanos);
    }

    @Override
    public String toString() {
        return "ManualClock(" + nanoTime() + " ns)";
    }
}
