package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.ResponseCode;
import java.time.Duration;

/// Hears what a resolver does, for logs, traces and metrics. All methods are called on the
/// resolver's loop and must not block; what they throw is logged.
public interface DnsObserver {
    /// Hears nothing.
    DnsObserver NONE = new DnsObserver() {};

    /// A query was sent.
    ///
    /// @param over `udp`, `tcp`, `tls` or `custom`
    /// @param hedge whether another server was asked before, and may still answer
    default void sent(DnsQuestion question, DnsServer server, String over, boolean hedge) {}

    /// A message was ignored.
    default void ignored(DnsQuestion question, DnsServer server, Misfit why) {}

    /// A response over UDP was not taken, and the query goes over TCP.
    default void turnedToTcp(DnsQuestion question, DnsServer server) {}

    /// A server has responded.
    ///
    /// @param after the time since the query was sent
    default void responded(
            DnsQuestion question, DnsServer server, ResponseCode code, Duration after) {}

    /// An attempt at a server has failed; others may follow.
    default void failed(DnsQuestion question, DnsServer server, Throwable cause) {}

    /// An alias is followed to a name that has to be asked for.
    default void followed(DnsQuestion question, DnsName target) {}

    /// A question was answered.
    ///
    /// @param after the time since it was asked, waiting included
    default void answered(DnsAnswer answer, Duration after) {}
}
