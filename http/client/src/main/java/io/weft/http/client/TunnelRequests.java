package io.weft.http.client;

import io.weft.http.http2.RequestHead;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import java.util.List;

/// Heads of requests over HTTP/2 behind whose responses something else begins.
final class TunnelRequests {
    private TunnelRequests() {}

    /// CONNECT stays what it is (RFC 9113, 8.5). A request that offers an upgrade becomes an
    /// extended CONNECT to the protocol that it names (RFC 8441, 4), without the fields that stand
    /// for that in HTTP/1.1, and without the key of WebSocket (5.1).
    ///
    /// @throws IllegalArgumentException when it offers several protocols, or the server takes none
    static RequestHead of(Request request, Http2ClientConnection connection) {
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
}
