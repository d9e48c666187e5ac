package io.weft.resolver.dns;

import io.weft.codec.dns.Octets;
import io.weft.tls.machine.TlsSession;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.Set;

/// Pinned keys of servers (RFC 7858, 4.2; RFC 7469, 2.4).
final class Pins {
    private Pins() {}

    /// Tells if the server's own key is pinned. Others of the chain do not count: where only the
    /// pin is checked, nothing proves that they have signed anything.
    static boolean match(Set<Octets> pins, TlsSession session) {
        X509Certificate own = session.peerCertificate();
        return own != null && pins.contains(of(own));
    }

    static Octets of(X509Certificate certificate) {
        try {
            // The encoded key is the SubjectPublicKeyInfo.
            byte[] key = certificate.getPublicKey().getEncoded();
            return Octets.of(MessageDigest.getInstance("SHA-256").digest(key));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
