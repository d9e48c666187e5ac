package io.weft.resolver.dns;

/// Events that a resolver counts; see [DnsResolver#counters].
public enum DnsCounter {
    /// Questions that callers asked for one name, search and aliases not counted.
    QUESTIONS,
    /// Questions that were answered together with one in flight.
    COALESCED,
    /// Questions about one name that the cache answered.
    CACHED,
    /// Of these, with records that have expired, as no server answered in time.
    STALE,
    /// Queries sent over UDP.
    SENT_UDP,
    /// Queries sent over TCP.
    SENT_TCP,
    /// Queries sent over TLS.
    SENT_TLS,
    /// Queries sent over a [DnsTransport].
    SENT_CUSTOM,
    /// Queries to a second server beside the first.
    HEDGED,
    /// Responses that were taken.
    RESPONSES,
    /// Messages that were ignored, for whatever [Misfit].
    IGNORED,
    /// Responses that were cut off.
    TRUNCATED,
    /// Queries that went over TCP for a response over UDP that was not taken.
    TURNED_TO_TCP,
    /// Attempts that ended without a response in time.
    TIMEOUTS,
    /// Attempts that failed otherwise.
    FAILURES,
    /// Connections opened, of TCP and TLS.
    CONNECTIONS,
    /// Questions that failed.
    UNANSWERED
}
