package io.weft.http.client;

import org.jspecify.annotations.Nullable;

/// The application's choice of a proxy for each origin.
public interface ProxyChoice {
    /// Returns the proxy; null for a direct connection. It may be called on a loop, and must not
    /// block.
    @Nullable HttpProxy proxy(Origin origin);
}
