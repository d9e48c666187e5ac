package io.weft.tls.x509;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPrivateKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Keys in `pem/` are of openssl 3.0: `genpkey`, `pkcs8 -topk8`, `rsa -traditional`,
/// `ecparam -genkey`.
class PemTest {
    private static String resource(String name) throws Exception {
        try (var in = PemTest.class.getResourceAsStream("/pem/" + name)) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), java.nio.charset.StandardCharsets.US_ASCII);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "rsa-pkcs8.pem, RSA",
        "rsa-pkcs1.pem, RSA",
        "ec-pkcs8.pem, EC",
        "ec-sec1.pem, EC",
        "ed25519.pem, EdDSA",
        "rsa-encrypted.pem, RSA",
        "ec-encrypted.pem, EC",
    })
    void readsWhatOpensslWrites(String name, String algorithm) throws Exception {
        PrivateKey key = Pem.privateKey(resource(name), "secret".toCharArray());
        assertThat(key.getAlgorithm()).isEqualTo(algorithm);
    }

    @Test
    void theOlderFormsAreTheSameKeys() throws Exception {
        assertThat(Pem.privateKey(resource("rsa-pkcs1.pem"), null))
                .isEqualTo(Pem.privateKey(resource("rsa-pkcs8.pem"), null));
        assertThat(((ECPrivateKey) Pem.privateKey(resource("ec-sec1.pem"), null)).getS())
                .isEqualTo(((ECPrivateKey) Pem.privateKey(resource("ec-pkcs8.pem"), null)).getS());
        assertThat(Pem.privateKey(resource("rsa-encrypted.pem"), "secret".toCharArray()))
                .isEqualTo(Pem.privateKey(resource("rsa-pkcs8.pem"), null));
    }

    @Test
    void aWrongPasswordIsAnError() throws Exception {
        String pem = resource("rsa-encrypted.pem");
        assertThatThrownBy(() -> Pem.privateKey(pem, "guess".toCharArray()))
                .isInstanceOf(GeneralSecurityException.class);
        assertThatThrownBy(() -> Pem.privateKey(pem, null))
                .hasMessage("private key: encrypted (expected: a password)");
        String old = resource("rsa-old-encrypted.pem");
        assertThatThrownBy(() -> Pem.privateKey(old, "secret".toCharArray()))
                .hasMessageContaining("expected: PKCS#8");
        for (String name : new String[] {"rsa-encrypted.pem", "ec-encrypted.pem"}) {
            String encrypted = resource(name);
            assertThatThrownBy(() -> Pem.privateKey(encrypted, "guess".toCharArray()))
                    .hasMessage("private key: the password is wrong, or the text is damaged");
        }
        String scrypt = resource("ec-scrypt.pem");
        assertThatThrownBy(() -> Pem.privateKey(scrypt, "secret".toCharArray()))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("encrypted in an unknown way");
    }

    @Test
    void theWrongTextIsNamed() throws Exception {
        String certificate = resource("p12-cert.pem");
        String key = resource("ec-pkcs8.pem");
        assertThatThrownBy(() -> Pem.certificates(key))
                .hasMessage("text: no CERTIFICATE, but [PRIVATE KEY] (expected: one)");
        assertThatThrownBy(() -> Pem.privateKey(certificate, null))
                .hasMessage("text: no PRIVATE KEY, but [CERTIFICATE] (expected: one)");
        String damaged = certificate.replace("MII", "MIA");
        assertThatThrownBy(() -> Pem.certificates(certificate + damaged))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageStartingWith("CERTIFICATE ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ed448", "pss"})
    void rarerKeysBelongToTheirCertificates(String name) throws Exception {
        String certificate = resource(name + "-cert.pem");
        TlsIdentity identity = TlsIdentity.ofPem(certificate, resource(name + ".pem"), null);
        assertThat(identity.certificate().getSubjectX500Principal()).hasToString("CN=" + name);
        assertThatThrownBy(() -> TlsIdentity.ofPem(certificate, resource("ec-pkcs8.pem"), null))
                .isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void aKeyOfAnotherCurveIsAnError() throws Exception {
        assertThatThrownBy(
                        () ->
                                TlsIdentity.ofPem(
                                        resource("p12-cert.pem"), resource("ec384.pem"), null))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("CN=p12");
        assertThatThrownBy(
                        () ->
                                TlsIdentity.ofPem(
                                        resource("ed448-cert.pem"), resource("ed25519.pem"), null))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("CN=ed448");
    }

    @Test
    void storesOfOpensslAreReadOrSayWhyNot(@TempDir Path directory) throws Exception {
        char[] password = "secret".toCharArray();
        assertThat(TlsIdentity.ofPkcs12(file(directory, "legacy.p12"), password).chain())
                .hasSize(1);
        assertThat(TlsIdentity.ofPkcs12(file(directory, "empty-password.p12"), new char[0]).chain())
                .hasSize(1);
        assertThatThrownBy(() -> TlsIdentity.ofPkcs12(file(directory, "key-only.p12"), password))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("without its certificate");
        assertThatThrownBy(() -> TlsIdentity.ofPkcs12(file(directory, "cert-only.p12"), password))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("no private key");
        assertThatThrownBy(() -> TlsIdentity.ofPkcs12(file(directory, "legacy.p12"), new char[0]))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("password");
        assertThatThrownBy(() -> TlsIdentity.ofPkcs12(file(directory, "ec-pkcs8.pem"), password))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("expected: PKCS#12");
        assertThatThrownBy(() -> TlsIdentity.ofPkcs12(directory.resolve("none"), password))
                .isInstanceOf(java.nio.file.NoSuchFileException.class);
    }

    private static Path file(Path directory, String name) throws Exception {
        try (var in = PemTest.class.getResourceAsStream("/pem/" + name)) {
            assertThat(in).as(name).isNotNull();
            return Files.write(directory.resolve(name), in.readAllBytes());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-----BEGIN PRIVATE KEY",
                "-----BEGIN PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\n!\n-----END PRIVATE KEY-----",
                "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nAAAA\n-----END EC PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMAA=\n-----END EC PRIVATE KEY-----",
                "-----BEGIN EC PRIVATE KEY-----\nMIP/\n-----END EC PRIVATE KEY-----",
                "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAA=\n-----END ENCRYPTED PRIVATE KEY-----",
            })
    void whatIsMalformedIsAnError(String pem) {
        assertThatThrownBy(() -> Pem.privateKey(pem, new char[0]))
                .isInstanceOf(GeneralSecurityException.class);
        assertThatThrownBy(() -> Pem.certificates(pem))
                .isInstanceOf(GeneralSecurityException.class);
    }

    @Test
    void everyTruncationOfAKeyIsAnError() throws Exception {
        for (String name : new String[] {"ec-sec1.pem", "rsa-pkcs1.pem", "ed25519.pem"}) {
            String pem = resource(name);
            int end = pem.lastIndexOf("-----END") + 20;
            for (int i = 0; i < end; i++) {
                String cut = pem.substring(0, i);
                assertThatThrownBy(() -> Pem.privateKey(cut, null))
                        .isInstanceOf(GeneralSecurityException.class);
            }
        }
    }

    @Test
    void anIdentityGoesToTextAndBack(@TempDir Path directory) throws Exception {
        TlsIdentity root = CertificateBuilder.subject("CN=root").authority(-1).selfSigned();
        TlsIdentity mid = CertificateBuilder.subject("CN=mid").authority(0).signedBy(root);
        TlsIdentity leaf = CertificateBuilder.subject("CN=leaf").key("2048").signedBy(mid);
        StringBuilder chain = new StringBuilder("a comment\n");
        for (X509Certificate certificate : leaf.chain()) {
            chain.append(Pem.write(certificate));
        }
        Path certificates = Files.writeString(directory.resolve("chain.pem"), chain);
        Path key = Files.writeString(directory.resolve("key.pem"), Pem.write(leaf.key()));
        TlsIdentity read = TlsIdentity.ofPem(certificates, key);
        assertThat(read.chain()).isEqualTo(leaf.chain());
        assertThat(read.key()).isEqualTo(leaf.key());
        assertThatThrownBy(
                        () ->
                                TlsIdentity.ofPem(
                                        Pem.write(leaf.certificate()),
                                        Pem.write(
                                                CertificateBuilder.selfSigned("example.com").key()),
                                        null))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessage("key: EC (expected: RSA, as certified)");
        TlsIdentity other = CertificateBuilder.subject("CN=o").key("2048").selfSigned();
        assertThatThrownBy(
                        () ->
                                TlsIdentity.ofPem(
                                        Pem.write(leaf.certificate()),
                                        Pem.write(other.key()),
                                        null))
                .isInstanceOf(GeneralSecurityException.class)
                .hasMessageContaining("CN=leaf");
    }

    @Test
    void readsAPkcs12Store(@TempDir Path directory) throws Exception {
        char[] password = "secret".toCharArray();
        TlsIdentity root = CertificateBuilder.subject("CN=root").authority(-1).selfSigned();
        TlsIdentity leaf = CertificateBuilder.subject("CN=leaf").signedBy(root);
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry(
                "leaf", leaf.key(), password, leaf.chain().toArray(new X509Certificate[0]));
        Path file = directory.resolve("store.p12");
        try (var out = Files.newOutputStream(file)) {
            store.store(out, password);
        }
        assertThat(TlsIdentity.ofPkcs12(file, password).chain()).isEqualTo(leaf.chain());
        assertThatThrownBy(() -> TlsIdentity.ofPkcs12(file, "guess".toCharArray()))
                .isInstanceOf(GeneralSecurityException.class);
    }
}
