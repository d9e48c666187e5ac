package io.weft.examples.proxy;

import io.weft.channel.Channel;
import io.weft.engine.ChannelOption;
import io.weft.http.client.ClientUpgrade;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import io.weft.http.server.Upgrade;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request for WebSocket that is passed on: if the server agrees, its connection becomes a tunnel
/// of the client's.
///
/// Other protocols are not passed on, and their Upgrade field is dropped: behind h2c, for one, a
/// client would send requests that no rule of the proxy sees.
final class WebSocketPassage implements ClientUpgrade {
    private static final String WEBSOCKET = "websocket";

    private @Nullable Channel server;

    /// Tells if this is a request for WebSocket (RFC 6455, 4.1; RFC 9110, 7.8).
    static boolean isAskedFor(Request request) {
        return request.method().equals(Method.GET)
                && request.version() != Version.HTTP_1_0
                && request.body() instanceof Body.Empty
                && isWebSocket(request.headers());
    }

    private static boolean isWebSocket(Headers fields) {
        return WEBSOCKET.equalsIgnoreCase(fields.first(HeaderName.UPGRADE))
                && fields.containsToken(HeaderName.CONNECTION, "upgrade");
    }

    /// Returns a request that was stripped of the fields of its connection, with those for this.
    static Request asking(Request stripped) {
        return stripped.withHeaders(
                stripped.headers().toBuilder()
                        .remove(HeaderName.TE)
                        .set(HeaderName.CONNECTION, "upgrade")
                        .set(HeaderName.UPGRADE, WEBSOCKET)
                        .build());
    }

    /// The server agrees. What it sends is held until the client has the tunnel.
    @Override
    public void open(Channel channel, Status status, Headers headers) throws IOException {
        if (!isWebSocket(headers)) {
            throw new IOException(
                    "upgrade: "
                            + headers.first(HeaderName.UPGRADE)
                            + " (expected: websocket, which was asked for)");
        }
        channel.setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        channel.pipeline().addLast("hold", new Hold());
        server = channel;
    }

    boolean isOpen() {
        return server != null;
    }

    /// The answer to the client.
    ///
    /// @param fields end to end
    Response answer(Headers fields) {
        return Upgrade.to(WEBSOCKET, fields, new HeldServer(Objects.requireNonNull(server)));
    }
}
