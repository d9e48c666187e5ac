package io.weft.resolver.dns;

import java.time.Duration;

/// Limits of the cache of a [DnsResolver]. Immutable. Times to live are those of [ResolverLimits].
///
/// @param bytes of heap that answers may take, by an estimate from above; those go first that were
///     not asked for the longest
/// @param entries answers, positive, negative and aliases; the same go first
/// @param stale time for which expired records are still given while no server answers (RFC 8767);
///     zero: not at all
/// @param staleAnswer time for which servers are waited for before expired records are given
/// @param staleRetry time after a failure in which servers are not asked again while there are
///     expired records
public record DnsCacheLimits(
        int bytes, int entries, Duration stale, Duration staleAnswer, Duration staleRetry) {
    private static final Duration LONGEST = Duration.ofDays(7);

    public static final DnsCacheLimits DEFAULT =
            new DnsCacheLimits(
                    4 << 20,
                    16_384,
                    Duration.ZERO,
                    Duration.ofMillis(1_800), // RFC 8767 5: the client response timer
                    Duration.ofSeconds(30)); // RFC 8767 5: the failure recheck timer

    /// @throws IllegalArgumentException when a number is below 1, or a time negative or above a
    ///     week
    public DnsCacheLimits {
        positive("bytes", bytes);
        positive("entries", entries);
        time("stale", stale);
        time("staleAnswer", staleAnswer);
        time("staleRetry", staleRetry);
    }

    private static void positive(String what, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(what + ": " + value + " (expected: >= 1)");
        }
    }

    private static void time(String what, Duration value) {
        if (value.isNegative() || value.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: PT0S.." + LONGEST + ")");
        }
    }

    /// Returns these limits with others for the size.
    public DnsCacheLimits size(int bytes, int entries) {
        return new DnsCacheLimits(bytes, entries, stale, staleAnswer, staleRetry);
    }

    /// Returns these limits with expired records given for `time`; RFC 8767 recommends one to three
    /// days.
    public DnsCacheLimits stale(Duration time) {
        return new DnsCacheLimits(bytes, entries, time, staleAnswer, staleRetry);
    }

    /// Returns these limits with other timers for expired records.
    public DnsCacheLimits staleTimers(Duration answer, Duration retry) {
        return new DnsCacheLimits(bytes, entries, stale, answer, retry);
    }
}
