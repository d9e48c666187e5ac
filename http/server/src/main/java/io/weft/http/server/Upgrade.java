package io.weft.http.server;

import io.weft.channel.Channel;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;

/// A protocol that takes over the channel of a request, behind the head of its answer.
///
/// ```java
/// Upgrade.to("echo", Headers.EMPTY, channel -> channel.pipeline().addLast(new Echo()));
/// ```
///
/// Answers to requests that came before are sent first, then the head; then [#open] is called. The
/// handlers that it adds get the bytes that came behind the request's head as their first message,
/// and from then on everything. HTTP's handler and its deadlines are gone. The channel allows
/// half-closure, so that handlers close at `channelInputClosed` themselves. If [#open] throws, the
/// channel is aborted.
///
/// Over HTTP/2 the channel is that of one stream, and 101 is sent as 200 (RFC 8441, 5).
///
/// Thread: the channel's loop.
@FunctionalInterface
public interface Upgrade extends Body.Tunnel {
    /// Adds the protocol's handlers behind those that the channel's pipeline has.
    ///
    /// @param channel active, with the head of the answer sent or in its queue
    void open(Channel channel) throws Exception;

    /// Returns 101, which changes to one of the protocols that the request's Upgrade field names.
    /// The fields Connection and Upgrade are added. If the request has no such field, the client
    /// gets 500.
    ///
    /// @param protocol the token of the protocol, such as `websocket`
    /// @throws IllegalArgumentException when `protocol` has a character that is forbidden in a
    ///     field
    static Response to(String protocol, Headers headers, Upgrade upgrade) {
        Headers all =
                headers.toBuilder()
                        .set(HeaderName.CONNECTION, "upgrade")
                        .set(HeaderName.UPGRADE, protocol)
                        .build();
        return Response.of(Status.SWITCHING_PROTOCOLS, all, upgrade);
    }

    /// Returns 200 to CONNECT, which begins a tunnel.
    static Response connected(Upgrade tunnel) {
        return Response.of(Status.OK, Headers.EMPTY, tunnel);
    }
}
