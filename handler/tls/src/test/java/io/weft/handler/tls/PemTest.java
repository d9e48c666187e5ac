package io.weft.handler.tls;

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

/// Keys in `pem/` are of openssl 3.0: `genpkey`, `pkcs8 -topk8`, `rsa -traditional`, `ecparam -genkey`.
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
                                        Pem.write(TlsPair.IDENTITY.key()),
                                        null))
                .isInstanceOf(IllegalArgumentException.class);
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
