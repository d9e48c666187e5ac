package io.weft.bench.transport.process;

import java.util.Arrays;

/// Times that requests took, in nanoseconds, each kept as it is.
final class Latencies {
    private long[] nanos;
    private int count;

    /// @param expected how many there will be, about: more are taken, with a pause
    Latencies(int expected) {
        nanos = new long[Math.max(1, expected)];
    }

    void add(long time) {
        if (count == nanos.length) {
            nanos = Arrays.copyOf(nanos, 2 * count);
        }
        nanos[count++] = time;
    }

    int count() {
        return count;
    }

    /// Returns the least time, in microseconds, that as many percent of all do not exceed.
    ///
    /// @throws IllegalStateException when there are none
    double micros(double percent) {
        if (count == 0) {
            throw new IllegalStateException("no request was answered");
        }
        Arrays.sort(nanos, 0, count);
        int rank = (int) Math.ceil(percent * count / 100 - 1e-6); // 99.9 has no exact double
        return nanos[Math.clamp(rank, 1, count) - 1] / 1e3;
    }
}
