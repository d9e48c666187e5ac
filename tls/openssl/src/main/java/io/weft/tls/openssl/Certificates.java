package io.weft.tls.openssl;

import io.weft.tls.machine.CertificateFault;
import io.weft.tls.machine.TlsException.CertificateRefused;
import java.io.ByteArrayInputStream;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;

/// Certificates out of OpenSSL, as the JDK has them: what OpenSSL takes for one the JDK may not.
final class Certificates {
    private Certificates() {}

    static List<X509Certificate> parse(List<byte[]> encoded) throws CertificateRefused {
        List<X509Certificate> chain = new ArrayList<>(encoded.size());
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            for (byte[] der : encoded) {
                var in = new ByteArrayInputStream(der);
                chain.add((X509Certificate) factory.generateCertificate(in));
            }
        } catch (CertificateException e) {
            throw new CertificateRefused(
                    CertificateFault.MALFORMED, "certificate: " + e.getMessage(), e);
        }
        return chain;
    }
}
