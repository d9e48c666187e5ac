package io.weft.tls.openssl;

import static io.weft.tls.machine.CertificateFault.BAD_SIGNATURE;
import static io.weft.tls.machine.CertificateFault.CONSTRAINT;
import static io.weft.tls.machine.CertificateFault.EXPIRED;
import static io.weft.tls.machine.CertificateFault.MISSING;
import static io.weft.tls.machine.CertificateFault.NOT_YET_VALID;
import static io.weft.tls.machine.CertificateFault.OTHER;
import static io.weft.tls.machine.CertificateFault.UNTRUSTED;
import static io.weft.tls.machine.CertificateFault.WRONG_HOST;
import static io.weft.tls.machine.CertificateFault.WRONG_USAGE;
import static io.weft.tls.openssl.CertificateCases.NOW;
import static io.weft.tls.openssl.CertificateCases.ROOT;
import static io.weft.tls.openssl.CertificateCases.STRANGER;
import static io.weft.tls.openssl.CertificateCases.leaf;
import static io.weft.tls.openssl.CertificateCases.middle;
import static io.weft.tls.openssl.CertificateCases.named;

import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// When certificates are valid, and what they are signed by.
final class ChainCases {
    /// The most certificates of a chain that are checked.
    private static final int MAX_CHAIN = 10;

    private ChainCases() {}

    static void addTo(CertificateCases cases) {
        times(cases);
        chains(cases);
    }

    private static void times(CertificateCases cases) {
        cases.good("valid now", named("a.example"), "a.example");
        cases.bad("expired a second ago", valid(-3600, -1), "a.example", EXPIRED);
        cases.bad("expired long ago", valid(-7200, -3600), "a.example", EXPIRED);
        cases.bad("valid in an hour", valid(3600, 7200), "a.example", NOT_YET_VALID);
        cases.bad("ends before it begins", valid(3600, -3600), "a.example", EXPIRED, NOT_YET_VALID);
        TlsIdentity oldMiddle =
                middle().validity(NOW.minusSeconds(7200), NOW.minusSeconds(60)).signedBy(ROOT);
        cases.bad(
                "an authority expired",
                leaf().dnsName("a.example").signedBy(oldMiddle),
                "a.example",
                EXPIRED);
        TlsIdentity newMiddle =
                middle().validity(NOW.plusSeconds(3600), NOW.plusSeconds(7200)).signedBy(ROOT);
        cases.bad(
                "an authority not yet valid",
                leaf().dnsName("a.example").signedBy(newMiddle),
                "a.example",
                NOT_YET_VALID);
        cases.good(
                "valid until 2060",
                leaf().dnsName("a.example")
                        .validity(NOW.minusSeconds(60), Instant.parse("2060-01-01T00:00:00Z"))
                        .signedBy(ROOT),
                "a.example");
    }

    private static TlsIdentity valid(long from, long to) {
        return leaf().dnsName("a.example")
                .validity(NOW.plusSeconds(from), NOW.plusSeconds(to))
                .signedBy(ROOT);
    }

    private static void chains(CertificateCases cases) {
        TlsIdentity middle = middle().signedBy(ROOT);
        TlsIdentity leaf = leaf().dnsName("a.example").signedBy(middle);
        cases.good("an authority between", leaf, "a.example");
        cases.bad(
                "an authority left out",
                leaf.key(),
                leaf.chain().subList(0, 1),
                "a.example",
                UNTRUSTED);
        cases.bad("an empty chain", leaf.key(), List.of(), "a.example", MISSING);
        cases.bad(
                "the authority first",
                middle.key(),
                leaf.chain().reversed(),
                "a.example",
                WRONG_HOST,
                UNTRUSTED,
                WRONG_USAGE,
                OTHER);
        cases.bad(
                "an unknown root",
                leaf().dnsName("a.example").signedBy(STRANGER),
                "a.example",
                UNTRUSTED);
        TlsIdentity strange = leaf().dnsName("a.example").signedBy(STRANGER);
        cases.bad(
                "an unknown root that is shown",
                strange.key(),
                List.of(strange.certificate(), STRANGER.certificate()),
                "a.example",
                UNTRUSTED);
        cases.bad(
                "signed by itself",
                leaf().dnsName("a.example").selfSigned(),
                "a.example",
                UNTRUSTED);
        TlsIdentity pretender = CertificateBuilder.subject("CN=root").authority(-1).selfSigned();
        cases.bad(
                "an authority of the same name",
                leaf().dnsName("a.example").signedBy(pretender),
                "a.example",
                BAD_SIGNATURE,
                UNTRUSTED);
        TlsIdentity pretended = leaf().dnsName("a.example").signedBy(pretender);
        cases.bad(
                "one of that name that is shown",
                pretended.key(),
                List.of(pretended.certificate(), pretender.certificate()),
                "a.example",
                BAD_SIGNATURE,
                UNTRUSTED);
        TlsIdentity right = leaf().dnsName("a.example").signedBy(ROOT);
        cases.bad(
                "a changed signature",
                right.key(),
                List.of(changed(right.certificate(), -3)),
                "a.example",
                BAD_SIGNATURE,
                UNTRUSTED);
        cases.bad(
                "a changed name",
                right.key(),
                List.of(renamed(right.certificate())),
                "b.example",
                BAD_SIGNATURE,
                UNTRUSTED);
        List<X509Certificate> endless = new ArrayList<>(leaf.chain());
        while (endless.size() <= MAX_CHAIN) {
            endless.add(middle.certificate());
        }
        cases.bad("a chain that is too long", leaf.key(), endless, "a.example", CONSTRAINT);
        cases.bad("others' certificates only", STRANGER, "a.example", UNTRUSTED);
    }

    private static X509Certificate changed(X509Certificate certificate, int fromEnd) {
        try {
            byte[] der = certificate.getEncoded();
            der[der.length + fromEnd] ^= 1;
            return parsed(der);
        } catch (CertificateException e) {
            throw new AssertionError(e);
        }
    }

    private static X509Certificate renamed(X509Certificate certificate) {
        try {
            String latin = new String(certificate.getEncoded(), StandardCharsets.ISO_8859_1);
            return parsed(
                    latin.replace("a.example", "b.example").getBytes(StandardCharsets.ISO_8859_1));
        } catch (CertificateException e) {
            throw new AssertionError(e);
        }
    }

    private static X509Certificate parsed(byte[] der) throws CertificateException {
        return (X509Certificate)
                java.security.cert.CertificateFactory.getInstance("X.509")
                        .generateCertificate(new java.io.ByteArrayInputStream(der));
    }
}
