package io.weft.tls.openssl;

import static io.weft.tls.machine.CertificateFault.CONSTRAINT;
import static io.weft.tls.machine.CertificateFault.OTHER;
import static io.weft.tls.machine.CertificateFault.UNTRUSTED;
import static io.weft.tls.machine.CertificateFault.WEAK;
import static io.weft.tls.machine.CertificateFault.WRONG_USAGE;
import static io.weft.tls.openssl.CertificateCases.ROOT;
import static io.weft.tls.openssl.CertificateCases.leaf;
import static io.weft.tls.openssl.CertificateCases.middle;
import static io.weft.tls.x509.CertificateBuilder.CLIENT_AUTH;
import static io.weft.tls.x509.CertificateBuilder.DIGITAL_SIGNATURE;
import static io.weft.tls.x509.CertificateBuilder.KEY_CERT_SIGN;
import static io.weft.tls.x509.CertificateBuilder.KEY_ENCIPHERMENT;
import static io.weft.tls.x509.CertificateBuilder.OCSP_SIGNING;

import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.security.KeyPair;

/// Cases of key usage, and of the strength of keys and signatures.
final class UsageCases {
    /// In DER.
    private static final byte[] NULL = {5, 0};

    private static final byte[] EMPTY = {0x30, 0};

    private UsageCases() {}

    static void addTo(CertificateCases cases) {
        constraints(cases);
        usages(cases);
        strength(cases);
    }

    private static void constraints(CertificateCases cases) {
        TlsIdentity noAuthority = leaf().dnsName("b.example").signedBy(ROOT);
        cases.bad(
                "an issuer that is no authority",
                leaf().dnsName("a.example").signedBy(noAuthority),
                "a.example",
                CONSTRAINT,
                WRONG_USAGE,
                UNTRUSTED);
        TlsIdentity says =
                CertificateBuilder.subject("CN=no")
                        .extension("2.5.29.19", true, EMPTY)
                        .keyUsage(KEY_CERT_SIGN)
                        .signedBy(ROOT);
        cases.bad(
                "CA:false as issuer",
                leaf().dnsName("a.example").signedBy(says),
                "a.example",
                CONSTRAINT,
                UNTRUSTED);
        TlsIdentity cannotSign =
                CertificateBuilder.subject("CN=m")
                        .authority(0)
                        .keyUsage(DIGITAL_SIGNATURE)
                        .signedBy(ROOT);
        cases.bad(
                "an issuer that may not sign certificates",
                leaf().dnsName("a.example").signedBy(cannotSign),
                "a.example",
                WRONG_USAGE,
                UNTRUSTED,
                CONSTRAINT);
        TlsIdentity low =
                CertificateBuilder.subject("CN=low")
                        .authority(0)
                        .keyUsage(KEY_CERT_SIGN)
                        .signedBy(middle().signedBy(ROOT));
        cases.bad(
                "a path that is too long",
                leaf().dnsName("a.example").signedBy(low),
                "a.example",
                CONSTRAINT,
                UNTRUSTED);
        TlsIdentity high =
                CertificateBuilder.subject("CN=high")
                        .authority(1)
                        .keyUsage(KEY_CERT_SIGN)
                        .signedBy(ROOT);
        cases.good(
                "a path of two",
                leaf().dnsName("a.example").signedBy(middle().signedBy(high)),
                "a.example");
        TlsIdentity only = middle().permit("a.example").signedBy(ROOT);
        cases.good("a permitted name", leaf().dnsName("w.a.example").signedBy(only), "w.a.example");
        cases.bad(
                "a name not permitted",
                leaf().dnsName("b.example").signedBy(only),
                "b.example",
                CONSTRAINT,
                UNTRUSTED);
        cases.bad(
                "one of two not permitted",
                leaf().dnsName("w.a.example").dnsName("b.example").signedBy(only),
                "b.example",
                CONSTRAINT,
                UNTRUSTED);
        TlsIdentity not = middle().exclude("b.example").signedBy(ROOT);
        cases.good(
                "a name that is not excluded",
                leaf().dnsName("a.example").signedBy(not),
                "a.example");
        cases.bad(
                "an excluded name",
                leaf().dnsName("b.example").signedBy(not),
                "b.example",
                CONSTRAINT,
                UNTRUSTED);
        cases.bad(
                "a name below it",
                leaf().dnsName("w.b.example").signedBy(not),
                "w.b.example",
                CONSTRAINT,
                UNTRUSTED);
        cases.bad(
                "a critical extension that nobody knows",
                leaf().dnsName("a.example").extension("1.2.3.4.5", true, NULL).signedBy(ROOT),
                "a.example",
                CONSTRAINT,
                WRONG_USAGE,
                OTHER,
                UNTRUSTED);
        cases.good(
                "one that is not critical",
                leaf().dnsName("a.example").extension("1.2.3.4.5", false, NULL).signedBy(ROOT),
                "a.example");
        TlsIdentity strange = middle().extension("1.2.3.4.5", true, NULL).signedBy(ROOT);
        cases.bad(
                "one of an authority",
                leaf().dnsName("a.example").signedBy(strange),
                "a.example",
                CONSTRAINT,
                UNTRUSTED,
                OTHER);
    }

