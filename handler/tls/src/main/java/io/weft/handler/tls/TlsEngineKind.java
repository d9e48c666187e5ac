package io.weft.handler.tls;

/// Who does the cryptography.
public enum TlsEngineKind {
    /// The JDK's own `SSLEngine`: everywhere.
    JDK,
    /// The system's libssl, where `handler/openssl` is on the path and finds one.
    OPENSSL
}
