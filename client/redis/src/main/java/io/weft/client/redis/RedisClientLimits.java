package io.weft.client.redis;

import java.time.Duration;

/// Limits of a client.
///
/// @param inFlight commands that are sent and not answered: 1 to 1,048,576
/// @param waiting commands that wait to be sent
/// @param firstRetry time before the client connects again, which doubles with each attempt that
///     fails
/// @param lastRetry the longest such time
public record RedisClientLimits(
        int inFlight, int waiting, Duration firstRetry, Duration lastRetry) {
    public static final RedisClientLimits DEFAULT =
            new RedisClientLimits(1024, 65_536, Duration.ofMillis(50), Duration.ofSeconds(5));

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
        if (firstRetry.isNegative() || firstRetry.isZero() || lastRetry.compareTo(firstRetry) < 0) {
            throw new IllegalArgumentException(
                    "firstRetry, lastRetry: "
                            + firstRetry
                            + ", "
                            + lastRetry
                            + " (expected: positive, and the last not shorter)");
        }
    }

    public RedisClientLimits inFlight(int commands) {
        return new RedisClientLimits(commands, waiting, firstRetry, lastRetry);
    }

    public RedisClientLimits waiting(int commands) {
        return new RedisClientLimits(inFlight, commands, firstRetry, lastRetry);
    }

    public RedisClientLimits retries(Duration first, Duration last) {
        return new RedisClientLimits(inFlight, waiting, first, last);
    }
}
