package io.weft.http.client;

import org.jspecify.annotations.Nullable;

/// The way to an origin: connections of one route are interchangeable.
///
/// @param origin the destination, also of requests that a proxy passes on: connections to a proxy
///     are for one origin each
/// @param proxy null for a direct connection
/// @param http1 whether it has to be HTTP/1.1, since a request asks for another protocol behind it
record Route(Origin origin, @Nullable HttpProxy proxy, boolean http1) {
    Route(Origin origin, @Nullable HttpProxy proxy) {
        this(origin, proxy, false);
    }

    /// Tells if requests name the origin in their target, since a proxy reads them (RFC 9112,
    /// 3.2.2).
    boolean isAbsolute() {
        return proxy != null && !origin.secure();
    }
}
