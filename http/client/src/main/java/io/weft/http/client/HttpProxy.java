package io.weft.http.client;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;

/// A proxy for HTTP (RFC 9110, 3.7). Requests to https origins go through a tunnel (CONNECT), whose
/// ends speak TLS with each other; others are sent to the proxy in absolute form.
///
/// @param host its name or address
/// @param port 1 to 65535
/// @param headers for the proxy alone, such as Proxy-Authorization
public record HttpProxy(String host, int port, Headers headers) {
    /// @throws IllegalArgumentException when the port is out of range
    public HttpProxy {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
        }
    }

    public HttpProxy(String host, int port) {
        this(host, port, Headers.EMPTY);
    }

    /// This proxy, which asks for a name and a password; see [Credentials#basic].
    public HttpProxy withCredentials(String credentials) {
        return new HttpProxy(host, port, headers.with(HeaderName.PROXY_AUTHORIZATION, credentials));
    }

    /// Without the headers, which may be secrets.
    @Override
    public String toString() {
        return host + ":" + port;
    }
}
