package io.weft.tls.machine;

import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.x509.RevocationTrust;
import java.security.cert.CertificateException;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Enforces must-staple (RFC 7633): a certificate may say that its server staples its status, so
/// that the holder of a stolen, revoked key cannot withhold it. The JDK does not enforce this.
final class MustStaple {
    private static final String TLS_FEATURE = "1.3.6.1.5.5.7.1.24";

    /// RFC 6066 section 8, and RFC 6961.
    private static final int STATUS_REQUEST = 5;

    private static final int STATUS_REQUEST_V2 = 17;

    private MustStaple() {}

    /// Of a server's chain that `trust` has accepted, when this client has asked for a status.
    ///
    /// @throws CertificateRefused when none is stapled, or it is not good
    static void check(
            X509TrustManager trust, X509Certificate[] chain, String authType, List<byte[]> stapled)
            throws CertificateRefused, CertificateException {
        if (!isSaid(chain[0])) {
            return;
        }
        if (stapled.isEmpty() || stapled.getFirst().length == 0) {
            throw new CertificateRefused(
                    CertificateFault.STATUS_UNKNOWN,
                    "status: none stapled (expected: one, as the certificate says)",
                    null);
        }
        List<X509Certificate> authorities = List.of(trust.getAcceptedIssuers());
        if (!(trust instanceof RevocationTrust) && !authorities.isEmpty()) {
            Set<Option> options = Set.of(Option.ONLY_END_ENTITY, Option.NO_FALLBACK);
            new RevocationTrust(authorities, List.of(), options)
                    .check(chain, authType, true, stapled);
        }
    }

    static boolean isSaid(X509Certificate certificate) {
        return isSaid(certificate.getExtensionValue(TLS_FEATURE));
    }

    /// An OCTET STRING with a SEQUENCE of numbers below 128. One that is malformed counts as said.
    static boolean isSaid(byte @Nullable [] extension) {
        if (extension == null) {
            return false;
        }
        int at = 4; // behind the headers of both
        for (; at + 2 < extension.length; at += 3) {
            int feature = extension[at + 2];
            boolean isShort = extension[at] == 2 && extension[at + 1] == 1;
            if (!isShort || feature == STATUS_REQUEST || feature == STATUS_REQUEST_V2) {
                return true;
            }
        }
        return at != extension.length;
    }
}
