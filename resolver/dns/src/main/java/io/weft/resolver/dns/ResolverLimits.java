package io.weft.resolver.dns;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// Limits of a resolver.
///
/// @param inFlight questions that are asked at a time
/// @param waiting questions that wait, to be asked or for the answer to an equal one: at most
///     `inFlight` and `waiting` together have no answer yet
/// @param aliases CNAME and DNAME records that are followed for one question
/// @param misfits responses to one query that do not fit it, after which TCP is tried
/// @param portUses queries over UDP that one source port serves at most, one after another within
///     a quarter of a second; each serves a random number up to that. 1: each query has a port of its
///     own
/// @param total time for one call of a resolver, whatever names, aliases, servers and attempts
///     there are, and while it waits
/// @param hedge longest time before a second server is asked beside the first, while nothing is
///     known of how fast that is
/// @param idle time for which a connection without queries is kept
/// @param maxTtl seconds, the longest time to live that answers have
/// @param maxNegativeTtl seconds, the same of answers that there is nothing (RFC 2308, 5)
public record ResolverLimits(
        int inFlight,
        int waiting,
        int aliases,
        int misfits,
        int portUses,
        Duration total,
        Duration hedge,
        Duration idle,
        int maxTtl,
        int maxNegativeTtl) {
    public static final ResolverLimits DEFAULT =
            new ResolverLimits(
                    1024,
                    8192,
                    16,
                    16,
                    16,
                    Duration.ofSeconds(30),
                    Duration.ofMillis(500),
                    Duration.ofSeconds(10),
                    86_400,
                    10_800);

    /// @throws IllegalArgumentException when one is out of its range
    public ResolverLimits {
        range("inFlight", inFlight, 1, 16_384);
        range("waiting", waiting, 0, 1 << 20);
        range("aliases", aliases, 0, 128);
        range("misfits", misfits, 1, 1024);
        range("portUses", portUses, 1, 1024);
        range("maxTtl", maxTtl, 1, Integer.MAX_VALUE);
        range("maxNegativeTtl", maxNegativeTtl, 0, Integer.MAX_VALUE);
        range("total", millis(total), 1, 600_000);
        range("hedge", millis(hedge), 1, 600_000);
        range("idle", millis(idle), 0, 600_000);
    }

    /// Saturates, so that a time beyond the range of a long is refused like any other.
    private static long millis(Duration time) {
        return TimeUnit.MILLISECONDS.convert(time);
    }

    private static void range(String what, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: " + min + " to " + max + ")");
        }
    }

    public ResolverLimits inFlight(int questions) {
        return new ResolverLimits(
                questions,
                waiting,
                aliases,
                misfits,
                portUses,
                total,
                hedge,
                idle,
                maxTtl,
                maxNegativeTtl);
    }

    public ResolverLimits waiting(int questions) {
        return new ResolverLimits(
                inFlight,
                questions,
                aliases,
                misfits,
                portUses,
                total,
                hedge,
                idle,
                maxTtl,
                maxNegativeTtl);
    }

    public ResolverLimits aliases(int records) {
        return new ResolverLimits(
                inFlight,
                waiting,
                records,
                misfits,
                portUses,
                total,
                hedge,
                idle,
                maxTtl,
                maxNegativeTtl);
    }

    public ResolverLimits misfits(int responses) {
        return new ResolverLimits(
                inFlight,
                waiting,
                aliases,
                responses,
                portUses,
                total,
                hedge,
                idle,
                maxTtl,
                maxNegativeTtl);
    }

    public ResolverLimits portUses(int queries) {
        return new ResolverLimits(
                inFlight,
                waiting,
                aliases,
                misfits,
                queries,
                total,
                hedge,
                idle,
                maxTtl,
                maxNegativeTtl);
    }

    public ResolverLimits total(Duration time) {
        return new ResolverLimits(
                inFlight,
                waiting,
                aliases,
                misfits,
                portUses,
                time,
                hedge,
                idle,
                maxTtl,
                maxNegativeTtl);
    }

    public ResolverLimits hedge(Duration time) {
        return new ResolverLimits(
                inFlight,
                waiting,
                aliases,
                misfits,
                portUses,
                total,
                time,
                idle,
                maxTtl,
                maxNegativeTtl);
    }

    public ResolverLimits idle(Duration time) {
        return new ResolverLimits(
                inFlight,
                waiting,
                aliases,
                misfits,
                portUses,
                total,
                hedge,
                time,
                maxTtl,
                maxNegativeTtl);
    }

    /// @param positive seconds
    /// @param negative seconds
    public ResolverLimits ttl(int positive, int negative) {
        return new ResolverLimits(
                inFlight, waiting, aliases, misfits, portUses, total, hedge, idle, positive,
                negative);
    }
}
