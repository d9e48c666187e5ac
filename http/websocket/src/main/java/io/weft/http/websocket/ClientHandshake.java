package io.weft.http.websocket;

import io.weft.channel.Channel;
import io.weft.codec.websocket.DeflateParameters;
import io.weft.codec.websocket.PerMessageDeflate;
import io.weft.codec.websocket.Role;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client's side of the opening handshake (RFC 6455, 4.1): a request, and the check of its
/// answer.
///
/// The client of `http/client` makes the handshake, with its proxies, TLS and cookies, by a target
/// of `http://…` or `https://…`; over HTTP/2, too, if it insists on that (RFC 8441):
///
/// ```java
/// client.upgradeAsync(
///         handshake.request(),
///         (channel, status, headers) -> handshake.open(channel, status, headers, listener));
/// ```
public final class ClientHandshake {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final WebSocketSettings settings;
    private final String key;
    private final Request request;

    private ClientHandshake(
            RequestTarget target, String host, Headers more, WebSocketSettings settings) {
        this.settings = settings;
        byte[] nonce = new byte[16];
        RANDOM.nextBytes(nonce);
        key = Base64.getEncoder().encodeToString(nonce);
        HeadersBuilder headers =
                Headers.builder()
                        .add(HeaderName.HOST, host)
                        .add(HeaderName.CONNECTION, "Upgrade")
                        .add(HeaderName.UPGRADE, "websocket")
                        .add(HeaderName.SEC_WEBSOCKET_VERSION, HandshakeFields.VERSION)
                        .add(HeaderName.SEC_WEBSOCKET_KEY, key);
        if (!settings.subprotocols().isEmpty()) {
            headers.add(
                    HeaderName.SEC_WEBSOCKET_PROTOCOL, String.join(", ", settings.subprotocols()));
        }
        DeflateParameters deflate = settings.deflate();
        if (deflate != null) {
            headers.add(HeaderName.SEC_WEBSOCKET_EXTENSIONS, PerMessageDeflate.offer(deflate));
        }
        more.forEach(field -> headers.add(field.name(), field.value()));
        request = Request.of(Method.GET, target, Version.HTTP_1_1, headers.build(), Body.empty());
    }

    /// A handshake with a key of its own.
    ///
    /// @param host for the Host field: with the port unless that is the scheme's
    /// @param more fields, such as Origin, Cookie or Authorization
    public static ClientHandshake of(
            RequestTarget target, String host, Headers more, WebSocketSettings settings) {
        return new ClientHandshake(target, host, more, settings);
    }

    public Request request() {
        return request;
    }

    /// Checks the server's answer.
    ///
    /// @throws WebSocketHandshakeException when the server refuses, or agrees to something else
    public Agreement check(Status status, Headers headers) throws WebSocketHandshakeException {
        // RFC 6455, 4.1: each of the answer's rules
        require(status, status == Status.SWITCHING_PROTOCOLS, "101", status.toString());
        List<String> upgrade = headers.all(HeaderName.UPGRADE);
        require(
                status,
                upgrade.size() == 1 && upgrade.getFirst().equalsIgnoreCase("websocket"),
                "upgrade: websocket",
                upgrade.toString());
        require(
                status,
                headers.containsToken(HeaderName.CONNECTION, "upgrade"),
                "connection: upgrade",
                headers.all(HeaderName.CONNECTION).toString());
        List<String> accept = headers.all(HeaderName.SEC_WEBSOCKET_ACCEPT);
        require(
                status,
                accept.equals(List.of(HandshakeFields.accept(key))),
                "sec-websocket-accept: the key's",
                accept.toString());
        return agreement(status, headers);
    }

    /// Returns the terms that the server has chosen.
    private Agreement agreement(Status status, Headers headers) throws WebSocketHandshakeException {
        List<String> chosen = headers.all(HeaderName.SEC_WEBSOCKET_PROTOCOL);
        String subprotocol = chosen.isEmpty() ? null : chosen.getFirst();
        require(
                status,
                chosen.isEmpty()
                        || (chosen.size() == 1 && settings.subprotocols().contains(subprotocol)),
                "sec-websocket-protocol: one of " + settings.subprotocols(),
                chosen.toString());
        return new Agreement(subprotocol, deflate(status, headers));
    }

    /// Begins the connection on a channel whose handshake was made by something else, such as an
    /// HTTP client: checks the server's answer, and adds the handler. On the channel's loop.
    ///
    /// @param listener of this connection, or of many
    /// @return the open connection, once the listener has heard of it
    /// @throws WebSocketHandshakeException when the server refuses, or agrees to something else
    /// @throws IOException when the channel does not take the options that are needed
    public WebSocket open(
            Channel channel, Status status, Headers headers, WebSocketListener listener)
            throws WebSocketHandshakeException, IOException {
        // RFC 8441, 5: over HTTP/2 success is 2xx, and there is no key to answer.
        Agreement agreement =
                status.code() / 100 == 2 ? agreement(status, headers) : check(status, headers);
        var handler = new WebSocketHandler(Role.CLIENT, settings, agreement, listener);
        WebSocketUpgrade.open(channel, handler, settings);
        return handler.socket();
    }

    private @Nullable DeflateParameters deflate(Status status, Headers headers)
            throws WebSocketHandshakeException {
        try {
            return PerMessageDeflate.agreed(
                    headers.all(HeaderName.SEC_WEBSOCKET_EXTENSIONS), settings.deflate());
        } catch (IllegalArgumentException e) {
            throw new WebSocketHandshakeException(status, String.valueOf(e.getMessage()));
        }
    }

    private static void require(Status status, boolean holds, String expected, String actual)
            throws WebSocketHandshakeException {
        if (!holds) {
            throw new WebSocketHandshakeException(
                    status, "server's answer: " + actual + " (expected: " + expected + ")");
        }
    }
}
