package io.weft.tls.machine.spi;

import io.weft.tls.machine.TlsException.CertificateRefused;
import java.security.cert.X509Certificate;
import java.util.List;

/// Decides on a peer's chain for every kind of engine, so that all accept and refuse the same. It
/// may block: revocation lists and responders are asked where the trust manager does so. Any thread
/// may call it. [io.weft.tls.machine.TlsSettings#peerVerifier] makes it.
public interface PeerVerifier {
    /// @param chain as the peer sent it, its own certificate first
    /// @param authType as in [javax.net.ssl.X509TrustManager]: `UNKNOWN` in TLS 1.3, `ECDHE_RSA` in
    ///     TLS 1.2
    /// @param peer that the engine was made for
    /// @param stapled what the peer stapled for its certificates (DER, RFC 6960), in the order of
    ///     the chain; may be empty
    /// @throws CertificateRefused unless it is good
    void verify(List<X509Certificate> chain, String authType, TlsPeer peer, List<byte[]> stapled)
            throws CertificateRefused;

    /// Decides what can be decided of a server's chain before the status that the server was asked
    /// for: in TLS 1.2 that comes behind the certificate, where it comes. Nobody is asked over the
    /// network. A chain that passes is accepted by [#verify] alone, which is to follow, unless no
    /// status has come and this has said that nothing is left.
    ///
    /// @return true when nothing is left to decide, should no status come
    /// @throws CertificateRefused when the chain is refused, whatever comes
    default boolean verifyBeforeStatus(List<X509Certificate> chain, String authType, TlsPeer peer)
            throws CertificateRefused {
        return false;
    }
}
