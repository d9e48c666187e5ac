package io.weft.tls.openssl;

import io.weft.ffi.openssl.Ssl;
import io.weft.tls.machine.ClientAuth;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.machine.TlsSettings;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.HostNames;
import io.weft.tls.x509.TlsIdentity;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Reads the result of a handshake from an `SSL`.
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

    /// Read out of OpenSSL only where a server takes up a session: otherwise they are known and
    /// need not be parsed again.
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

    /// Tells if steps of a server's handshake take long or may block.
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

    /// The name for SNI; null where there is none, which no certificate can be for either, or an
    /// address, which RFC 6066 section 3 excludes.
    static @Nullable String serverName(@Nullable String host) {
        return host == null || HostNames.address(host) != null ? null : HostNames.asciiName(host);
    }
}
