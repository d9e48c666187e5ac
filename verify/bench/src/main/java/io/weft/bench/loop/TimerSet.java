package io.weft.bench.loop;

import java.util.Random;

/// Timeouts of one loop, and what the benchmarks do with them. All but the constructor is for the
/// thread that may arm and cancel.
///
/// @param <T> what a timeout is called on that side
final class TimerSet<T> {
    private static final long SEED = 42;
    private static final int MAX_HOURS = 100_000;

    private final TimerLoop<T> loop;
    private final T[] timeouts;
    private final int[] shuffled;
    private int next;

    @SuppressWarnings("unchecked") // arrays have no type parameters
    TimerSet(TimerLoop<T> loop, int size) {
        this.loop = loop;
        timeouts = (T[]) new Object[size];
        shuffled = new Random(SEED).ints(0, size).distinct().limit(size).toArray();
    }

    void arm() {
        for (int i = 0; i < timeouts.length; i++) {
            timeouts[i] = loop.arm(i + 1);
        }
    }

    void armAndCancel() {
        for (int i = 0; i < timeouts.length; i++) {
            timeouts[i] = loop.arm(i + 1);
            loop.cancel(timeouts[i]);
        }
    }

    void cancelInOrder() {
        for (T timeout : timeouts) {
            loop.cancel(timeout);
        }
    }

    void cancelInReverseOrder() {
        for (int i = timeouts.length - 1; i >= 0; i--) {
            loop.cancel(timeouts[i]);
        }
    }

    void cancelInRandomOrder() {
        for (int i : shuffled) {
            loop.cancel(timeouts[i]);
        }
    }

    /// Replaces the timeout that is due first by one that is due last, `times` times.
    void rearmOldest(int times) {
        for (int n = 0; n < times; n++) {
            rearm(next, MAX_HOURS);
            next = next + 1 == timeouts.length ? 0 : next + 1;
        }
    }

    /// Replaces the timeout that was armed last, `times` times.
    void rearmNewest(int times) {
        for (int n = 0; n < times; n++) {
            rearm(timeouts.length - 1, MAX_HOURS);
        }
    }

    /// Replaces a timeout by one with any delay, `times` times.
    void rearmAny(int times) {
        for (int n = 0; n < times; n++) {
            int i = shuffled[next];
            rearm(i, 1 + (int) (i * 31L + n) % MAX_HOURS);
            next = next + 1 == timeouts.length ? 0 : next + 1;
        }
    }

    /// Puts off a timeout, so that it is due last, `times` times.
    void putOff(int times) {
        for (int n = 0; n < times; n++) {
            int i = shuffled[next];
            timeouts[i] = loop.putOff(timeouts[i], MAX_HOURS);
            next = next + 1 == timeouts.length ? 0 : next + 1;
        }
    }

    private void rearm(int i, int hours) {
        loop.cancel(timeouts[i]);
        timeouts[i] = loop.arm(hours);
    }
}
