package io.weft.http.http1;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The fields that may follow a body (RFC 9110, 6.5.1): none that says how to frame, route,
/// authorise or read the message, because the recipient has acted on those before the trailers
/// come.
final class Trailers {
    private static final Set<HeaderName> FORBIDDEN =
            Set.of(
                    HeaderName.TRANSFER_ENCODING,
                    HeaderName.CONTENT_LENGTH,
                    HeaderName.HOST,
                    HeaderName.CONNECTION,
                    HeaderName.KEEP_ALIVE,
                    HeaderName.PROXY_CONNECTION,
                    HeaderName.UPGRADE,
                    HeaderName.TE,
                    HeaderName.TRAILER,
                    HeaderName.EXPECT,
                    HeaderName.MAX_FORWARDS,
                    HeaderName.CACHE_CONTROL,
                    HeaderName.PRAGMA,
                    HeaderName.RANGE,
                    HeaderName.IF_MATCH,
                    HeaderName.IF_NONE_MATCH,
                    HeaderName.IF_MODIFIED_SINCE,
                    HeaderName.IF_UNMODIFIED_SINCE,
                    HeaderName.IF_RANGE,
                    HeaderName.AUTHORIZATION,
                    HeaderName.PROXY_AUTHORIZATION,
                    HeaderName.WWW_AUTHENTICATE,
                    HeaderName.PROXY_AUTHENTICATE,
                    HeaderName.COOKIE,
                    HeaderName.SET_COOKIE,
                    HeaderName.CONTENT_ENCODING,
                    HeaderName.CONTENT_TYPE,
                    HeaderName.CONTENT_RANGE,
                    HeaderName.LOCATION,
                    HeaderName.DATE,
                    HeaderName.VARY,
                    HeaderName.AGE,
                    HeaderName.EXPIRES,
                    HeaderName.RETRY_AFTER);

    private Trailers() {}

    static @Nullable HeaderName firstForbidden(Headers trailers) {
        for (int i = 0; i < trailers.size(); i++) {
            if (FORBIDDEN.contains(trailers.name(i))) {
                return trailers.name(i);
            }
        }
        return null;
    }
}
