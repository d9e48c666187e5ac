package io.weft.tls.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.Der;
import io.weft.tls.x509.Signing;
import io.weft.tls.x509.TlsIdentity;
import io.weft.tls.x509.TlsTrust;
import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXRevocationChecker.Option;
import java.security.cert.X509CRL;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// A certificate that its authority has revoked is not accepted, by whichever way that is learnt;
/// nor is one whose state is not confirmed.
class RevocationTest {
    @SuppressWarnings("TimeInStaticInitializer") // one for all cases
    private static final Instant NOW = Instant.now();

    private static final TlsIdentity ROOT =
            CertificateBuilder.subject("CN=root")
                    .authority(-1)
                    .keyUsage(CertificateBuilder.KEY_CERT_SIGN, CertificateBuilder.CRL_SIGN)
                    .selfSigned();
    private static final TlsIdentity LEAF =
            CertificateBuilder.subject("CN=leaf")
                    .dnsName("a.example")
                    .keyUsage(CertificateBuilder.DIGITAL_SIGNATURE)
                    .signedBy(ROOT);

    enum Status {
        GOOD,
        REVOKED,
        UNKNOWN
    }

    static X509CRL crl(TlsIdentity issuer, Instant from, Instant to, BigInteger... serials)
            throws GeneralSecurityException {
        String algorithm = Signing.of(issuer.key());
        byte[] revoked =
                Der.sequence(
                        Arrays.stream(serials)
                                .map(serial -> Der.sequence(Der.integer(serial), Der.time(from)))
                                .toArray(byte[][]::new));
        byte[] body =
                Der.sequence(
                        Der.integer(1),
                        Signing.identifier(algorithm),
                        issuer.certificate().getSubjectX500Principal().getEncoded(),
                        Der.time(from),
                        Der.time(to),
                        serials.length == 0 ? new byte[0] : revoked);
        byte[] der = Signing.signed(body, algorithm, issuer.key());
        return (X509CRL)
                CertificateFactory.getInstance("X.509").generateCRL(new ByteArrayInputStream(der));
    }

    /// @param about whose status it is, issued by `issuer`
    /// @param signer who says so
    static byte[] ocsp(
            X509Certificate about,
            TlsIdentity issuer,
            TlsIdentity signer,
            Status status,
            Instant from,
            Instant to)
            throws GeneralSecurityException {
        MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
        byte[] name = sha1.digest(issuer.certificate().getSubjectX500Principal().getEncoded());
        byte[] spki = issuer.certificate().getPublicKey().getEncoded();
        byte[] point = Arrays.copyOfRange(spki, spki.length - 65, spki.length); // of P-256
        byte[] id =
                Der.sequence(
                        Der.sequence(Der.oid("1.3.14.3.2.26"), Der.tagged(5)),
                        Der.octets(name),
                        Der.octets(sha1.digest(point)),
                        Der.integer(about.getSerialNumber()));
        byte[] what =
                switch (status) {
                    case GOOD -> Der.implicit(0, new byte[0]);
                    case REVOKED -> Der.explicit(1, Der.generalizedTime(from));
                    case UNKNOWN -> Der.implicit(2, new byte[0]);
                };
        byte[] single =
                Der.sequence(
                        id,
                        what,
                        Der.generalizedTime(from),
                        Der.explicit(0, Der.generalizedTime(to)));
        byte[] body =
                Der.sequence(
                        Der.explicit(
                                1, signer.certificate().getSubjectX500Principal().getEncoded()),
                        Der.generalizedTime(from),
                        Der.sequence(single));
        String algorithm = Signing.of(signer.key());
        byte[] signed = Signing.signed(body, algorithm, signer.key());
        // The certificate of who signed goes inside, behind the signature.
        byte[] content = Arrays.copyOfRange(signed, headerLength(signed), signed.length);
        byte[] certificates = Der.explicit(0, Der.sequence(signer.certificate().getEncoded()));
        byte[] basic = Der.sequence(content, certificates);
        return Der.sequence(
                Der.enumerated(0),
                Der.explicit(0, Der.sequence(Der.oid("1.3.6.1.5.5.7.48.1.1"), Der.octets(basic))));
    }

    private static int headerLength(byte[] der) {
        int length = der[1] & 0xff;
        return length < 0x80 ? 2 : 2 + length - 0x80;
    }

