package io.weft.http.websocket;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.model.Headers;
import io.weft.http.model.RequestTarget;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.net.URI;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Connects to WebSocket servers over HTTP/1.1.
///
/// ```java
/// WebSocketClient client = WebSocketClient.of(group);
/// WebSocket socket = client.connect(URI.create("ws://localhost:8080/chat"), listener).join();
/// ```
///
/// Immutable; each method returns another client. Any thread.
public final class WebSocketClient {
    private final EventLoopGroup group;
    private final WebSocketSettings settings;
    private final Headers headers;
    private final ChannelInitializer handlers;
    private final boolean secure;

    private WebSocketClient(
            EventLoopGroup group,
            WebSocketSettings settings,
            Headers headers,
            ChannelInitializer handlers,
            boolean secure) {
        this.group = group;
        this.settings = settings;
        this.headers = headers;
        this.handlers = handlers;
        this.secure = secure;
    }

    /// A client with the default settings, on the loops of `group`.
    public static WebSocketClient of(EventLoopGroup group) {
        return new WebSocketClient(group, WebSocketSettings.DEFAULT, Headers.EMPTY, _ -> {}, false);
    }

    public WebSocketClient settings(WebSocketSettings value) {
        return new WebSocketClient(group, value, headers, handlers, secure);
    }

    /// Sends these fields with each handshake, such as Origin, Cookie or Authorization.
    public WebSocketClient headers(Headers fields) {
        return new WebSocketClient(group, settings, fields, handlers, secure);
    }

    /// Adds the handlers of TLS to each connection; without, `wss` is refused.
    ///
    /// @param tls adds them to the pipeline
    public WebSocketClient tls(ChannelInitializer tls) {
        return new WebSocketClient(group, settings, headers, tls, true);
    }

    /// Connects, and does the handshake.
    ///
    /// @param uri with scheme `ws` (or `wss`, if there is [#tls]) and without a fragment
    /// @param listener of this connection, or of many
    /// @return the open connection, once the listener has heard of it; fails with a
    ///     [WebSocketHandshakeException] when the server does not agree, with a
    ///     `SocketTimeoutException` after [WebSocketTimeouts#handshake], and as
    ///     [Bootstrap#connect(String, int)] does
    /// @throws IllegalArgumentException for another URI
    public Future<WebSocket> connect(URI uri, WebSocketListener listener) {
        String scheme = Objects.requireNonNullElse(uri.getScheme(), "").toLowerCase(Locale.ROOT);
        String host = uri.getHost();
        if (!scheme.equals(secure ? "wss" : "ws") || host == null || uri.getFragment() != null) {
            // RFC 6455, 3
            throw new IllegalArgumentException(
                    "uri: "
                            + uri
                            + " (expected: "
                            + (secure ? "wss" : "ws, or wss with TLS,")
                            + " with a host and without a fragment)");
        }
        int standard = secure ? 443 : 80;
        int port = uri.getPort() < 0 ? standard : uri.getPort();
        ClientHandshake handshake =
                ClientHandshake.of(
                        target(uri),
                        port == standard ? host : host + ":" + port,
                        headers,
                        settings);
        Promise<WebSocket> promise = group.next().newPromise();
        connect(
                        unbracketed(host),
                        port,
                        new HandshakeHandler(handshake, settings, listener, promise))
                .addListener(outcome -> fail(outcome.cause(), promise));
        return promise;
    }

    private Future<Channel> connect(String host, int port, HandshakeHandler last) {
        return new Bootstrap(group)
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .handler(
                        channel -> {
                            handlers.initChannel(channel);
                            channel.pipeline().addLast(last);
                        })
                .connect(host, port);
    }

    private static void fail(@Nullable Throwable cause, Promise<WebSocket> promise) {
        if (cause != null) {
            promise.tryFailure(cause);
        }
    }

    /// RFC 6455, 3: path and query; an empty path is `/`.
    private static RequestTarget target(URI uri) {
        String path = Objects.requireNonNullElse(uri.getRawPath(), "");
        String query = uri.getRawQuery();
        return RequestTarget.of((path.isEmpty() ? "/" : path) + (query == null ? "" : "?" + query));
    }

    private static String unbracketed(String host) {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }
}
