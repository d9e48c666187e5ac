package io.weft.tls.machine;

import io.weft.tls.x509.HostNames;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/// Reads the result of a handshake from the JDK's engine.
final class JdkSessions {
    private JdkSessions() {}

    /// @param host that a client asked for; null at a server, which was asked
    static TlsSession of(SSLEngine engine, @Nullable String host, boolean resumed) {
        SSLSession session = engine.getSession();
        String protocol = engine.getApplicationProtocol();
        return new TlsSession(
                TlsProtocol.of(session.getProtocol()),
                session.getCipherSuite(),
                protocol == null || protocol.isEmpty() ? null : protocol,
                engine.getUseClientMode() ? nameOf(host) : requestedName(session),
                peerCertificates(session),
                certificates(session.getLocalCertificates()),
                resumed);
    }

    /// An address is not sent as a name.
    private static @Nullable String nameOf(@Nullable String host) {
        return host == null || HostNames.address(host) != null ? null : HostNames.asciiName(host);
    }

    private static @Nullable String requestedName(SSLSession session) {
        if (session instanceof ExtendedSSLSession extended) {
            for (SNIServerName name : extended.getRequestedServerNames()) {
                if (name instanceof SNIHostName host) {
                    return HostNames.wireName(host.getAsciiName());
                }
            }
        }
        return null;
    }

    private static List<X509Certificate> peerCertificates(SSLSession session) {
        try {
            return certificates(session.getPeerCertificates());
        } catch (SSLPeerUnverifiedException e) {
            return List.of();
        }
    }

    private static List<X509Certificate> certificates(Certificate @Nullable [] chain) {
        List<X509Certificate> certificates = new ArrayList<>();
        if (chain != null) {
            for (Certificate certificate : chain) {
                certificates.add((X509Certificate) certificate);
            }
        }
        return certificates;
    }

    static byte[] export(SSLEngine engine, String label, byte @Nullable [] context, int length)
            throws TlsException {
        if (!(engine.getSession() instanceof ExtendedSSLSession session)) {
            throw new UnsupportedOperationException("exportKeyingMaterial of " + engine.getClass());
        }
        try {
            return session.exportKeyingMaterialData(label, context, length);
        } catch (SSLException e) {
            throw new TlsException.Failed(String.valueOf(e.getMessage()), e);
        }
    }
}
