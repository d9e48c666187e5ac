package io.weft.tls.machine;

/// The policy by which a server asks its clients for a certificate.
public enum ClientAuth {
    /// It does not ask.
    NONE,
    /// It asks; a client without one is served, one with a bad one is not.
    WANT,
    /// A client without a good certificate is refused.
    REQUIRE
}
