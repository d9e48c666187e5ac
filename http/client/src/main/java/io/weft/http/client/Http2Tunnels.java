package io.weft.http.client;

import io.weft.channel.Channel;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.Http2StreamHandle;
import io.weft.http.http2.RequestHead;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Streams of one connection behind whose responses something else begins: requests that ask for
/// that, and channels once the server has agreed to a tunnel. Thread: the loop.
record Http2Tunnels(Http2ClientConnection connection, Channel channel)
        implements Http2StreamHandle.Owner {
    /// CONNECT stays what it is (RFC 9113, 8.5). A request that offers an upgrade becomes an
    /// extended CONNECT to the protocol that it names (RFC 8441, 4), without the fields that stand
    /// for that in HTTP/1.1, and without the key of WebSocket (5.1).
    ///
    /// @throws IllegalArgumentException when it offers several protocols, or the server takes none
    static RequestHead request(Request request, Http2ClientConnection connection) {
        Headers headers = request.headers();
        if (request.method() == Method.CONNECT) {
            return new RequestHead(Method.CONNECT, "", request.target(), null, headers, -1);
        }
        List<String> protocols = headers.all(HeaderName.UPGRADE);
        if (protocols.size() != 1
                || !protocols.getFirst().chars().allMatch(HeaderName::isTokenChar)) {
            throw new IllegalArgumentException(
                    "upgrade: " + protocols + " over HTTP/2 (expected: one protocol)");
        }
        if (!connection.takesExtendedConnect()) {
            throw new IllegalArgumentException(
                    "upgrade: over HTTP/2 (expected: a server with"
                            + " SETTINGS_ENABLE_CONNECT_PROTOCOL; RFC 8441)");
        }
        Headers fields =
                headers.toBuilder()
                        .remove(HeaderName.CONNECTION)
                        .remove(HeaderName.UPGRADE)
                        .remove(HeaderName.SEC_WEBSOCKET_KEY)
                        .build();
        return new RequestHead(
                Method.CONNECT,
                connection.scheme(),
                request.target(),
                protocols.getFirst(),
                fields,
                -1);
    }

    /// Makes a channel of a stream.
    ///
    /// @param begin adds the protocol's handlers; false when the channel is of no use
    void open(Http2StreamHandle tunnel, Predicate<Channel> begin) throws IOException {
        var _ =
                Channel.over(
                        tunnel,
                        channel.eventLoop(),
                        channel.options(),
                        opened -> {
                            if (!begin.test(opened)) {
                                channel.eventLoop().executeUnbounded(opened::abort);
                            }
                        });
    }

    @Override
    public EventExecutor executor() {
        return channel.eventLoop();
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    /// A client's streams send in the order in which they are asked to.
    @Override
    public boolean isShared() {
        return false;
    }

    /// Frames are gathered until the flush.
    @Override
    public void wrote() {}

    @Override
    public void flush() {
        connection.flush();
    }

    @Override
    public void closed(Http2Stream stream) {
        if (stream.attachment() instanceof Http2Wire wire) {
            connection.finished(wire);
        }
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return channel.localAddress();
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return channel.remoteAddress();
    }
}
