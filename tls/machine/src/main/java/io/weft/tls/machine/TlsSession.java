package io.weft.tls.machine;

import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The parameters that a handshake negotiated.
///
/// @param cipherSuite its name in the registry of IANA: `TLS_AES_128_GCM_SHA256`
/// @param applicationProtocol what ALPN (RFC 7301) chose; null when it chose nothing
/// @param serverName the host that the client asked for (SNI, RFC 6066 section 3), in lower case;
///     null when for none
/// @param peerCertificates the peer's chain, its own certificate first; empty when it showed none
/// @param localCertificates the chain that was shown to the peer; empty when none was
/// @param resumed whether keys of an earlier session were taken up, so that no certificate was
///     shown this time
public record TlsSession(
        TlsProtocol protocol,
        String cipherSuite,
        @Nullable String applicationProtocol,
        @Nullable String serverName,
        List<X509Certificate> peerCertificates,
        List<X509Certificate> localCertificates,
        boolean resumed) {
    public TlsSession {
        peerCertificates = List.copyOf(peerCertificates);
        localCertificates = List.copyOf(localCertificates);
    }

    /// The peer's own certificate; null when it showed none.
    public @Nullable X509Certificate peerCertificate() {
        return peerCertificates.isEmpty() ? null : peerCertificates.getFirst();
    }
}
