package io.weft.client.memcache;

import io.weft.client.pipelined.PipelineLimits;
import java.time.Duration;

/// Limits of a client.
///
/// @param inFlight requests that are sent and not answered: 1 to 1,048,576
/// @param waiting requests that wait to be sent
/// @param timeout from a request to its answer. The connection of one that was sent is given up
///     then: answers come in order, so that none behind it would come
/// @param firstRetry time before the client connects again, which doubles with each attempt that
///     fails
/// @param lastRetry the longest such time
public record MemcacheClientLimits(
        int inFlight, int waiting, Duration timeout, Duration firstRetry, Duration lastRetry) {
    public static final MemcacheClientLimits DEFAULT =
            new MemcacheClientLimits(
                    1024,
                    65_536,
                    Duration.ofSeconds(5),
                    Duration.ofMillis(50),
                    Duration.ofSeconds(5));

    /// @throws IllegalArgumentException when one is out of its range
    public MemcacheClientLimits {
        var _ = new PipelineLimits(inFlight, waiting, timeout, firstRetry, lastRetry);
    }

    public MemcacheClientLimits inFlight(int requests) {
        return new MemcacheClientLimits(requests, waiting, timeout, firstRetry, lastRetry);
    }

    public MemcacheClientLimits waiting(int requests) {
        return new MemcacheClientLimits(inFlight, requests, timeout, firstRetry, lastRetry);
    }

    public MemcacheClientLimits timeout(Duration time) {
        return new MemcacheClientLimits(inFlight, waiting, time, firstRetry, lastRetry);
    }

    public MemcacheClientLimits retries(Duration first, Duration last) {
        return new MemcacheClientLimits(inFlight, waiting, timeout, first, last);
    }

    PipelineLimits pipeline() {
        return new PipelineLimits(inFlight, waiting, timeout, firstRetry, lastRetry);
    }
}
