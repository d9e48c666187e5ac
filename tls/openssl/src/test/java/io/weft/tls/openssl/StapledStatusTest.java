package io.weft.tls.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.testkit.SocketServer;
import io.weft.tls.machine.CertificateFault;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsException.AlertReceived;
import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.Der;
import io.weft.tls.x509.Signing;
import io.weft.tls.x509.TlsIdentity;
import io.weft.tls.x509.TlsTrust;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.PKIXRevocationChecker.Option;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// A client of OpenSSL decides on a certificate with the status that is stapled, also where that
/// comes behind the certificate: in TLS 1.2.
class StapledStatusTest {
    private static final TlsIdentity ROOT =
            CertificateBuilder.subject("CN=root").authority(-1).selfSigned();
    private static final byte[] GOOD = Der.implicit(0, new byte[0]);
    private static final byte[] REVOKED =
            Der.explicit(1, Der.generalizedTime(Instant.parse("2020-01-01T00:00:00Z")));

    @BeforeAll
    static void openSsl() {
        Assumptions.assumeTrue(
                TlsContext.unavailable(TlsEngineKind.OPENSSL).isEmpty(),
                () -> TlsContext.unavailable(TlsEngineKind.OPENSSL));
    }

    private static CertificateBuilder leaf() {
        return CertificateBuilder.subject("CN=leaf").host("example.com");
    }

    /// Of a leaf, signed by the root.
    private static byte[] status(TlsIdentity leaf, byte[] status) throws GeneralSecurityException {
        byte[] name = ROOT.certificate().getSubjectX500Principal().getEncoded();
        byte[] key = ROOT.certificate().getPublicKey().getEncoded();
        MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
        byte[] id =
                Der.sequence(
                        Der.sequence(Der.oid("1.3.14.3.2.26"), Der.tagged(5)),
                        Der.octets(sha1.digest(name)),
                        Der.octets(
                                sha1.digest(Arrays.copyOfRange(key, key.length - 65, key.length))),
                        Der.integer(leaf.certificate().getSerialNumber()));
        Instant now = Instant.now();
        byte[] from = Der.generalizedTime(now.minus(Duration.ofHours(1)));
        byte[] to = Der.explicit(0, Der.generalizedTime(now.plus(Duration.ofHours(1))));
        byte[] single = Der.sequence(id, status, from, to);
        byte[] body = Der.sequence(Der.explicit(1, name), from, Der.sequence(single));
        byte[] basic = Signing.signed(body, Signing.of(ROOT.key()), ROOT.key());
        byte[] bytes = Der.sequence(Der.oid("1.3.6.1.5.5.7.48.1.1"), Der.octets(basic));
        return Der.sequence(Der.enumerated(0), Der.explicit(0, bytes));
    }

    private static X509TrustManager trust(Set<Option> options) {
        return TlsTrust.withRevocation(
                List.of(ROOT.certificate()), List.of(), options.toArray(new Option[0]));
    }

    /// Returns why the client refuses; null where it accepts.
    private static @Nullable CertificateFault meet(
            TlsProtocol protocol, X509TrustManager trust, TlsIdentity identity)
            throws SSLException {
        try (TlsContext client =
                        TlsContext.client()
                                .engine(TlsEngineKind.OPENSSL)
                                .protocols(protocol)
                                .trust(trust)
                                .build();
                TlsContext server =
                        EnginePair.server(
                                TlsEngineKind.OPENSSL, identity, s -> s.ocspStapling(true));
                EnginePair pair = new EnginePair(client, server)) {
            pair.shakeHands();
            assertThat(pair.server.text()).isEmpty();
            if (pair.client.failure == null) {
                assertThat(pair.client.completed).isNotNull();
                pair.client.write("hello");
                pair.carry();
                assertThat(pair.server.text()).isEqualTo("hello");
                return null;
            }
            assertThat(pair.client.completed).isNull();
            assertThat(pair.server.failure).isInstanceOf(AlertReceived.class);
            return ((CertificateRefused) pair.client.failure).fault();
        }
    }

    private static Stream<Arguments> protocolsAndOptions() {
        return Stream.of(TlsProtocol.values())
                .flatMap(
                        protocol ->
                                Stream.of(
                                                Set.<Option>of(),
                                                Set.of(Option.NO_FALLBACK),
                                                Set.of(Option.SOFT_FAIL),
                                                Set.of(Option.SOFT_FAIL, Option.NO_FALLBACK),
                                                Set.of(Option.PREFER_CRLS))
                                        .map(options -> Arguments.of(protocol, options)));
    }

    @ParameterizedTest
    @MethodSource("protocolsAndOptions")
    void itDecidesWhereTheCertificateNamesNoResponder(TlsProtocol protocol, Set<Option> options)
            throws Exception {
        TlsIdentity leaf = leaf().signedBy(ROOT);
        X509TrustManager trust = trust(options);
        assertThat(meet(protocol, trust, leaf.withOcspResponse(status(leaf, GOOD)))).isNull();
        assertThat(meet(protocol, trust, leaf.withOcspResponse(status(leaf, REVOKED))))
                .isEqualTo(CertificateFault.REVOKED);
        assertThat(meet(protocol, trust, leaf)).as("none comes").isNotNull();
    }

