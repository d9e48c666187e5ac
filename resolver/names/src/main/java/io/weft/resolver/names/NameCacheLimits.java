package io.weft.resolver.names;

import java.time.Duration;

/// Bounds of a [NameCache]. Immutable.
///
/// @param bytes of heap that entries may take, by an estimate from above; the least used go first
/// @param entries names and aliases, those without an address too
/// @param minTtl shorter times to live of addresses and aliases are lengthened to this; but an
///     answer that may not be kept is not
/// @param maxTtl longer times to live are shortened to this
/// @param unknownTtl time to live of addresses whose resolver does not say
/// @param negativeTtl longest time for which a name without an address is kept, and the one for
///     resolvers that do not say; zero: not at all
/// @param stale time for which expired addresses are still given when no resolver answers (RFC
///     8767); zero: not at all
/// @param staleAnswer time for which a resolver is waited for before expired addresses are given
/// @param staleRetry time after a resolver failed in which it is not asked again while there are
///     expired addresses
/// @param inFlight searches under way at a time; further ones fail
/// @param waiting callers that wait for one search; further ones fail
public record NameCacheLimits(
        int bytes,
        int entries,
        Duration minTtl,
        Duration maxTtl,
        Duration unknownTtl,
        Duration negativeTtl,
        Duration stale,
        Duration staleAnswer,
        Duration staleRetry,
        int inFlight,
        int waiting) {
    private static final Duration LONGEST =
            Duration.ofDays(7); // before the instance that it checks

    public static final NameCacheLimits DEFAULT =
            new NameCacheLimits(
                    4 << 20,
                    16_384,
                    Duration.ZERO,
                    Duration.ofDays(1),
                    Duration.ofSeconds(30),
                    Duration.ofSeconds(10),
                    Duration.ZERO,
                    Duration.ofMillis(1_800), // RFC 8767 5: the client response timer
                    Duration.ofSeconds(30), // RFC 8767 5: the failure recheck timer
                    4_096,
                    65_536);

    /// @throws IllegalArgumentException when a number is below 1, a time is negative or above a
    ///     week, or `minTtl` is above `maxTtl`
    public NameCacheLimits {
        positive("bytes", bytes);
        positive("entries", entries);
        positive("inFlight", inFlight);
        positive("waiting", waiting);
        time("minTtl", minTtl);
        time("maxTtl", maxTtl);
        time("unknownTtl", unknownTtl);
        time("negativeTtl", negativeTtl);
        time("stale", stale);
        time("staleAnswer", staleAnswer);
        time("staleRetry", staleRetry);
        if (minTtl.compareTo(maxTtl) > 0) {
            throw new IllegalArgumentException(
                    "minTtl: " + minTtl + " (expected: at most maxTtl, " + maxTtl + ")");
        }
    }

    private static void positive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
        }
    }

    private static void time(String name, Duration value) {
        if (value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: PT0S.." + LONGEST + ")");
        }
    }

    /// Returns these limits with others for the size of the cache.
    public NameCacheLimits size(int bytes, int entries) {
        return new NameCacheLimits(
                bytes,
                entries,
                minTtl,
                maxTtl,
                unknownTtl,
                negativeTtl,
                stale,
                staleAnswer,
                staleRetry,
                inFlight,
                waiting);
    }

    /// Returns these limits with others for times to live.
    public NameCacheLimits ttl(Duration min, Duration max, Duration negative) {
        return new NameCacheLimits(
                bytes,
                entries,
                min,
                max,
                unknownTtl,
                negative,
                stale,
                staleAnswer,
                staleRetry,
                inFlight,
                waiting);
    }

    /// Returns these limits with expired addresses given for `time`; RFC 8767 recommends one to
    /// three days.
    public NameCacheLimits stale(Duration time) {
        return new NameCacheLimits(
                bytes,
                entries,
                minTtl,
                maxTtl,
                unknownTtl,
                negativeTtl,
                time,
                staleAnswer,
                staleRetry,
                inFlight,
                waiting);
    }

    /// Returns these limits with others for searches under way.
    public NameCacheLimits searches(int inFlight, int waiting) {
        return new NameCacheLimits(
                bytes,
                entries,
                minTtl,
                maxTtl,
                unknownTtl,
                negativeTtl,
                stale,
                staleAnswer,
                staleRetry,
                inFlight,
                waiting);
    }

    /// Brings the time to live of an answer within bounds.
    Duration ttl(Duration told) {
        if (!told.isPositive()) {
            return Duration.ZERO;
        }
        Duration lengthened = told.compareTo(minTtl) < 0 ? minTtl : told;
        return lengthened.compareTo(maxTtl) > 0 ? maxTtl : lengthened;
    }

    Duration negativeTtl(Duration told) {
        return told.compareTo(negativeTtl) > 0 ? negativeTtl : told;
    }
}
