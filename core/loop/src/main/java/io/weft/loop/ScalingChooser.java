package io.weft.loop;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToLongFunction;

/// Gives tasks to as many executors of a group as their load takes, one after the other: the first
/// ones, never fewer than a minimum. The others are asleep, or have not even started a thread.
///
/// Only new tasks without a key are concerned. Nothing that an executor has is moved; [tasks with a
/// key][EventExecutorGroup#execute(Object, Runnable)], and callers that hold on to an executor,
/// stay where they are.
///
/// Once a window, when a task is to be given away, it looks how large a share of the time the
/// active executors were at work ([LoopStatistics#busyNanos], so with `io.weft.watchdog.threshold`
/// 0 it never changes anything). Above one threshold for as many windows as its patience it makes
/// so many executors active that the load comes to lie half-way between the two; below the other,
/// one fewer.
///
/// A chooser serves one group. Any thread.
public final class ScalingChooser implements ExecutorChooser {
    private final int minimum;
    private final long windowNanos;
    private final double upAbove;
    private final double downBelow;
    private final int patience;
    private final Clock clock;
    private final ToLongFunction<EventExecutor> busyNanos;

    private final AtomicInteger turn = new AtomicInteger();
    private final AtomicLong timesUp = new AtomicLong();
    private final AtomicLong timesDown = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();

    // Written under the lock.
    private volatile int active;
    private volatile long windowEnd;
    private volatile double utilisation;

    // Under the lock.
    private long[] busyBefore = {};
    private long windowStart;
    private int highWindows;
    private int lowWindows;

    private ScalingChooser(Builder builder) {
        minimum = builder.minimum;
        windowNanos = builder.window.toNanos();
        upAbove = builder.upAbove;
        downBelow = builder.downBelow;
        patience = builder.patience;
        clock = builder.clock;
        busyNanos = builder.busyNanos;
        active = minimum;
        windowStart = clock.nanoTime();
        windowEnd = windowStart;
    }

    /// A chooser for at least `minimum` active executors, and at most as many as there are in the
    /// group.
    ///
    /// @throws IllegalArgumentException unless `minimum` is in 1..1024
    public static Builder builder(int minimum) {
        return new Builder(minimum);
    }

    /// Collects what a chooser goes by.
    public static final class Builder {
        private static final Duration SHORTEST = Duration.ofMillis(10);
        private static final Duration LONGEST = Duration.ofDays(1);

        private final int minimum;
        private Duration window = Duration.ofSeconds(1);
        private double upAbove = 0.75;
        private double downBelow = 0.25;
        private int patience = 3;
        private Clock clock = Clock.system();
        private ToLongFunction<EventExecutor> busyNanos = e -> e.statistics().busyNanos();

        private Builder(int minimum) {
            if (minimum < 1 || minimum > 1024) {
                throw new IllegalArgumentException("minimum: " + minimum + " (expected: 1..1024)");
            }
            this.minimum = minimum;
        }

        /// Sets the time for which load is measured. Default: a second; the load is sampled about
        /// eight times in that, twice in each `io.weft.watchdog.threshold`. A window in which there
        /// are few samples says little.
        ///
        /// @throws IllegalArgumentException unless it is from 10 ms to a day
        public Builder window(Duration window) {
            if (window.compareTo(SHORTEST) < 0 || window.compareTo(LONGEST) > 0) {
                throw new IllegalArgumentException(
                        "window: " + window + " (expected: 10 ms..1 day)");
            }
            this.window = window;
            return this;
        }

        /// Between which shares of time at work the number of active executors is right. Default:
        /// 0.25 and 0.75.
        ///
        /// @throws IllegalArgumentException unless 0 <= downBelow < upAbove <= 1
        public Builder thresholds(double downBelow, double upAbove) {
            if (!(downBelow >= 0 && downBelow < upAbove && upAbove <= 1)) {
                throw new IllegalArgumentException(
                        "thresholds: "
                                + downBelow
                                + ", "
                                + upAbove
                                + " (expected: 0 <= .. < .. <= 1)");
            }
            this.downBelow = downBelow;
            this.upAbove = upAbove;
            return this;
        }

        /// Sets the number of windows in a row that have to agree. Default: 3.
        ///
        /// @throws IllegalArgumentException when it is not positive
        public Builder patience(int windows) {
            if (windows < 1) {
                throw new IllegalArgumentException("patience: " + windows + " (expected: >= 1)");
            }
            patience = windows;
            return this;
        }

        /// Sets the clock of the windows. Default: the JVM's.
        public Builder clock(Clock clock) {
            this.clock = clock;
            return this;
        }

        /// For tests: what is known of an executor's load.
        Builder busyNanos(ToLongFunction<EventExecutor> busyNanos) {
            this.busyNanos = busyNanos;
            return this;
        }

        public ScalingChooser build() {
            return new ScalingChooser(this);
        }
    }

    @Override
    public EventExecutor choose(List<EventExecutor> executors) {
        long now = clock.nanoTime();
        if (now - windowEnd >= 0 && lock.tryLock()) {
            try {
                if (now - windowEnd >= 0) {
                    look(executors, now);
                }
            } finally {
                lock.unlock();
            }
        }
        int choice = Math.min(active, executors.size());
        return executors.get(choice == 1 ? 0 : Math.floorMod(turn.getAndIncrement(), choice));
    }

    private void look(List<EventExecutor> executors, long now) {
        int most = executors.size();
        int before = Math.min(active, most);
        boolean first = busyBefore.length != most;
        if (first) {
            busyBefore = new long[most];
        }
        double load = 0;
        for (int i = 0; i < most; i++) {
            long busy = busyNanos.applyAsLong(executors.get(i));
            if (i < before) {
                // A sample may stand for a time that began before the window.
                load +=
                        Math.min(
                                1,
                                (busy - busyBefore[i]) / (double) Math.max(now - windowStart, 1));
            }
            busyBefore[i] = busy;
        }
        windowStart = now;
        windowEnd = now + windowNanos;
        if (!first) {
            utilisation = load / before;
            decide(before, most, load);
        }
    }

    private void decide(int before, int most, double load) {
        highWindows = utilisation > upAbove ? highWindows + 1 : 0;
        lowWindows = utilisation < downBelow ? lowWindows + 1 : 0;
        if (highWindows >= patience) {
            highWindows = 0;
            int wanted = (int) Math.ceil(load / ((upAbove + downBelow) / 2));
            int after = Math.clamp(wanted, Math.min(before + 1, most), most);
            if (after > before) {
                active = after;
                timesUp.incrementAndGet();
            }
        } else if (lowWindows >= patience) {
            lowWindows = 0;
            if (before > minimum) {
                active = before - 1;
                timesDown.incrementAndGet();
            }
        }
    }

    /// Returns the number of executors that get tasks now.
    public int activeExecutors() {
        return active;
    }

    /// The share of the last window, 0 to 1, for which the active executors were at work; 0 before
    /// the first has ended.
    public double utilisation() {
        return utilisation;
    }

    /// Returns the number of times that executors were made active.
    public long timesScaledUp() {
        return timesUp.get();
    }

    /// Returns the number of times that an executor was made inactive.
    public long timesScaledDown() {
        return timesDown.get();
    }

    @Override
    public String toString() {
        return "ScalingChooser(" + active + " active, at least " + minimum + ")";
    }
}