    @ParameterizedTest
    @EnumSource
    void theResponderIsAskedOnlyIfNoneComes(TlsProtocol protocol) throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (SocketServer responder = new SocketServer(_ -> asked.incrementAndGet())) {
            String uri = "http://127.0.0.1:" + responder.port() + "/";
            TlsIdentity leaf = leaf().ocspResponder(uri).signedBy(ROOT);
            X509TrustManager trust = trust(Set.of());
            assertThat(meet(protocol, trust, leaf.withOcspResponse(status(leaf, GOOD)))).isNull();
            assertThat(asked).hasValue(0);
            assertThat(meet(protocol, trust, leaf)).isEqualTo(CertificateFault.STATUS_UNKNOWN);
            assertThat(asked.get()).isPositive();
            assertThat(meet(protocol, trust(Set.of(Option.SOFT_FAIL)), leaf)).isNull();
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoSaysThatItStaplesHasTo(TlsProtocol protocol) throws Exception {
        byte[] feature = Der.sequence(Der.integer(5));
        TlsIdentity leaf = leaf().extension("1.3.6.1.5.5.7.1.24", false, feature).signedBy(ROOT);
        X509TrustManager trust = TlsTrust.of(List.of(ROOT.certificate()));
        assertThat(meet(protocol, trust, leaf)).isEqualTo(CertificateFault.STATUS_UNKNOWN);
        assertThat(meet(protocol, trust, leaf.withOcspResponse(status(leaf, GOOD)))).isNull();
        assertThat(meet(protocol, trust, leaf.withOcspResponse(status(leaf, REVOKED))))
                .isEqualTo(CertificateFault.REVOKED);
    }

    @Test
    void whatTheStatusHasNoPartInIsRefusedBeforeIt() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (SocketServer responder = new SocketServer(_ -> asked.incrementAndGet());
                TlsContext client =
                        TlsContext.client()
                                .engine(TlsEngineKind.OPENSSL)
                                .protocols(TlsProtocol.TLS_1_2)
                                .trust(trust(Set.of()))
                                .build()) {
            String uri = "http://127.0.0.1:" + responder.port() + "/";
            for (TlsIdentity bad :
                    List.of(
                            CertificateBuilder.subject("CN=leaf")
                                    .host("other.example")
                                    .ocspResponder(uri)
                                    .signedBy(ROOT),
                            leaf().ocspResponder(uri).selfSigned())) {
                TlsIdentity stapling = bad.withOcspResponse(status(bad, GOOD));
                try (TlsContext server =
                                EnginePair.server(
                                        TlsEngineKind.OPENSSL,
                                        stapling,
                                        s -> s.ocspStapling(true));
                        EnginePair pair = new EnginePair(client, server)) {
                    pair.shakeHands();
                    assertThat(pair.client.failure).isInstanceOf(CertificateRefused.class);
                    assertThat(pair.server.completed).isNull();
                }
            }
            assertThat(asked).hasValue(0);
        }
    }

    @Test
    void aLastCheckThatIsLeftOutAcceptsNothing() throws Exception {
        TlsIdentity leaf = leaf().signedBy(ROOT);
        TlsIdentity stapling = leaf.withOcspResponse(status(leaf, GOOD));
        try (TlsContext client =
                        TlsContext.client()
                                .engine(TlsEngineKind.OPENSSL)
                                .protocols(TlsProtocol.TLS_1_2)
                                .trust(trust(Set.of()))
                                .build();
                TlsContext server =
                        EnginePair.server(
                                TlsEngineKind.OPENSSL, stapling, s -> s.ocspStapling(true));
                EnginePair pair = new EnginePair(client, server)) {
            pair.client.start();
            pair.server.start();
            assertThatThrownBy(
                            () -> {
                                deliverAndRunOneTask(pair);
                                deliverAndRunOneTask(pair);
                            })
                    .isInstanceOf(CertificateRefused.class)
                    .hasMessageContaining("not checked");
            assertThat(pair.client.completed).isNull();
        }
    }

    /// Carries a flight each way, and leaves out all tasks of the client but its first.
    private static void deliverAndRunOneTask(EnginePair pair) throws TlsException {
        pair.server.deliver(pair.client.takeOutgoing());
        byte[] flight = pair.server.takeOutgoing();
        try (Buffer records = BufferAllocator.pooled().allocate(flight.length)) {
            pair.client.engine.received(records.writeBytes(flight), pair.client);
            while (pair.client.engine.needsTask()) {
                if (pair.client.tasks++ == 0) {
                    Objects.requireNonNull(pair.client.engine.task()).run();
                }
                pair.client.engine.resume(pair.client);
                pair.client.engine.received(records, pair.client);
            }
        }
    }
}
