package io.weft.http.client;

/// The versions of HTTP that a client speaks.
public enum HttpProtocol {
    /// HTTP/1.1 alone. A server that chooses HTTP/2 all the same is not spoken to.
    HTTP_1_1,

    /// HTTP/2 where TLS agrees on it (ALPN), else HTTP/1.1. The default.
    NEGOTIATED,

    /// HTTP/2 alone: over TLS nothing else is offered, and servers of `http` are known to speak it
    /// (prior knowledge; RFC 9113, 3.3). A proxy that reads requests is spoken to in HTTP/1.1.
    HTTP_2
}
