package io.weft.tls.openssl;

import static io.weft.tls.machine.CertificateFault.MISSING;
import static io.weft.tls.machine.CertificateFault.WEAK;
import static io.weft.tls.machine.CertificateFault.WRONG_HOST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.tls.machine.CertificateFault;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.openssl.CertificateCases.Case;
import io.weft.tls.x509.TlsIdentity;
import io.weft.tls.x509.TlsTrust;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// No engine accepts what it must not. Each chain is judged three times: with the trust manager of
/// authorities, with one that is not extended, and with one that believes everything, where what
/// Weft checks by itself is still refused. Then a client of each kind meets a server that shows it.
class CertificateMatrixTest {
    private static final List<Case> CASES = CertificateCases.all();
    private static final X509TrustManager AUTHORITIES =
            TlsTrust.of(List.of(CertificateCases.ROOT.certificate()));

    private static @Nullable CertificateFault check(X509TrustManager trust, Case c)
            throws SSLException {
        try (TlsContext context = TlsContext.client().trust(trust).build()) {
            context.settings()
                    .peerVerifier()
                    .verify(c.chain(), "UNKNOWN", new TlsPeer(c.host(), 443), List.of());
            return null;
        } catch (CertificateRefused e) {
            assertThat(e.getMessage()).doesNotContain("\0", "\n");
            return e.fault();
        }
    }

    /// A trust manager that is not extended: the JDK would wrap it, and then not check the name.
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
        return CASES.stream().map(c -> DynamicTest.dynamicTest(c.name(), () -> decide(c)));
    }

    private static void decide(Case c) throws SSLException {
        for (X509TrustManager trust : List.of(AUTHORITIES, plain(AUTHORITIES))) {
            CertificateFault found = check(trust, c);
            if (c.isGood()) {
                assertThat(found).isNull();
            } else {
                assertThat(found).isIn(c.faults());
            }
        }
        boolean ours =
                c.faults().equals(Set.of(WRONG_HOST))
                        || c.faults().equals(Set.of(MISSING))
                        || c.faults().equals(Set.of(WEAK));
        if (ours) {
            assertThat(check(GULLIBLE, c)).isIn(c.faults());
        }
    }

    @Test
    void thereAreSixtyBadOnes() {
        assertThat(CASES.stream().filter(c -> !c.isGood())).hasSizeGreaterThanOrEqualTo(60);
        assertThat(CASES.stream().filter(Case::isGood)).hasSizeGreaterThanOrEqualTo(20);
    }

    @TestFactory
    Stream<DynamicTest> clientsMeetThem() {
        return Stream.of(TlsEngineKind.values())
                .flatMap(
                        kind ->
                                Stream.of(TlsProtocol.values())
                                        .flatMap(
                                                protocol ->
                                                        CASES.stream()
                                                                .filter(c -> !c.chain().isEmpty())
                                                                .map(
                                                                        c ->
                                                                                meet(
                                                                                        kind,
                                                                                        protocol,
                                                                                        c))));
    }

    private static DynamicTest meet(TlsEngineKind kind, TlsProtocol protocol, Case c) {
        return DynamicTest.dynamicTest(
                kind + ", " + protocol + ": " + c.name(),
                () -> {
                    assumeTrue(
                            TlsContext.unavailable(kind).isEmpty(),
                            () -> TlsContext.unavailable(kind));
                    handshake(kind, protocol, c);
                });
    }

    private static void handshake(TlsEngineKind kind, TlsProtocol protocol, Case c)
            throws SSLException {
        TlsIdentity identity = new TlsIdentity(c.key(), c.chain());
        try (TlsContext client =
                        TlsContext.client()
                                .engine(kind)
                                .protocols(protocol)
                                .trust(CertificateCases.ROOT.certificate())
                                .build();
                TlsContext server = server(identity);
                EnginePair pair =
                        new EnginePair(
                                new Side(client, new TlsPeer(c.host(), 443)),
                                new Side(server, TlsPeer.UNKNOWN))) {
            pair.shakeHands();
            if (c.isGood()) {
                assertThat(pair.client.failure).isNull();
                assertThat(pair.client.completed).isNotNull();
                return;
            }
            assertThat(pair.client.completed).isNull();
            assertThat(pair.server.completed).isNull();
            if (pair.client.failure instanceof CertificateRefused refused) {
                assertThat(refused.fault()).isIn(c.faults());
            } else {
                assertThat(pair.server.failure).isNotNull();
                Assumptions.abort("no server shows it: " + pair.server.failure);
            }
        }
    }

    private static TlsContext server(TlsIdentity identity) {
        try {
            return TlsContext.server(identity).engine(TlsEngineKind.JDK).build();
        } catch (SSLException | RuntimeException e) {
            return Assumptions.abort("no server shows it: " + e);
        }
    }
}
