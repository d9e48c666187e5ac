package io.weft.tls.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.cert.X509Certificate;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CertificateBuilderTest {
    @ParameterizedTest
    @ValueSource(strings = {"secp256r1", "secp384r1", "2048", "Ed25519"})
    void theJdkReadsWhatIsBuilt(String key) throws Exception {
        TlsIdentity root = CertificateBuilder.subject("CN=root").key(key).authority(1).selfSigned();
        TlsIdentity leaf =
                CertificateBuilder.subject("CN=leaf, O=Weft")
                        .key(key)
                        .host("example.com")
                        .host("192.0.2.1")
                        .host("2001:db8::1")
                        .keyUsage(CertificateBuilder.DIGITAL_SIGNATURE)
                        .extendedKeyUsage(CertificateBuilder.SERVER_AUTH)
                        .validity(
                                Instant.parse("2020-01-01T00:00:00Z"),
                                Instant.parse("2060-01-01T00:00:00Z"))
                        .signedBy(root);
        X509Certificate certificate = leaf.certificate();
        certificate.verify(root.certificate().getPublicKey());
        assertThat(certificate.getSubjectAlternativeNames()).hasSize(3);
        assertThat(HostNames.matches(certificate, "example.com")).isTrue();
        assertThat(HostNames.matches(certificate, "192.0.2.1")).isTrue();
        assertThat(HostNames.matches(certificate, "[2001:DB8:0::1]")).isTrue();
        assertThat(HostNames.matches(certificate, "192.0.2.2")).isFalse();
        assertThat(certificate.getKeyUsage()).startsWith(true, false);
        assertThat(certificate.getExtendedKeyUsage())
                .containsExactly(CertificateBuilder.SERVER_AUTH);
        assertThat(certificate.getBasicConstraints()).isEqualTo(-1);
        assertThat(root.certificate().getBasicConstraints()).isEqualTo(1);
        assertThat(certificate.getNotAfter().toInstant()).isEqualTo("2060-01-01T00:00:00Z");
        assertThat(leaf.chain()).containsExactly(certificate);
    }

    @Test
    void aChainLeavesItsRootOut() {
        TlsIdentity root = CertificateBuilder.subject("CN=root").authority(-1).selfSigned();
        TlsIdentity middle = CertificateBuilder.subject("CN=mid").authority(0).signedBy(root);
        TlsIdentity leaf = CertificateBuilder.subject("CN=leaf").signedBy(middle);
        assertThat(leaf.chain()).containsExactly(leaf.certificate(), middle.certificate());
    }

    @Test
    void namesWhatItCannotDo() {
        assertThatThrownBy(() -> CertificateBuilder.subject("CN=x").key("secp1r1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("key: secp1r1 (expected:");
    }
}
