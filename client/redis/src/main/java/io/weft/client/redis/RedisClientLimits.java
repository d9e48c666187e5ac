package io.weft.client.redis;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Limits of a client.
///
/// @param inFlight commands that are sent and not answered: 1 to 1,048,576
/// @param waiting commands that wait to be sent
/// @param timeout from a command to its reply. The connection of one that was sent is given up
///     then: replies come in order, so that none behind it would come. A command that blocks on
///     purpose needs a client that allows more
/// @param firstRetry time before the client connects again, which doubles with each attempt that
///     fails
/// @param lastRetry the longest such time
public record RedisClientLimits(
        int inFlight, int waiting, Duration timeout, Duration firstRetry, Duration lastRetry) {
    public static final RedisClientLimits DEFAULT =
            new RedisClientLimits(
                    1024,
                    65_536,
                    Duration.ofSeconds(30),
                    Duration.ofMillis(50),
                    Duration.ofSeconds(5));

    /// @throws IllegalArgumentException when one is out of its range
    public RedisClientLimits {
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

    public RedisClientLimits inFlight(int commands) {
        return new RedisClientLimits(commands, waiting, timeout, firstRetry, lastRetry);
    }

    public RedisClientLimits waiting(int commands) {
        return new RedisClientLimits(inFlight, commands, timeout, firstRetry, lastRetry);
    }

    public RedisClientLimits timeout(Duration time) {
        return new RedisClientLimits(inFlight, waiting, time, firstRetry, lastRetry);
    }

    public RedisClientLimits retries(Duration first, Duration last) {
        return new RedisClientLimits(inFlight, waiting, timeout, first, last);
    }

    /// Nanoseconds from a command to its end at the latest.
    long timeoutNanos() {
        return nanos(timeout);
    }

    /// Nanoseconds before the client connects again.
    ///
    /// @param failures attempts that have failed in a row
    long retryNanos(int failures) {
        long first = nanos(firstRetry);
        long last = nanos(lastRetry);
        int doubled = Math.min(16, failures);
        return first > last >> doubled ? last : first << doubled;
    }

    private static long nanos(Duration time) {
        return Math.min(TimeUnit.NANOSECONDS.convert(time), Long.MAX_VALUE >> 2);
    }
}
