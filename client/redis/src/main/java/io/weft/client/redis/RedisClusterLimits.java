package io.weft.client.redis;

import java.time.Duration;

/// Limits of a client of a cluster, beside the [RedisClientLimits] of each node's client.
///
/// @param nodes that are connected to: a server could name any
/// @param redirections that one command follows in a row
/// @param total time from a command to its reply, redirections and repetitions included. A command
///     that blocks on purpose needs a cluster that allows more, and so do the clients of its nodes:
///     [RedisClientLimits#timeout]
/// @param firstRetry time before a command is repeated, which doubles with each repetition
/// @param lastRetry the longest such time
public record RedisClusterLimits(
        int nodes, int redirections, Duration total, Duration firstRetry, Duration lastRetry) {
    public static final RedisClusterLimits DEFAULT =
            new RedisClusterLimits(
                    256, 5, Duration.ofSeconds(30), Duration.ofMillis(10), Duration.ofSeconds(1));

    /// @throws IllegalArgumentException when one is out of its range
    public RedisClusterLimits {
        if (nodes < 1 || redirections < 0) {
            throw new IllegalArgumentException(
                    "nodes, redirections: "
                            + nodes
                            + ", "
                            + redirections
                            + " (expected: >= 1, >= 0)");
        }
        if (!total.isPositive()
                || !firstRetry.isPositive()
                || lastRetry.compareTo(firstRetry) < 0) {
            throw new IllegalArgumentException(
                    "total, firstRetry, lastRetry: "
                            + total
                            + ", "
                            + firstRetry
                            + ", "
                            + lastRetry
                            + " (expected: positive, and the last not shorter than the first)");
        }
    }

    public RedisClusterLimits nodes(int most) {
        return new RedisClusterLimits(most, redirections, total, firstRetry, lastRetry);
    }

    public RedisClusterLimits redirections(int most) {
        return new RedisClusterLimits(nodes, most, total, firstRetry, lastRetry);
    }

    public RedisClusterLimits total(Duration time) {
        return new RedisClusterLimits(nodes, redirections, time, firstRetry, lastRetry);
    }

    public RedisClusterLimits retries(Duration first, Duration last) {
        return new RedisClusterLimits(nodes, redirections, total, first, last);
    }
}
