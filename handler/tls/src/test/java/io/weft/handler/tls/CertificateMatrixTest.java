package io.weft.handler.tls;

import static io.weft.handler.tls.CertificateBuilder.CLIENT_AUTH;
import static io.weft.handler.tls.CertificateBuilder.CRL_SIGN;
import static io.weft.handler.tls.CertificateBuilder.DIGITAL_SIGNATURE;
import static io.weft.handler.tls.CertificateBuilder.KEY_CERT_SIGN;
import static io.weft.handler.tls.CertificateBuilder.KEY_ENCIPHERMENT;
import static io.weft.handler.tls.CertificateBuilder.OCSP_SIGNING;
import static io.weft.handler.tls.CertificateBuilder.SERVER_AUTH;
import static io.weft.handler.tls.CertificateFault.BAD_SIGNATURE;
import static io.weft.handler.tls.CertificateFault.CONSTRAINT;
import static io.weft.handler.tls.CertificateFault.EXPIRED;
import static io.weft.handler.tls.CertificateFault.MISSING;
import static io.weft.handler.tls.CertificateFault.NOT_YET_VALID;
import static io.weft.handler.tls.CertificateFault.OTHER;
import static io.weft.handler.tls.CertificateFault.UNTRUSTED;
import static io.weft.handler.tls.CertificateFault.WEAK;
import static io.weft.handler.tls.CertificateFault.WRONG_HOST;
import static io.weft.handler.tls.CertificateFault.WRONG_USAGE;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.handler.tls.TlsException.CertificateRefused;
import io.weft.handler.tls.spi.TlsPeer;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Chains that a client must not accept, each for its reason, beside twins that it must. Every one is tried three times: with
/// the trust manager of authorities, with one that is not extended, and with one that believes everything, where what this
/// module checks by itself is still refused.
class CertificateMatrixTest {
    @SuppressWarnings("TimeInStaticInitializer") // one for all cases
    private static final Instant NOW = Instant.now();

    private static final TlsIdentity ROOT =
            CertificateBuilder.subject("CN=root")
                    .authority(-1)
                    .keyUsage(KEY_CERT_SIGN, CRL_SIGN)
                    .selfSigned();
    private static final TlsIdentity STRANGER =
            CertificateBuilder.subject("CN=stranger").authority(-1).selfSigned();

    /// @param faults that are right for it; empty when it is good
    private record Case(
            String name, List<X509Certificate> chain, String host, Set<CertificateFault> faults) {}

    private final List<Case> cases = new ArrayList<>();

    private static CertificateBuilder leaf() {
        return CertificateBuilder.subject("CN=leaf")
                .keyUsage(DIGITAL_SIGNATURE)
                .extendedKeyUsage(SERVER_AUTH);
    }

    private static CertificateBuilder middle() {
        return CertificateBuilder.subject("CN=middle")
                .authority(0)
                .keyUsage(KEY_CERT_SIGN, CRL_SIGN);
    }

    private void good(String name, TlsIdentity identity, String host) {
        cases.add(new Case(name, identity.chain(), host, Set.of()));
    }

    private void bad(String name, TlsIdentity identity, String host, CertificateFault... faults) {
        bad(name, identity.chain(), host, faults);
    }

    private void bad(
            String name, List<X509Certificate> chain, String host, CertificateFault... faults) {
        cases.add(new Case(name, chain, host, EnumSet.copyOf(List.of(faults))));
    }

    private static TlsIdentity named(String... names) {
        CertificateBuilder builder = leaf();
        for (String name : names) {
            builder.dnsName(name);
        }
        return builder.signedBy(ROOT);
    }

    private static TlsIdentity address(int... bytes) {
        return leaf().alternativeName(7, ClientHellos.bytes(bytes)).signedBy(ROOT);
    }

