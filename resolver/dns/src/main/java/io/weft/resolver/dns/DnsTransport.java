package io.weft.resolver.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;

/// A way to a server that the resolver does not know itself, as DNS over HTTPS.
///
/// It must be one that nobody else can write to: of its responses, the question alone is checked.
@FunctionalInterface
public interface DnsTransport {
    /// Sends a query, and gets the response to it. Must not block.
    ///
    /// @param query with the id 0, as caches of HTTP like it (RFC 8484, 4.1); a transport may
    ///     choose another
    /// @param executor runs the listeners of the future
    /// @return the response, whose id does not matter. Cancelling it may give the query up.
    Future<DnsMessage> exchange(DnsMessage query, EventExecutor executor);
}
