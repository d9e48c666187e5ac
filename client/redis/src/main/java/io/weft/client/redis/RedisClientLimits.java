package io.weft.client.redis;

import io.weft.client.pipelined.PipelineLimits;
import java.time.Duration;

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
        var _ = new PipelineLimits(inFlight, waiting, timeout, firstRetry, lastRetry);
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

    PipelineLimits pipeline() {
        return new PipelineLimits(inFlight, waiting, timeout, firstRetry, lastRetry);
    }
}
