package io.weft.http.server.coding;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;

/// The Vary field (RFC 9110, 12.5.5), which several parts of a server add to.
public final class Vary {
    private Vary() {}

    /// Adds a name to what an answer varies with. Names that the application gave stay: without
    /// them a cache would give one user's answer to another.
    public static Headers with(Headers headers, String name) {
        if (headers.containsToken(HeaderName.VARY, name)
                || headers.containsToken(HeaderName.VARY, "*")) {
            return headers;
        }
        return headers.plus(HeaderName.VARY, name);
    }
}
