package io.weft.tls.machine;

/// The implementation that does the cryptography.
public enum TlsEngineKind {
    /// The JDK's own `SSLEngine`: everywhere. What it cannot do is refused when a context is built:
    ///
    /// - It gives no secrets away, so there is no [key log][TlsContextBuilder#keyLog].
    /// - A server [staples][TlsContextBuilder#ocspStapling] only with
    ///   `-Djdk.tls.server.enableStatusRequestExtension=true` in the JVM's command line, and then
    ///   what the JDK itself fetches from the responder that the certificate names: a response
    ///   given with [TlsIdentity#withOcspResponse][io.weft.tls.x509.TlsIdentity#withOcspResponse]
    ///   is not sent. Clients ask for a status and check it.
    /// - Session tickets are on or off for all contexts of the JVM
    ///   (`jdk.tls.server.enableSessionTicketExtension`), so that one server alone cannot do
    ///   [without][TlsContextBuilder#sessionTickets].
    /// - No early data is taken; a client that sends some gets an alert, where OpenSSL skips it and
    ///   goes on.
    /// - A server refuses a client that asks for a host with an underscore in its name. A client
    ///   may ask.
    JDK,
    /// The system's libssl, with key log, stapling of given responses and tickets as one likes;
    /// where `tls/openssl` is on the path and finds one.
    OPENSSL
}
