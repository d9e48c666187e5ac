package io.weft.http.server;

import io.weft.http.http2.RequestHead;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.Peer;
import io.weft.http.model.Request;
import io.weft.http.model.Version;

/// Makes requests of heads that came over HTTP/2.
final class Http2Requests {
    /// A key of WebSocket's, 16 bytes of nothing.
    private static final String NO_KEY = "AAAAAAAAAAAAAAAAAAAAAA==";

    private Http2Requests() {}

    /// An extended CONNECT becomes the request that HTTP/1.1 has for the same: GET with Upgrade. No
    /// client can send these fields over HTTP/2 (RFC 9113, 8.2.2). The key is made up, as the
    /// handshake of WebSocket wants one that means nothing here (RFC 8441, 5).
    static Request of(RequestHead head, Peer peer) {
        String protocol = head.protocol();
        if (protocol == null) {
            return Request.of(
                    head.method(),
                    head.target(),
                    Version.HTTP_2,
                    head.headers(),
                    Body.empty(),
                    peer);
        }
        HeadersBuilder headers =
                head.headers().toBuilder()
                        .set(HeaderName.CONNECTION, "upgrade")
                        .set(HeaderName.UPGRADE, protocol)
                        .set(HeaderName.SEC_WEBSOCKET_KEY, NO_KEY);
        return Request.of(
                Method.GET, head.target(), Version.HTTP_2, headers.build(), Body.empty(), peer);
    }
}
