package io.weft.handler.tls;

import static io.weft.tls.machine.CertificateFault.EXPIRED;
import static io.weft.tls.machine.CertificateFault.MISSING;
import static io.weft.tls.machine.CertificateFault.UNTRUSTED;
import static io.weft.tls.machine.CertificateFault.WRONG_HOST;
import static io.weft.tls.machine.CertificateFault.WRONG_USAGE;
import static io.weft.tls.x509.CertificateBuilder.CLIENT_AUTH;
import static io.weft.tls.x509.CertificateBuilder.CRL_SIGN;
import static io.weft.tls.x509.CertificateBuilder.DIGITAL_SIGNATURE;
import static io.weft.tls.x509.CertificateBuilder.KEY_CERT_SIGN;
import static io.weft.tls.x509.CertificateBuilder.SERVER_AUTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.tls.machine.CertificateFault;
import io.weft.tls.machine.ClientAuth;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsContextBuilder;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// Connections with bad certificates, of servers and of clients. The matrix of `tls/openssl` has
/// all kinds of bad certificates, where engines of both kinds meet them.
class CertificateCheckTest {
    @SuppressWarnings("TimeInStaticInitializer") // one for all cases
    private static final Instant NOW = Instant.now();

    private static final TlsIdentity ROOT =
            CertificateBuilder.subject("CN=root")
                    .authority(-1)
                    .keyUsage(KEY_CERT_SIGN, CRL_SIGN)
                    .selfSigned();
    private static final TlsIdentity STRANGER =
            CertificateBuilder.subject("CN=stranger").authority(-1).selfSigned();

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

    private static TlsIdentity named(String... names) {
        CertificateBuilder builder = leaf();
        for (String name : names) {
            builder.dnsName(name);
        }
        return builder.signedBy(ROOT);
    }

    /// Both protocols: the peer is told, nobody gets data.
    @TestFactory
    Stream<DynamicTest> handshakesFailForTheReason() {
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
