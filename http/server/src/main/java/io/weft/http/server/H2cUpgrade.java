package io.weft.http.server;

import io.weft.channel.Channel;
import io.weft.handler.tls.TlsHandler;
import io.weft.http.http1.RequestPart;
import io.weft.http.http1.RequestPart.Framing;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.RequestHead;
import io.weft.http.http2.Settings;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Version;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A request of HTTP/1.1 that asks for HTTP/2 on its connection (RFC 7540, 3.2), which may be
/// ignored.
///
/// It is granted to requests without content only: what both protocols frame is nobody's.
///
/// @param head of the request as HTTP/2 has it: without the fields of the old connection
record H2cUpgrade(Settings settings, RequestHead head) {
    private static final String PROTOCOL = "h2c";
    private static final HeaderName SETTINGS = HeaderName.of("http2-settings");

    /// Length of the field HTTP2-Settings: 32 settings.
    private static final int MAX_SETTINGS = 256;

    /// Returns the upgrade that a request asks for; null for none, and for one that is not granted.
    static @Nullable H2cUpgrade of(RequestPart.RequestHead asked, Channel channel) {
        Headers fields = asked.headers();
        if (!fields.contains(HeaderName.UPGRADE)
                || !fields.containsToken(HeaderName.UPGRADE, PROTOCOL)
                || !fields.containsToken(HeaderName.CONNECTION, "upgrade")
                || !fields.containsToken(HeaderName.CONNECTION, SETTINGS.toString())
                || asked.version() != Version.HTTP_1_1
                || asked.framing() != Framing.NONE
                || asked.method() == Method.CONNECT
                || asked.target().form() == RequestTarget.Form.ABSOLUTE
                || channel.pipeline().get(TlsHandler.class) != null) {
            return null;
        }
        List<String> settings = fields.all(SETTINGS);
        if (settings.size() != 1 || settings.getFirst().length() > MAX_SETTINGS) {
            return null;
        }
        try {
            return new H2cUpgrade(
                    Settings.of(Base64.getUrlDecoder().decode(settings.getFirst())),
                    new RequestHead(
                            asked.method(), "http", asked.target(), null, endToEnd(fields), -1));
        } catch (IllegalArgumentException | Http2Exception e) {
            return null; // RFC 7540, 3.2.1: such a request stays one of HTTP/1.1
        }
    }

    /// The fields that concern more than the connection (RFC 9110, 7.6.1).
    private static Headers endToEnd(Headers fields) {
        HeadersBuilder kept = Headers.builder();
        for (Headers.Field field : fields) {
            HeaderName name = field.name();
            boolean connections =
                    name == HeaderName.CONNECTION
                            || name == HeaderName.UPGRADE
                            || name == HeaderName.KEEP_ALIVE
                            || name == HeaderName.PROXY_CONNECTION
                            || name.equals(SETTINGS)
                            || fields.containsToken(HeaderName.CONNECTION, name.toString());
            if (!connections) {
                kept.add(field);
            }
        }
        return kept.build();
    }

    /// Returns the answer behind which HTTP/2 begins.
    Response response(ServerLoop server) {
        return Upgrade.to(
                PROTOCOL,
                Headers.EMPTY,
                channel ->
                        channel.pipeline()
                                .addLast("http2", new Http2ServerConnection(server, this)));
    }
}