    private static byte[] ocsp(TlsIdentity signer, Status status, Instant from, Instant to)
            throws GeneralSecurityException {
        return ocsp(LEAF.certificate(), ROOT, signer, status, from, to);
    }

    private static @Nullable CertificateFault check(X509TrustManager trust, byte[]... stapled)
            throws SSLException {
        return check(LEAF, trust, stapled);
    }

    private static @Nullable CertificateFault check(
            TlsIdentity leaf, X509TrustManager trust, byte[]... stapled) throws SSLException {
        try (TlsContext context = TlsContext.client().trust(trust).build()) {
            context.settings()
                    .peerVerifier()
                    .verify(leaf.chain(), "UNKNOWN", new TlsPeer("a.example", 1), List.of(stapled));
            return null;
        } catch (CertificateRefused e) {
            return e.fault();
        }
    }

    private static X509TrustManager trust(X509CRL... lists) {
        return TlsTrust.withRevocation(List.of(ROOT.certificate()), List.of(lists));
    }

    private static final Instant FROM = NOW.minus(Duration.ofHours(1));
    private static final Instant TO = NOW.plus(Duration.ofHours(1));

    @Test
    void listsDecide() throws Exception {
        BigInteger serial = LEAF.certificate().getSerialNumber();
        assertThat(check(trust(crl(ROOT, FROM, TO)))).isNull();
        assertThat(check(trust(crl(ROOT, FROM, TO, BigInteger.ONE)))).isNull();
        assertThat(check(trust(crl(ROOT, FROM, TO, BigInteger.ONE, serial))))
                .isEqualTo(CertificateFault.REVOKED);
    }

    @Test
    void withoutAStatusNothingIsAcceptedUnlessAsked() throws Exception {
        assertThat(check(trust())).isEqualTo(CertificateFault.STATUS_UNKNOWN);
        try (Socket deaf = new Socket()) {
            // Bound, so that nobody else listens there; without listening itself, it refuses.
            deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            TlsIdentity asks =
                    CertificateBuilder.subject("CN=leaf")
                            .dnsName("a.example")
                            .ocspResponder("http://127.0.0.1:" + deaf.getLocalPort() + "/")
                            .signedBy(ROOT);
            assertThat(check(asks, trust())).isEqualTo(CertificateFault.STATUS_UNKNOWN);
            X509TrustManager soft =
                    TlsTrust.withRevocation(
                            List.of(ROOT.certificate()), List.of(), Option.SOFT_FAIL);
            assertThat(check(asks, soft)).isNull();
        }
    }

    @Test
    void aListThatIsOldOrOfOthersDoesNotCount() throws Exception {
        Instant old = NOW.minus(Duration.ofDays(2));
        assertThat(check(trust(crl(ROOT, old, NOW.minus(Duration.ofDays(1))))))
                .isEqualTo(CertificateFault.STATUS_UNKNOWN);
        TlsIdentity other = CertificateBuilder.subject("CN=other").authority(-1).selfSigned();
        assertThat(check(trust(crl(other, FROM, TO)))).isEqualTo(CertificateFault.STATUS_UNKNOWN);
        TlsIdentity namesake =
                CertificateBuilder.subject("CN=root")
                        .authority(-1)
                        .keyUsage(CertificateBuilder.CRL_SIGN)
                        .selfSigned();
        assertThat(check(trust(crl(namesake, FROM, TO))))
                .isEqualTo(CertificateFault.STATUS_UNKNOWN);
    }

    @Test
    void aStapledStatusDecides() throws Exception {
        assertThat(check(trust(), ocsp(ROOT, Status.GOOD, FROM, TO))).isNull();
        assertThat(check(trust(), ocsp(ROOT, Status.REVOKED, FROM, TO)))
                .isEqualTo(CertificateFault.REVOKED);
        assertThat(check(trust(), ocsp(ROOT, Status.UNKNOWN, FROM, TO))).isNotNull();
    }