    private void times() {
        good("valid now", named("a.example"), "a.example");
        bad("expired a second ago", valid(-3600, -1), "a.example", EXPIRED);
        bad("expired long ago", valid(-7200, -3600), "a.example", EXPIRED);
        bad("valid in an hour", valid(3600, 7200), "a.example", NOT_YET_VALID);
        bad("ends before it begins", valid(3600, -3600), "a.example", EXPIRED, NOT_YET_VALID);
        TlsIdentity oldMiddle =
                middle().validity(NOW.minusSeconds(7200), NOW.minusSeconds(60)).signedBy(ROOT);
        bad(
                "an authority expired",
                leaf().dnsName("a.example").signedBy(oldMiddle),
                "a.example",
                EXPIRED);
        TlsIdentity newMiddle =
                middle().validity(NOW.plusSeconds(60), NOW.plusSeconds(7200)).signedBy(ROOT);
        bad(
                "an authority not yet valid",
                leaf().dnsName("a.example").signedBy(newMiddle),
                "a.example",
                NOT_YET_VALID);
        good(
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

    private void names() {
        good("another case", named("A.Example"), "a.eXAMPLE");
        good("a trailing dot of the host", named("a.example"), "a.example.");
        good("the second of two names", named("b.example", "a.example"), "a.example");
        good("a wildcard", named("*.a.example"), "b.a.example");
        good("a name in IDNA", named("xn--bcher-kva.example"), "bücher.example");
        bad("another host", named("b.example"), "a.example", WRONG_HOST);
        bad("the domain above", named("example.com"), "www.example.com", WRONG_HOST);
        bad("a host below", named("www.example.com"), "example.com", WRONG_HOST);
        bad("the same ending", named("ample.com"), "example.com", WRONG_HOST);
        bad("no name", leaf().signedBy(ROOT), "a.example", WRONG_HOST);
        bad(
                "a common name only",
                CertificateBuilder.subject("CN=a.example")
                        .extendedKeyUsage(SERVER_AUTH)
                        .signedBy(ROOT),
                "a.example",
                WRONG_HOST);
        bad(
                "a common name beside another name",
                CertificateBuilder.subject("CN=a.example").dnsName("b.example").signedBy(ROOT),
                "a.example",
                WRONG_HOST);
        bad("a wildcard for the domain", named("*.a.example"), "a.example", WRONG_HOST);
        bad("a wildcard two levels up", named("*.example.com"), "a.b.example.com", WRONG_HOST);
        bad("a wildcard of a public suffix", named("*.example"), "a.example", WRONG_HOST);
        bad("a wildcard alone", named("*"), "a", WRONG_HOST);
        bad("a wildcard and a dot", named("*."), "a.example", WRONG_HOST);
        bad("a wildcard in a label", named("w*.a.example"), "www.a.example", WRONG_HOST);
        bad("a wildcard at a label's end", named("*w.a.example"), "www.a.example", WRONG_HOST);
        bad("a wildcard in the middle", named("a.*.example"), "a.b.example", WRONG_HOST);
        bad("two wildcards", named("*.*.example"), "a.b.example", WRONG_HOST);
        bad("a wildcard in IDNA", named("xn--*.a.example"), "xn--bcher-kva.a.example", WRONG_HOST);
        bad("a wildcard for an address", named("*.0.0.1"), "127.0.0.1", WRONG_HOST);
        bad("a trailing dot of the name", named("a.example."), "a.example", WRONG_HOST);
        bad("a leading dot", named(".a.example"), "b.a.example", WRONG_HOST);
        bad("NUL after the name", named("a.example\0.evil.com"), "a.example", WRONG_HOST, OTHER);
        bad("NUL at the end", named("a.example\0"), "a.example", WRONG_HOST, OTHER);
        bad("a space", named(" a.example"), "a.example", WRONG_HOST);
        bad("a line break", named("a.example\n"), "a.example", WRONG_HOST);
        bad("a scheme", named("https://a.example"), "a.example", WRONG_HOST);
        bad("letters beyond ASCII", named("bücher.example"), "bücher.example", WRONG_HOST, OTHER);
        bad("another name in IDNA", named("xn--bcher-kva.example"), "bucher.example", WRONG_HOST);
        bad(
                "the host as URI",
                leaf().alternativeName(6, ascii("https://a.example")).signedBy(ROOT),
                "a.example",
                WRONG_HOST);
        bad(
                "the host as mail",
                leaf().alternativeName(1, ascii("root@a.example")).signedBy(ROOT),
                "a.example",
                WRONG_HOST);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private void addresses() {
        good("an address", address(127, 0, 0, 1), "127.0.0.1");
        good(
                "an address of IPv6",
                address(0x20, 1, 0xd, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
                "2001:db8::1");
        bad("another address", address(127, 0, 0, 2), "127.0.0.1", WRONG_HOST);
        bad("an address as a name", named("127.0.0.1"), "127.0.0.1", WRONG_HOST);
        bad(
                "an address as a common name",
                CertificateBuilder.subject("CN=127.0.0.1").signedBy(ROOT),
                "127.0.0.1",
                WRONG_HOST);
        bad("an address for a name", address(127, 0, 0, 1), "localhost", WRONG_HOST);
        bad(
                "a network for an address",
                address(127, 0, 0, 1, 255, 0, 0, 0),
                "127.0.0.1",
                WRONG_HOST,
                OTHER);
        bad(
                "text in place of an address",
                leaf().alternativeName(7, ascii("127.0.0.1")).signedBy(ROOT),
                "127.0.0.1",
                WRONG_HOST,
                OTHER);
    }

    private void chains() {
        TlsIdentity middle = middle().signedBy(ROOT);
        TlsIdentity leaf = leaf().dnsName("a.example").signedBy(middle);
        good("an authority between", leaf, "a.example");
        bad("an authority left out", leaf.chain().subList(0, 1), "a.example", UNTRUSTED);
        bad("an empty chain", List.of(), "a.example", MISSING);
        bad(
                "the authority first",
                leaf.chain().reversed(),
                "a.example",
                WRONG_HOST,
                UNTRUSTED,
                WRONG_USAGE,
                OTHER);
        bad(
                "an unknown root",
                leaf().dnsName("a.example").signedBy(STRANGER),
                "a.example",
                UNTRUSTED);
        bad(
                "an unknown root that is shown",
                List.of(
                        leaf().dnsName("a.example").signedBy(STRANGER).certificate(),
                        STRANGER.certificate()),
                "a.example",
                UNTRUSTED);
        bad("signed by itself", leaf().dnsName("a.example").selfSigned(), "a.example", UNTRUSTED);
        TlsIdentity pretender = CertificateBuilder.subject("CN=root").authority(-1).selfSigned();
        bad(
                "an authority of the same name",
                leaf().dnsName("a.example").signedBy(pretender),
                "a.example",
                BAD_SIGNATURE,
                UNTRUSTED);
        bad(
                "one of that name that is shown",
                List.of(
                        leaf().dnsName("a.example").signedBy(pretender).certificate(),
                        pretender.certificate()),
                "a.example",
                BAD_SIGNATURE,
                UNTRUSTED);
        X509Certificate right = leaf().dnsName("a.example").signedBy(ROOT).certificate();
        bad(
                "a changed signature",
                List.of(changed(right, -3)),
                "a.example",
                BAD_SIGNATURE,
                UNTRUSTED);
        bad("a changed name", List.of(renamed(right)), "b.example", BAD_SIGNATURE, UNTRUSTED);
        List<X509Certificate> endless = new ArrayList<>(leaf.chain());
        while (endless.size() <= CertificateChecks.MAX_CHAIN) {
            endless.add(middle.certificate());
        }
        bad("a chain that is too long", endless, "a.example", CONSTRAINT);
        bad("others' certificates only", STRANGER.chain(), "a.example", UNTRUSTED);
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

    private void constraints() {
        TlsIdentity noAuthority = leaf().dnsName("b.example").signedBy(ROOT);
        bad(
                "an issuer that is no authority",
                leaf().dnsName("a.example").signedBy(noAuthority),
                "a.example",
                CONSTRAINT,
                WRONG_USAGE,
                UNTRUSTED);
        TlsIdentity says =
                CertificateBuilder.subject("CN=no")
                        .extension("2.5.29.19", true, Der.sequence())
                        .keyUsage(KEY_CERT_SIGN)
                        .signedBy(ROOT);
        bad(
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
        bad(
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
        bad(
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
        good(
                "a path of two",
                leaf().dnsName("a.example").signedBy(middle().signedBy(high)),
                "a.example");
        TlsIdentity only = middle().permit("a.example").signedBy(ROOT);
        good("a permitted name", leaf().dnsName("w.a.example").signedBy(only), "w.a.example");
        bad(
                "a name not permitted",
                leaf().dnsName("b.example").signedBy(only),
                "b.example",
                CONSTRAINT,
                UNTRUSTED);
        bad(
                "one of two not permitted",
                leaf().dnsName("w.a.example").dnsName("b.example").signedBy(only),
                "b.example",
                CONSTRAINT,
                UNTRUSTED);
        TlsIdentity not = middle().exclude("b.example").signedBy(ROOT);
        good("a name that is not excluded", leaf().dnsName("a.example").signedBy(not), "a.example");
        bad(
                "an excluded name",
                leaf().dnsName("b.example").signedBy(not),
                "b.example",
                CONSTRAINT,
                UNTRUSTED);
        bad(
                "a name below it",
                leaf().dnsName("w.b.example").signedBy(not),
                "w.b.example",
                CONSTRAINT,
                UNTRUSTED);
        bad(
                "a critical extension that nobody knows",
                leaf().dnsName("a.example").extension("1.2.3.4.5", true, Der.NULL).signedBy(ROOT),
                "a.example",
                CONSTRAINT,
                WRONG_USAGE,
                OTHER,
                UNTRUSTED);
        good(
                "one that is not critical",
                leaf().dnsName("a.example").extension("1.2.3.4.5", false, Der.NULL).signedBy(ROOT),
                "a.example");
        TlsIdentity strange = middle().extension("1.2.3.4.5", true, Der.NULL).signedBy(ROOT);
        bad(
                "one of an authority",
                leaf().dnsName("a.example").signedBy(strange),
                "a.example",
                CONSTRAINT,
                UNTRUSTED,
                OTHER);
    }

    private void usages() {
        good(
                "without extended usages",
                CertificateBuilder.subject("CN=x").dnsName("a.example").signedBy(ROOT),
                "a.example");
        good(
                "for servers and clients",
                leaf().dnsName("a.example").extendedKeyUsage(CLIENT_AUTH).signedBy(ROOT),
                "a.example");
        CertificateBuilder any = CertificateBuilder.subject("CN=x").dnsName("a.example");
        bad(
                "for clients only",
                any.extendedKeyUsage(CLIENT_AUTH).signedBy(ROOT),
                "a.example",
                WRONG_USAGE);
        bad(
                "for OCSP only",
                CertificateBuilder.subject("CN=x")
                        .dnsName("a.example")
                        .extendedKeyUsage(OCSP_SIGNING)
                        .signedBy(ROOT),
                "a.example",
                WRONG_USAGE);
        bad(
                "for code only",
                CertificateBuilder.subject("CN=x")
                        .dnsName("a.example")
                        .extendedKeyUsage("1.3.6.1.5.5.7.3.3")
                        .signedBy(ROOT),
                "a.example",
                WRONG_USAGE);
        bad(
                "a key for certificates only",
                CertificateBuilder.subject("CN=x")
                        .dnsName("a.example")
                        .keyUsage(KEY_CERT_SIGN)
                        .signedBy(ROOT),
                "a.example",
                WRONG_USAGE);
    }

    private void strength() {
        for (String key : new String[] {"2048", "3072", "secp384r1", "Ed25519"}) {
            good("a key " + key, leaf().key(key).dnsName("a.example").signedBy(ROOT), "a.example");
        }
        bad(
                "RSA of 1024 bits",
                leaf().key("1024").dnsName("a.example").signedBy(ROOT),
                "a.example",
                WEAK);
        bad(
                "RSA of 512 bits",
                leaf().key("512").dnsName("a.example").signedBy(ROOT),
                "a.example",
                WEAK,
                UNTRUSTED);
        bad(
                "SHA-1 with ECDSA",
                leaf().dnsName("a.example").signatureAlgorithm("SHA1withECDSA").signedBy(ROOT),
                "a.example",
                WEAK,
                UNTRUSTED);
        KeyPair rsa = rsa();
        TlsIdentity rsaRoot = rsaMiddle(rsa, "SHA256withECDSA");
        bad(
                "SHA-1 with RSA",
                leaf().dnsName("a.example").signatureAlgorithm("SHA1withRSA").signedBy(rsaRoot),
                "a.example",
                WEAK,
                UNTRUSTED);
        bad(
                "MD5",
                leaf().dnsName("a.example").signatureAlgorithm("MD5withRSA").signedBy(rsaRoot),
                "a.example",
                WEAK,
                UNTRUSTED);
        bad(
                "SHA-1 of an authority",
                leaf().dnsName("a.example").signedBy(rsaMiddle(rsa, "SHA1withECDSA")),
                "a.example",
                WEAK,
                UNTRUSTED);
        TlsIdentity weakMiddle = middle().key("1024").signedBy(ROOT);
        bad(
                "a weak key of an authority",
                leaf().dnsName("a.example").signedBy(weakMiddle),
                "a.example",
                WEAK);
        good(
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

    private void all() {
        times();
        names();
        addresses();
        chains();
        constraints();
        usages();
        strength();
    }

    private static @Nullable CertificateFault check(X509TrustManager trust, Case c)
            throws SSLException {
        try (TlsContext context = TlsContext.client().trust(trust).build()) {
            context.settings()
                    .peerVerifier()
                    .verify(c.chain, "UNKNOWN", new TlsPeer(c.host, 443), List.of());
            return null;
        } catch (CertificateRefused e) {
            assertThat(e.getMessage()).doesNotContain("\0", "\n");
            return e.fault();
        }
    }

    /// What the JDK would wrap, and then not check the name.
    private static X509TrustManager plain(X509TrustManager of) {
        return new X509TrustManager() {
            @Override
            public void checkClientTrusted(X509Certificate[] chain, String authType)
                    throws CertificateException {
                of.checkClientTrusted(chain, authType);
            }

            @Override
            public void checkServerTrusted(X509Certificate[] chain, String authType)
                    throws CertificateException {
                of.checkServerTrusted(chain, authType);
            }

            @Override
            public X509Certificate[] getAcceptedIssuers() {
                return of.getAcceptedIssuers();
            }
        };
    }

    private static final X509TrustManager GULLIBLE =
            new X509TrustManager() {
                @Override
                public void checkClientTrusted(X509Certificate[] chain, String authType) {}

                @Override
                public void checkServerTrusted(X509Certificate[] chain, String authType) {}

                @Override
                public X509Certificate[] getAcceptedIssuers() {
                    return new X509Certificate[0];
                }
            };

    @TestFactory
    Stream<DynamicTest> refusesTheBadAndAcceptsTheGood() {
        all();
        X509TrustManager authorities = TlsTrust.of(List.of(ROOT.certificate()));
        return cases.stream()
                .map(c -> DynamicTest.dynamicTest(c.name, () -> decide(c, authorities)));
    }

    private static void decide(Case c, X509TrustManager authorities) throws SSLException {
        for (X509TrustManager trust : List.of(authorities, plain(authorities))) {
            CertificateFault found = check(trust, c);
            if (c.faults.isEmpty()) {
                assertThat(found).isNull();
            } else {
                assertThat(found).isIn(c.faults);
            }
        }
        boolean ours =
                c.faults.equals(Set.of(WRONG_HOST))
                        || c.faults.equals(Set.of(MISSING))
                        || c.faults.equals(Set.of(WEAK));
        if (ours) {
            assertThat(check(GULLIBLE, c)).isIn(c.faults);
        }
    }

    @Test
    void thereAreSixtyBadOnes() {
        all();
        assertThat(cases.stream().filter(c -> !c.faults.isEmpty())).hasSizeGreaterThanOrEqualTo(60);
        assertThat(cases.stream().filter(c -> c.faults.isEmpty())).hasSizeGreaterThanOrEqualTo(20);
    }

    /// The same through handshakes, both protocols: the peer is told, nobody gets data.
    @TestFactory
    Stream<DynamicTest> handshakesFailForTheSameReasons() {
        TlsIdentity middle = middle().signedBy(ROOT);
        return Stream.of(TlsProtocol.values())
                .flatMap(
                        protocol ->
                                Stream.of(
                                        handshake(protocol, named("example.com")),
                                        handshake(
                                                protocol,
                                                leaf().dnsName("example.com").signedBy(middle)),
                                        handshake(protocol, named("b.example"), WRONG_HOST),
                                        handshake(
                                                protocol,
                                                leaf().dnsName("example.com").signedBy(STRANGER),
                                                UNTRUSTED),
                                        handshake(
                                                protocol,
                                                leaf().dnsName("example.com")
                                                        .validity(
                                                                NOW.minus(Duration.ofDays(2)),
                                                                NOW.minus(Duration.ofDays(1)))
                                                        .signedBy(ROOT),
                                                EXPIRED),
                                        handshake(
                                                protocol,
                                                CertificateBuilder.subject("CN=x")
                                                        .dnsName("example.com")
                                                        .extendedKeyUsage(CLIENT_AUTH)
                                                        .signedBy(ROOT),
                                                WRONG_USAGE)));
    }

    private static DynamicTest handshake(
            TlsProtocol protocol, TlsIdentity server, CertificateFault... expected) {
        return DynamicTest.dynamicTest(
                protocol + " " + List.of(expected),
                () -> {
                    TlsContext client =
                            TlsContext.client()
                                    .protocols(protocol)
                                    .trust(ROOT.certificate())
                                    .tasks(Runnable::run)
                                    .build();
                    TlsContext accepting = TlsContext.server(server).tasks(Runnable::run).build();
                    try (TlsPair pair = new TlsPair(client, accepting)) {
                        pair.server.channel().writeAndFlush(TlsPair.buffer("early"));
                        pair.carry();
                        if (expected.length == 0) {
                            assertThat(pair.clientEar.text()).isEqualTo("early");
                            return;
                        }
                        assertThat(pair.clientEar.text()).isEmpty();
                        assertThat(pair.clientEar.failures)
                                .singleElement()
                                .isInstanceOfSatisfying(
                                        CertificateRefused.class,
                                        e -> assertThat(e.fault()).isEqualTo(expected[0]));
                        assertThat(pair.serverEar.failures)
                                .singleElement()
                                .isInstanceOf(TlsException.AlertReceived.class);
                    }
                });
    }

    @Test
    void clientsAreCheckedToo() throws SSLException {
        TlsIdentity good =
                CertificateBuilder.subject("CN=client")
                        .extendedKeyUsage(CLIENT_AUTH)
                        .signedBy(ROOT);
        assertThat(clientFault(good, ClientAuth.REQUIRE)).isNull();
        assertThat(clientFault(null, ClientAuth.REQUIRE)).isEqualTo(MISSING);
        assertThat(clientFault(null, ClientAuth.WANT)).isNull();
        assertThat(clientFault(null, ClientAuth.NONE)).isNull();
        TlsIdentity wrong =
                CertificateBuilder.subject("CN=client")
                        .extendedKeyUsage(SERVER_AUTH)
                        .signedBy(ROOT);
        for (ClientAuth auth : List.of(ClientAuth.REQUIRE, ClientAuth.WANT)) {
            assertThat(clientFault(wrong, auth)).isEqualTo(WRONG_USAGE);
            assertThat(
                            clientFault(
                                    CertificateBuilder.subject("CN=client")
                                            .validity(NOW.minusSeconds(100), NOW.minusSeconds(1))
                                            .signedBy(ROOT),
                                    auth))
                    .isEqualTo(EXPIRED);
        }
    }

    private static @Nullable CertificateFault clientFault(
            @Nullable TlsIdentity identity, ClientAuth auth) throws SSLException {
        TlsIdentity server = named("example.com");
        CertificateFault fault = null;
        for (TlsProtocol protocol : TlsProtocol.values()) {
            TlsContextBuilder client =
                    TlsContext.client()
                            .protocols(protocol)
                            .trust(ROOT.certificate())
                            .tasks(Runnable::run);
            if (identity != null) {
                client.identity(identity);
            }
            TlsContextBuilder accepting =
                    TlsContext.server(server)
                            .trust(ROOT.certificate())
                            .clientAuth(auth)
                            .tasks(Runnable::run);
            try (TlsPair pair = new TlsPair(client.build(), accepting.build())) {
                pair.carry();
                fault = null;
                if (!pair.serverEar.failures.isEmpty()) {
                    Throwable failure = pair.serverEar.failures.getFirst();
                    assertThat(failure).isInstanceOf(CertificateRefused.class);
                    fault = ((CertificateRefused) failure).fault();
                } else if (identity != null) {
                    TlsSession session = pair.serverHandler.session();
                    assertThat(session).isNotNull();
                    assertThat(session.peerCertificate()).isEqualTo(identity.certificate());
                }
            }
        }
        return fault;
    }

    @Test
    void withoutAHostNothingIsAccepted() throws SSLException {
        try (TlsContext context = TlsContext.client().trust(ROOT.certificate()).build()) {
            CertificateFault fault = null;
            try {
                context.settings()
                        .peerVerifier()
                        .verify(named("a.example").chain(), "UNKNOWN", TlsPeer.UNKNOWN, List.of());
            } catch (CertificateRefused e) {
                fault = e.fault();
            }
            assertThat(fault).isEqualTo(WRONG_HOST);
        }
    }
}
