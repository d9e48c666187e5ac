package io.weft.tls.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Digests of signatures, also where only the parameters of the algorithm name them.
class SignatureDigestTest {
    @ParameterizedTest
    @CsvSource({
        "rsa-sha1, false",
        "pss-sha1, false",
        "pss-sha256-mask-sha1, false",
        "pss-sha256, true",
    })
    void weakDigestsAreNoGoodSignature(String name, boolean good) throws Exception {
        assertThat(CertificateChecks.isSignedWell(certificate(name))).isEqualTo(good);
    }

    private static X509Certificate certificate(String name) throws Exception {
        try (InputStream in = SignatureDigestTest.class.getResourceAsStream(name + ".pem")) {
            return (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }
}
