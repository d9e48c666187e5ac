package io.weft.handler.openssl;

import io.weft.ffi.Ssl;
import io.weft.handler.tls.ClientAuth;
import io.weft.handler.tls.TlsException;
import io.weft.handler.tls.TlsIdentity;
import io.weft.handler.tls.TlsProtocol;
import io.weft.handler.tls.TlsSession;
import io.weft.handler.tls.TlsSettings;
import io.weft.handler.tls.spi.TlsPeer;
import io.weft.loop.IpAddresses;
import java.net.IDN;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// What an `SSL` has agreed on.
final class Sessions {
    private Sessions() {}

    static TlsSession of(long ssl, TlsSettings settings, TlsPeer peer, PeerCheck check)
            throws TlsException {
        String name = settings.server() ? Ssl.serverName(ssl) : serverName(peer.host());
        boolean shown = Ssl.signed(ssl);
        TlsIdentity own = shown ? own(ssl, settings) : null;
        boolean resumed = Ssl.resumed(ssl);
        return new TlsSession(
                TlsProtocol.of(Ssl.version(ssl)),
                Ssl.cipher(ssl),
                settings.applicationProtocols().isEmpty() ? null : Ssl.protocol(ssl),
                name == null ? null : name.toLowerCase(Locale.ROOT),
                theirs(ssl, settings, check, resumed),
                own == null ? List.of() : own.chain(),
                resumed);
    }

    /// Read out of OpenSSL only where a server takes up a session: where somebody else has them, they need not be parsed again.
    private static List<X509Certificate> theirs(
            long ssl, TlsSettings settings, PeerCheck check, boolean resumed) throws TlsException {
        if (!resumed) {
            return check.chain();
        }
        if (!settings.server()) {
            return check.resumable();
        }
        return settings.clientAuth() == ClientAuth.NONE
                ? List.of()
                : Certificates.parse(Ssl.peerCertificates(ssl));
    }

    /// Has a client ask for what a server has to know before it answers.
    static void askFor(long ssl, TlsSettings settings, TlsPeer peer) {
        String name = serverName(peer.host());
        if (name != null) {
            Ssl.serverName(ssl, name);
        }
        if (settings.ocspStapling()) {
            Ssl.requestStatus(ssl);
        }
    }

    /// Whether steps of a server's handshake take a while, or may wait.
    static boolean blocks(TlsSettings settings) {
        return settings.clientAuth() != ClientAuth.NONE
                || settings.identities().stream()
                        .anyMatch(identity -> identity.key().getAlgorithm().startsWith("RSA"));
    }

    /// The identity whose certificate is in use.
    static @Nullable TlsIdentity own(long ssl, TlsSettings settings) {
        List<TlsIdentity> identities = settings.identities();
        if (identities.size() < 2) {
            return identities.isEmpty() ? null : identities.getFirst();
        }
        byte[] certificate = Ssl.ownCertificate(ssl);
        for (TlsIdentity identity : identities) {
            try {
                if (Arrays.equals(identity.certificate().getEncoded(), certificate)) {
                    return identity;
                }
            } catch (CertificateEncodingException e) {
                throw new IllegalStateException("certificate: cannot be encoded any more", e);
            }
        }
        return null;
    }

    /// The name for SNI; null where there is none, or an address, which RFC 6066 section 3 excludes.
    static @Nullable String serverName(@Nullable String host) {
        if (host == null || host.startsWith("[") || IpAddresses.parse(host) != null) {
            return null;
        }
        try {
            return IDN.toASCII(host).toLowerCase(Locale.ROOT);
        } catch (IllegalArgumentException e) {
            return null; // the certificate cannot be for it either
        }
    }
}