    private static void usages(CertificateCases cases) {
        cases.good(
                "without extended usages",
                CertificateBuilder.subject("CN=x").dnsName("a.example").signedBy(ROOT),
                "a.example");
        cases.good(
                "for servers and clients",
                leaf().dnsName("a.example").extendedKeyUsage(CLIENT_AUTH).signedBy(ROOT),
                "a.example");
        CertificateBuilder any = CertificateBuilder.subject("CN=x").dnsName("a.example");
        cases.bad(
                "for clients only",
                any.extendedKeyUsage(CLIENT_AUTH).signedBy(ROOT),
                "a.example",
                WRONG_USAGE);
        cases.bad(
                "for OCSP only",
                CertificateBuilder.subject("CN=x")
                        .dnsName("a.example")
                        .extendedKeyUsage(OCSP_SIGNING)
                        .signedBy(ROOT),
                "a.example",
                WRONG_USAGE);
        cases.bad(
                "for code only",
                CertificateBuilder.subject("CN=x")
                        .dnsName("a.example")
                        .extendedKeyUsage("1.3.6.1.5.5.7.3.3")
                        .signedBy(ROOT),
                "a.example",
                WRONG_USAGE);
        cases.bad(
                "a key for certificates only",
                CertificateBuilder.subject("CN=x")
                        .dnsName("a.example")
                        .keyUsage(KEY_CERT_SIGN)
                        .signedBy(ROOT),
                "a.example",
                WRONG_USAGE);
    }

    private static void strength(CertificateCases cases) {
        for (String key : new String[] {"2048", "3072", "secp384r1", "Ed25519"}) {
            cases.good(
                    "a key " + key,
                    leaf().key(key).dnsName("a.example").signedBy(ROOT),
                    "a.example");
        }
        cases.bad(
                "RSA of 1024 bits",
                leaf().key("1024").dnsName("a.example").signedBy(ROOT),
                "a.example",
                WEAK);
        cases.bad(
                "RSA of 512 bits",
                leaf().key("512").dnsName("a.example").signedBy(ROOT),
                "a.example",
                WEAK,
                UNTRUSTED);
        cases.bad(
                "SHA-1 with ECDSA",
                leaf().dnsName("a.example").signatureAlgorithm("SHA1withECDSA").signedBy(ROOT),
                "a.example",
                WEAK,
                UNTRUSTED);
        KeyPair rsa = rsa();
        TlsIdentity rsaRoot = rsaMiddle(rsa, "SHA256withECDSA");
        cases.bad(
                "SHA-1 with RSA",
                leaf().dnsName("a.example").signatureAlgorithm("SHA1withRSA").signedBy(rsaRoot),
                "a.example",
                WEAK,
                UNTRUSTED);
        cases.bad(
                "MD5",
                leaf().dnsName("a.example").signatureAlgorithm("MD5withRSA").signedBy(rsaRoot),
                "a.example",
                WEAK,
                UNTRUSTED);
        cases.bad(
                "SHA-1 of an authority",
                leaf().dnsName("a.example").signedBy(rsaMiddle(rsa, "SHA1withECDSA")),
                "a.example",
                WEAK,
                UNTRUSTED);
        TlsIdentity weakMiddle = middle().key("1024").signedBy(ROOT);
        cases.bad(
                "a weak key of an authority",
                leaf().dnsName("a.example").signedBy(weakMiddle),
                "a.example",
                WEAK);
        cases.good(
                "keys of two kinds",
                leaf().dnsName("a.example").keyUsage(KEY_ENCIPHERMENT).signedBy(rsaRoot),
                "a.example");
    }

    private static KeyPair rsa() {
        try {
            var generator = java.security.KeyPairGenerator.getInstance("RSA");
            generator.initialize(2048);
            return generator.generateKeyPair();
        } catch (java.security.GeneralSecurityException e) {
            throw new AssertionError(e);
        }
    }

    private static TlsIdentity rsaMiddle(KeyPair keys, String signature) {
        return middle().key(keys).signatureAlgorithm(signature).signedBy(ROOT);
    }
}
