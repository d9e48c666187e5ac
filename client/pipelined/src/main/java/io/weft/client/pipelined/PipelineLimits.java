package io.weft.client.pipelined;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Limits of a client as its pipeline needs them.
///
/// @param inFlight calls that are sent and not answered: 1 to 1,048,576
/// @param waiting calls that wait to be sent
/// @param timeout from a call to its answer
/// @param firstRetry time before the client connects again, which doubles with each attempt that
///     fails
/// @param lastRetry the longest such time
public record PipelineLimits(
        int inFlight, int waiting, Duration timeout, Duration firstRetry, Duration lastRetry) {
    /// @throws IllegalArgumentException when one is out of its range
    public PipelineLimits {
        if (inFlight < 1 || inFlight > 1 << 20 || waiting < 0) {
            throw new IllegalArgumentException(
                    "inFlight, waiting: "
                            + inFlight
                            + ", "
                            + waiting
                            + " (expected: 1 to 1048576, >= 0)");
        }
        if (!timeout.isPositive()
                || !firstRetry.isPositive()
                || lastRetry.compareTo(firstRetry) < 0) {
            throw new IllegalArgumentException(
                    "timeout, firstRetry, lastRetry: "
                            + timeout
                            + ", "
                            + firstRetry
                            + ", "
                            + lastRetry
                            + " (expected: positive, and the last not shorter than the first)");
        }
    }

    /// Returns the nanoseconds from a call to its end at the latest.
    long timeoutNanos() {
        return nanos(timeout);
    }

    /// Returns the nanoseconds before the client connects again.
    ///
    /// @param failures attempts that have failed in a row
    long retryNanos(int failures) {
        long first = nanos(firstRetry);
        long last = nanos(lastRetry);
        int doubled = Math.min(16, failures);
        return first > last >> doubled ? last : first << doubled;
    }

    /// Returns the nanoseconds of a time; 73 years at most, which may be doubled.
    public static long nanos(Duration time) {
        return Math.min(TimeUnit.NANOSECONDS.convert(time), Long.MAX_VALUE >> 2);
    }
}
