package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.channel.Channel;
import io.weft.engine.ChannelOption;
import io.weft.http.client.ClientUpgrade;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import io.weft.http.server.Upgrade;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A request for WebSocket that is passed on: if the server agrees, its connection becomes a tunnel
/// of the client's, or a stream of it over HTTP/2 (RFC 8441).
///
/// The key of the handshake is between the two ends if both speak HTTP/1.1, and means nothing over
/// HTTP/2. If only one end does, this is the other end of its handshake.
///
/// Other protocols are not passed on, and their Upgrade field is dropped: behind h2c, for one, a
/// client would send requests that no rule of the proxy sees.
final class WebSocketPassage implements ClientUpgrade {
    private static final String WEBSOCKET = "websocket";

    /// RFC 6455, 1.3.
    private static final String GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

    private static final int KEY_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    /// The key of the client's handshake; null for one over HTTP/2.
    private final @Nullable String key;

    /// The key that the server gets; null where it gets the client's, or none.
    private @Nullable String own;

    private final Duration idle;
    private @Nullable HeldServer server;
    private boolean agreesOverHttp2;

    /// @param idle time without a byte in either direction after which the tunnel is aborted
    /// @throws IllegalArgumentException when a client of HTTP/1.1 has sent no key
    WebSocketPassage(Request request, Duration idle) {
        this.idle = idle;
        key =
                request.version() == Version.HTTP_2
                        ? null
                        : request.headers().first(HeaderName.SEC_WEBSOCKET_KEY);
        if (request.version() != Version.HTTP_2 && !isKey(key)) {
            throw new IllegalArgumentException(
                    "sec-websocket-key: " + key + " (expected: 16 bytes in Base64)");
        }
    }

    private static boolean isKey(@Nullable String key) {
        try {
            return key != null && Base64.getDecoder().decode(key).length == KEY_BYTES;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /// Tells if this is a request for WebSocket (RFC 6455, 4.1; RFC 9110, 7.8).
    static boolean isAskedFor(Request request) {
        return request.method().equals(Method.GET)
                && request.version() != Version.HTTP_1_0
                && request.body() instanceof Body.Empty
                && isWebSocket(request.headers());
    }

    /// Tells if this is an extended CONNECT for another protocol, which is no request without it: a
    /// server of HTTP/2 knows no Upgrade field but of these.
    static boolean isOtherTunnel(Request request) {
        return request.version() == Version.HTTP_2
                && request.headers().contains(HeaderName.UPGRADE)
                && !isWebSocket(request.headers());
    }

    private static boolean isWebSocket(Headers fields) {
        return WEBSOCKET.equalsIgnoreCase(fields.first(HeaderName.UPGRADE))
                && fields.containsToken(HeaderName.CONNECTION, "upgrade");
    }

    /// Returns a request that was stripped of the fields of its connection, with those for this.
    Request asking(Request stripped) {
        HeadersBuilder fields =
                stripped.headers().toBuilder()
                        .remove(HeaderName.TE)
                        .set(HeaderName.CONNECTION, "upgrade")
                        .set(HeaderName.UPGRADE, WEBSOCKET);
        if (key == null) {
            byte[] random = new byte[KEY_BYTES];
            RANDOM.nextBytes(random);
            own = Base64.getEncoder().encodeToString(random);
            fields.set(HeaderName.SEC_WEBSOCKET_KEY, own);
        }
        return stripped.withHeaders(fields.build());
    }

    private static String accept(String key) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-1").digest((key + GUID).getBytes(US_ASCII));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("SHA-1, which every JDK has", e);
        }
    }

    /// The server agrees. What it sends is held until the client has the tunnel, for a time: from
    /// now on, whatever becomes of the answer to the client.
    @Override
    public void open(Channel channel, Status status, Headers headers) throws IOException {
        boolean switches = status == Status.SWITCHING_PROTOCOLS;
        if (switches && !isWebSocket(headers)) {
            throw new IOException(
                    "upgrade: "
                            + headers.first(HeaderName.UPGRADE)
                            + " (expected: websocket, which was asked for)");
        }
        String accepted = headers.first(HeaderName.SEC_WEBSOCKET_ACCEPT);
        if (switches && own != null && !accept(own).equals(accepted)) {
            throw new IOException(
                    "sec-websocket-accept: " + accepted + " (expected: the answer to the key)");
        }
        agreesOverHttp2 = !switches;
        channel.setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
        channel.pipeline().addLast("hold", new Hold());
        server = new HeldServer(channel, idle);
    }

    boolean isOpen() {
        return server != null;
    }

    /// The answer to the client.
    ///
    /// @param fields end to end
    Response answer(Headers fields) {
        Headers all =
                agreesOverHttp2 && key != null
                        ? fields.with(HeaderName.SEC_WEBSOCKET_ACCEPT, accept(key))
                        : fields;
        return Upgrade.to(WEBSOCKET, all, Objects.requireNonNull(server));
    }
}
