package io.weft.http.client;

import io.weft.channel.Channel;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;

/// A protocol that takes over the connection of a request, or its stream over HTTP/2, behind the
/// head of its response: 101 to an upgrade (RFC 9110, 7.8), or 2xx to CONNECT (9.3.6). See
/// [HttpClient#upgradeAsync].
@FunctionalInterface
public interface ClientUpgrade {
    /// Adds the protocol's handlers to the channel's pipeline, on its loop. They get the bytes that
    /// came behind the response's head as their first message, and from then on everything; over
    /// HTTP/1.1 there is no `channelActive`. The channel is the protocol's to close, and no limit
    /// or time-out of the client applies to it.
    ///
    /// @param status of the response, 101 or 2xx
    /// @param headers of the response, among them what the server has agreed to
    /// @throws Exception when the server has agreed to something else: the connection ends, and the
    ///     call fails with this as its cause
    void open(Channel channel, Status status, Headers headers) throws Exception;
}
