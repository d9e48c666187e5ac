package io.weft.http.websocket;

import io.weft.codec.websocket.DeflateParameters;
import io.weft.codec.websocket.PerMessageDeflate;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A server's side of the opening handshake (RFC 6455, 4.2), as a function of the request.
public sealed interface ServerHandshake {
    /// The connection changes to WebSocket.
    ///
    /// @param agreement that both ends keep to
    /// @param headers of the answer, without Connection and Upgrade
    record Accepted(Agreement agreement, Headers headers) implements ServerHandshake {}

    /// The request is answered with `response`, and the connection stays with HTTP.
    record Refused(Response response) implements ServerHandshake {}

    /// Tells if a request asks for WebSocket: others are for other handlers.
    static boolean isOffered(Request request) {
        return request.headers().containsToken(HeaderName.UPGRADE, "websocket");
    }

    /// Examines a request.
    ///
    /// Refusals: 405 for another method than GET, 426 for another version than 13 or a request that
    /// does not ask for WebSocket, 403 for an origin that the settings do not allow, 400 for
    /// whatever else is wrong.
    static ServerHandshake of(Request request, WebSocketSettings settings) {
        try {
            Refused refused = check(request, settings);
            return refused != null ? refused : accept(request, settings);
        } catch (IllegalArgumentException e) {
            return refuse(Status.BAD_REQUEST, String.valueOf(e.getMessage()));
        }
    }

    private static @Nullable Refused check(Request request, WebSocketSettings settings) {
        Headers headers = request.headers();
        // RFC 6455, 4.2.1, in its order: 1. GET, and HTTP/1.1, or HTTP/2 (RFC 8441)
        if (request.method() != Method.GET) {
            Response response = refuse(Status.METHOD_NOT_ALLOWED, "GET").response();
            return new Refused(response.withHeader(HeaderName.ALLOW, "GET"));
        }
        if (request.version() == Version.HTTP_1_0 || request.body().length() != 0) {
            return refuse(Status.BAD_REQUEST, "HTTP/1.1 without content");
        }
        // 2. Host
        if (headers.all(HeaderName.HOST).size() != 1) {
            return refuse(Status.BAD_REQUEST, "one Host field");
        }
        // 3. Upgrade
        if (!isOffered(request)) {
            return upgradeRequired();
        }
        // 4. Connection
        if (!headers.containsToken(HeaderName.CONNECTION, "upgrade")) {
            return refuse(Status.BAD_REQUEST, "Connection: Upgrade");
        }
        // 6. Version, before the key, whose rules are that version's
        if (!headers.all(HeaderName.SEC_WEBSOCKET_VERSION)
                .equals(List.of(HandshakeFields.VERSION))) {
            return upgradeRequired();
        }
        // 5. Key
        List<String> keys = headers.all(HeaderName.SEC_WEBSOCKET_KEY);
        if (keys.size() != 1 || !HandshakeFields.isKey(keys.getFirst())) {
            return refuse(Status.BAD_REQUEST, "Sec-WebSocket-Key: 16 bytes in Base64");
        }
        // RFC 6455, 10.2: pages of other origins
        return settings.origin().test(request)
                ? null
                : refuse(Status.FORBIDDEN, "an origin that is allowed");
    }

    private static Accepted accept(Request request, WebSocketSettings settings) {
        Headers headers = request.headers();
        String key = String.valueOf(headers.first(HeaderName.SEC_WEBSOCKET_KEY));
        HeadersBuilder answer =
                Headers.builder().add(HeaderName.SEC_WEBSOCKET_ACCEPT, HandshakeFields.accept(key));
        String subprotocol =
                HandshakeFields.tokens(
                                "sec-websocket-protocol",
                                headers.all(HeaderName.SEC_WEBSOCKET_PROTOCOL))
                        .stream()
                        .filter(settings.subprotocols()::contains)
                        .findFirst()
                        .orElse(null);
        if (subprotocol != null) {
            answer.add(HeaderName.SEC_WEBSOCKET_PROTOCOL, subprotocol);
        }
        DeflateParameters wanted = settings.deflate();
        PerMessageDeflate.Accepted deflate =
                PerMessageDeflate.accept(
                        headers.all(HeaderName.SEC_WEBSOCKET_EXTENSIONS),
                        wanted == null ? DeflateParameters.DEFAULT : wanted);
        DeflateParameters agreed = null;
        if (wanted != null && deflate != null) {
            answer.add(HeaderName.SEC_WEBSOCKET_EXTENSIONS, deflate.answer());
            agreed = deflate.parameters();
        }
        return new Accepted(new Agreement(subprotocol, agreed), answer.build());
    }

    /// RFC 6455, 4.4: the answer says which version would do.
    private static Refused upgradeRequired() {
        Response response =
                refuse(Status.UPGRADE_REQUIRED, "Upgrade: websocket, version 13").response();
        Headers headers =
                response.headers()
                        .plus(HeaderName.CONNECTION, "upgrade")
                        .plus(HeaderName.UPGRADE, "websocket")
                        .plus(HeaderName.SEC_WEBSOCKET_VERSION, HandshakeFields.VERSION);
        return new Refused(response.withHeaders(headers));
    }

    private static Refused refuse(Status status, String expected) {
        return new Refused(Response.text("expected: " + expected + "\n").withStatus(status));
    }
}