    @Test
    void aStapledStatusThatIsOldOrOfOthersDoesNotCount() throws Exception {
        Instant old = NOW.minus(Duration.ofDays(2));
        assertThat(check(trust(), ocsp(ROOT, Status.GOOD, old, NOW.minus(Duration.ofDays(1)))))
                .as("stale")
                .isNotNull();
        assertThat(check(trust(), ocsp(ROOT, Status.GOOD, NOW.plus(Duration.ofHours(1)), TO)))
                .as("of the future")
                .isNotNull();
        TlsIdentity other = CertificateBuilder.subject("CN=other").authority(-1).selfSigned();
        assertThat(check(trust(), ocsp(other, Status.GOOD, FROM, TO))).as("a stranger").isNotNull();
        TlsIdentity noResponder = CertificateBuilder.subject("CN=sub").signedBy(ROOT);
        assertThat(check(trust(), ocsp(noResponder, Status.GOOD, FROM, TO)))
                .as("not for OCSP signing")
                .isNotNull();
        X509Certificate neighbour = CertificateBuilder.subject("CN=n").signedBy(ROOT).certificate();
        assertThat(check(trust(), ocsp(neighbour, ROOT, ROOT, Status.GOOD, FROM, TO)))
                .as("about another certificate")
                .isNotNull();
        assertThat(check(trust(), new byte[] {1, 2, 3})).as("not a response").isNotNull();
        byte[] changed = ocsp(ROOT, Status.GOOD, FROM, TO);
        changed[changed.length / 3] ^= 1;
        assertThat(check(trust(), changed)).as("changed").isNotNull();
    }

    private static TlsIdentity mustStaple(byte[]... features) {
        return CertificateBuilder.subject("CN=leaf")
                .dnsName("a.example")
                .extension("1.3.6.1.5.5.7.1.24", false, Der.sequence(features))
                .signedBy(ROOT);
    }

    @Test
    void whoSaysThatItStaplesHasTo() throws Exception {
        X509TrustManager plain = TlsTrust.of(List.of(ROOT.certificate()));
        X509TrustManager soft =
                TlsTrust.withRevocation(
                        List.of(ROOT.certificate()),
                        List.of(crl(ROOT, FROM, TO)),
                        Option.SOFT_FAIL,
                        Option.PREFER_CRLS);
        TlsIdentity leaf = mustStaple(Der.integer(17), Der.integer(5));
        TlsIdentity other = CertificateBuilder.subject("CN=other").authority(-1).selfSigned();
        for (X509TrustManager trust : List.of(plain, soft)) {
            assertThat(check(leaf, trust)).isEqualTo(CertificateFault.STATUS_UNKNOWN);
            assertThat(check(leaf, trust, new byte[0])).isEqualTo(CertificateFault.STATUS_UNKNOWN);
        }
        X509Certificate about = leaf.certificate();
        assertThat(check(leaf, plain, ocsp(about, ROOT, ROOT, Status.GOOD, FROM, TO))).isNull();
        assertThat(check(leaf, plain, ocsp(about, ROOT, ROOT, Status.REVOKED, FROM, TO)))
                .isEqualTo(CertificateFault.REVOKED);
        assertThat(check(leaf, plain, ocsp(about, ROOT, other, Status.GOOD, FROM, TO))).isNotNull();
        Instant yesterday = NOW.minus(Duration.ofDays(1));
        byte[] stale = ocsp(about, ROOT, ROOT, Status.GOOD, yesterday, FROM);
        assertThat(check(leaf, plain, stale)).isNotNull();
        assertThat(check(mustStaple(Der.integer(23)), plain)).as("another feature").isNull();
        assertThat(check(mustStaple(), plain)).as("none").isNull();
        assertThat(check(mustStaple(Der.tagged(5)), plain)).as("malformed").isNotNull();
        try (TlsContext silent =
                TlsContext.client().trust(ROOT.certificate()).ocspStapling(false).build()) {
            silent.settings()
                    .peerVerifier()
                    .verify(leaf.chain(), "UNKNOWN", new TlsPeer("a.example", 1), List.of());
        }
    }

    @Test
    void aResponderOfTheAuthorityMaySign() throws Exception {
        TlsIdentity responder =
                CertificateBuilder.subject("CN=responder")
                        .keyUsage(CertificateBuilder.DIGITAL_SIGNATURE)
                        .extendedKeyUsage(CertificateBuilder.OCSP_SIGNING)
                        .signedBy(ROOT);
        assertThat(check(trust(), ocsp(responder, Status.GOOD, FROM, TO))).isNull();
        assertThat(check(trust(), ocsp(responder, Status.REVOKED, FROM, TO)))
                .isEqualTo(CertificateFault.REVOKED);
    }
}
