package io.weft.tls.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.buffer.BufferAllocator;
import io.weft.tls.machine.CertificateFault;
import io.weft.tls.machine.ClientAuth;
import io.weft.tls.machine.TlsAlert;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsContextBuilder;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The contract of engines of every kind, each kind with itself and with the other.
@ParameterizedClass
@MethodSource("kinds")
class EngineContractTest {
    private final TlsEngineKind clientKind;
    private final TlsEngineKind serverKind;

    EngineContractTest(TlsEngineKind clientKind, TlsEngineKind serverKind) {
        this.clientKind = clientKind;
        this.serverKind = serverKind;
    }

    static Stream<Arguments> kinds() {
        return Stream.of(TlsEngineKind.values())
                .flatMap(c -> Stream.of(TlsEngineKind.values()).map(s -> Arguments.of(c, s)));
    }

    @BeforeEach
    void needsEngines() {
        for (TlsEngineKind kind : new TlsEngineKind[] {clientKind, serverKind}) {
            assumeTrue(TlsContext.unavailable(kind).isEmpty(), () -> TlsContext.unavailable(kind));
        }
    }

    private EnginePair pair(
            UnaryOperator<TlsContextBuilder> client, UnaryOperator<TlsContextBuilder> server)
            throws SSLException {
        try (TlsContext ours = EnginePair.client(clientKind, client);
                TlsContext theirs = EnginePair.server(serverKind, server)) {
            return new EnginePair(ours, theirs); // which outlive their contexts
        }
    }

    private EnginePair pair() throws SSLException {
        return pair(c -> c, s -> s);
    }

    private static TlsSession session(Side side) {
        assertThat(side.failure).isNull();
        TlsSession session = side.completed;
        if (session == null) {
            throw new AssertionError("no handshake");
        }
        assertThat(side.engine.session()).isSameAs(session);
        return session;
    }

    // ---- agreement ----

    @ParameterizedTest
    @EnumSource
    void bothVersionsWork(TlsProtocol protocol) throws SSLException {
        try (EnginePair pair = pair(c -> c.protocols(protocol), s -> s)) {
            pair.shakeHands();
            TlsSession client = session(pair.client);
            assertThat(client.protocol()).isEqualTo(protocol);
            assertThat(client.serverName()).isEqualTo("example.com");
            assertThat(client.peerCertificate()).isEqualTo(EnginePair.IDENTITY.certificate());
            assertThat(client.localCertificates()).isEmpty();
            assertThat(client.resumed()).isFalse();
            assertThat(client.applicationProtocol()).isNull();
            TlsSession server = session(pair.server);
            assertThat(server.protocol()).isEqualTo(protocol);
            assertThat(server.cipherSuite()).isEqualTo(client.cipherSuite()).startsWith("TLS_");
            assertThat(server.serverName()).isEqualTo("example.com");
            assertThat(server.peerCertificates()).isEmpty();
            assertThat(server.localCertificates())
                    .containsExactly(EnginePair.IDENTITY.certificate());
            pair.client.write("to the server");
            pair.server.write("to the client");
            pair.carry();
            assertThat(pair.server.text()).isEqualTo("to the server");
            assertThat(pair.client.text()).isEqualTo("to the client");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5, 7, 100})
    void piecesDoNotMatter(int piece) throws SSLException {
        try (EnginePair pair = pair()) {
            pair.piece = piece;
            pair.shakeHands();
            pair.client.write("abc");
            pair.server.write("def");
            pair.client.write("ghi");
            pair.carry();
            assertThat(pair.server.text()).isEqualTo("abcghi");
            assertThat(pair.client.text()).isEqualTo("def");
        }
    }

    @Test
    void aProtocolOfTheServersPreferenceIsChosen() throws SSLException {
        try (EnginePair pair =
                pair(
                        c -> c.applicationProtocols("http/1.1", "h2"),
                        s -> s.applicationProtocols("h2", "http/1.1"))) {
            pair.shakeHands();
            assertThat(session(pair.client).applicationProtocol()).isEqualTo("h2");
            assertThat(session(pair.server).applicationProtocol()).isEqualTo("h2");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aSuiteOfTheServersPreferenceIsChosen(TlsProtocol protocol) throws SSLException {
        boolean newer = protocol == TlsProtocol.TLS_1_3;
        String one = newer ? "TLS_AES_128_GCM_SHA256" : "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
        String other = newer ? "TLS_AES_256_GCM_SHA384" : "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
        for (boolean swapped : new boolean[] {false, true}) {
            String preferred = swapped ? other : one;
            String less = swapped ? one : other;
            try (EnginePair pair =
                    pair(
                            c -> c.protocols(protocol).cipherSuites(less, preferred),
                            s -> s.protocols(protocol).cipherSuites(preferred, less))) {
                pair.shakeHands();
                assertThat(session(pair.client).cipherSuite()).isEqualTo(preferred);
            }
        }
    }

    @Test
    void noCommonProtocolIsTheEnd() throws SSLException {
        try (EnginePair pair =
                pair(c -> c.applicationProtocols("h2"), s -> s.applicationProtocols("mqtt"))) {
            pair.shakeHands();
            assertThat(pair.server.failure)
                    .isInstanceOfSatisfying(
                            TlsException.AlertSent.class,
                            e -> assertThat(e.alert()).isEqualTo(TlsAlert.NO_APPLICATION_PROTOCOL));
            assertThat(pair.client.failure)
                    .isInstanceOfSatisfying(
                            TlsException.AlertReceived.class,
                            e -> assertThat(e.alert()).isEqualTo(TlsAlert.NO_APPLICATION_PROTOCOL));
        }
    }

    @Test
    void noCommonVersionIsTheEnd() throws SSLException {
        try (EnginePair pair =
                pair(
                        c -> c.protocols(TlsProtocol.TLS_1_2),
                        s -> s.protocols(TlsProtocol.TLS_1_3))) {
            pair.shakeHands();
            assertThat(pair.server.failure).isInstanceOf(TlsException.AlertSent.class);
            assertThat(pair.client.failure)
                    .isInstanceOfSatisfying(
                            TlsException.AlertReceived.class,
                            e -> assertThat(e.alert()).isEqualTo(TlsAlert.PROTOCOL_VERSION));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"2048", "secp384r1", "Ed25519"})
    void keysOfAllKindsWork(String key) throws SSLException {
        TlsIdentity identity =
                CertificateBuilder.subject("CN=x").host("example.com").key(key).selfSigned();
        try (TlsContext client =
                        TlsContext.client()
                                .engine(clientKind)
                                .trust(identity.certificate())
                                .build();
                TlsContext server = EnginePair.server(serverKind, identity, s -> s);
                EnginePair pair = new EnginePair(client, server)) {
            pair.shakeHands();
            assertThat(session(pair.client).peerCertificate()).isEqualTo(identity.certificate());
            session(pair.server);
            if (key.equals("2048")) {
                assertThat(pair.server.tasks).isPositive();
            }
            assertThat(pair.client.tasks).as("the check may block").isPositive();
        }
    }

    @ParameterizedTest
    @EnumSource
    void sessionsAreResumed(TlsProtocol protocol) throws SSLException {
        try (TlsContext client = EnginePair.client(clientKind, c -> c.protocols(protocol));
                TlsContext server = EnginePair.server(serverKind, s -> s)) {
            for (int i = 0; i < 3; i++) {
                try (EnginePair pair = new EnginePair(client, server)) {
                    pair.shakeHands();
                    assertThat(session(pair.client).resumed()).isEqualTo(i > 0);
                    assertThat(session(pair.server).resumed()).isEqualTo(i > 0);
                    assertThat(session(pair.client).peerCertificate())
                            .isEqualTo(EnginePair.IDENTITY.certificate());
                    pair.server.write("ticket and data");
                    pair.carry();
                    assertThat(pair.client.text()).isEqualTo("ticket and data");
                    pair.client.engine.closeOutbound(pair.client);
                    pair.server.engine.closeOutbound(pair.server);
                    pair.carry();
                }
            }
        }
    }

    @Test
    void bothSidesDeriveTheSameKeys() throws SSLException {
        try (EnginePair pair = pair()) {
            pair.shakeHands();
            byte[] context = {1, 2, 3};
            assertThat(pair.client.engine.exportKeyingMaterial("EXPORTER-x", context, 32))
                    .hasSize(32)
                    .isEqualTo(pair.server.engine.exportKeyingMaterial("EXPORTER-x", context, 32));
        }
    }

    // ---- whom one trusts ----

    private static final TlsIdentity CA =
            CertificateBuilder.subject("CN=ca").authority(-1).selfSigned();

    private static Map<CertificateFault, TlsIdentity> badOnes() {
        Instant now = Instant.now();
        CertificateBuilder expired =
                CertificateBuilder.subject("CN=x")
                        .host("example.com")
                        .validity(now.minus(Duration.ofDays(9)), now.minus(Duration.ofDays(1)));
        CertificateBuilder early =
                CertificateBuilder.subject("CN=x")
                        .host("example.com")
                        .validity(now.plus(Duration.ofDays(1)), now.plus(Duration.ofDays(9)));
        Map<CertificateFault, TlsIdentity> all = new TreeMap<>();
        all.put(CertificateFault.EXPIRED, expired.signedBy(CA));
        all.put(CertificateFault.NOT_YET_VALID, early.signedBy(CA));
        all.put(
                CertificateFault.WRONG_HOST,
                CertificateBuilder.subject("CN=example.com").host("example.org").signedBy(CA));
        all.put(
                CertificateFault.WRONG_USAGE,
                CertificateBuilder.subject("CN=x")
                        .host("example.com")
                        .extendedKeyUsage(CertificateBuilder.CLIENT_AUTH)
                        .signedBy(CA));
        all.put(CertificateFault.UNTRUSTED, CertificateBuilder.selfSigned("example.com"));
        return all;
    }

    @ParameterizedTest
    @EnumSource
    void badCertificatesAreRefused(TlsProtocol protocol) throws SSLException {
        for (var bad : badOnes().entrySet()) {
            try (TlsContext client =
                            TlsContext.client()
                                    .engine(clientKind)
                                    .protocols(protocol)
                                    .trust(CA.certificate())
                                    .build();
                    TlsContext server = EnginePair.server(serverKind, bad.getValue(), s -> s);
                    EnginePair pair = new EnginePair(client, server)) {
                pair.shakeHands();
                assertThat(pair.client.completed).as(bad.getKey().name()).isNull();
                assertThat(pair.client.failure)
                        .as(bad.getKey().name())
                        .isInstanceOfSatisfying(
                                TlsException.CertificateRefused.class,
                                e -> assertThat(e.fault()).isEqualTo(bad.getKey()));
                // OpenSSL's clients send this alert of TLS 1.3 in the clear, which the JDK does not
                // understand.
                assertThat(pair.server.failure)
                        .as(bad.getKey().name())
                        .isInstanceOf(
                                clientKind == serverKind
                                        ? TlsException.AlertReceived.class
                                        : TlsException.class);
                assertThat(pair.server.completed).isNull();
            }
        }
    }

    @Test
    void aNameInACertificateCannotForgeLinesOfALog() throws SSLException {
        String name = "CN=a\u0007b\u007fc" + "\u00e9d".repeat(300);
        TlsIdentity evil = CertificateBuilder.subject(name).selfSigned();
        try (TlsContext ours = EnginePair.client(clientKind, c -> c);
                TlsContext theirs = EnginePair.server(serverKind, evil, s -> s);
                EnginePair pair = new EnginePair(ours, theirs)) {
            pair.shakeHands();
            assertThat(pair.client.failure).isInstanceOf(TlsException.CertificateRefused.class);
            assertThat(pair.client.failure.getMessage())
                    .contains("CN=a?b?c\u00e9d")
                    .hasSizeBetween(200, 500)
                    .matches("[^\\p{Cntrl}]*");
        }
    }

    @Test
    void aGoodChainIsAccepted() throws SSLException {
        TlsIdentity middle = CertificateBuilder.subject("CN=middle").authority(0).signedBy(CA);
        TlsIdentity leaf =
                CertificateBuilder.subject("CN=x").host("*.example.com").signedBy(middle);
        try (TlsContext client =
                        TlsContext.client().engine(clientKind).trust(CA.certificate()).build();
                TlsContext server = EnginePair.server(serverKind, leaf, s -> s);
                EnginePair pair =
                        new EnginePair(
                                new Side(client, new TlsPeer("www.example.com", 1)),
                                new Side(server, TlsPeer.UNKNOWN))) {
            pair.shakeHands();
            assertThat(session(pair.client).peerCertificates())
                    .startsWith(leaf.certificate(), middle.certificate());
        }
    }

    @Test
    void aClientThatDoesNotKnowWhomItTalksToTrustsNobody() throws SSLException {
        try (TlsContext client = EnginePair.client(clientKind, c -> c);
                TlsContext server = EnginePair.server(serverKind, s -> s);
                EnginePair pair =
                        new EnginePair(
                                new Side(client, TlsPeer.UNKNOWN),
                                new Side(server, TlsPeer.UNKNOWN))) {
            pair.shakeHands();
            assertThat(pair.client.failure).isInstanceOf(TlsException.CertificateRefused.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsProveThemselves(TlsProtocol protocol) throws SSLException {
        TlsIdentity own =
                CertificateBuilder.subject("CN=client")
                        .extendedKeyUsage(CertificateBuilder.CLIENT_AUTH)
                        .signedBy(CA);
        try (EnginePair pair =
                pair(
                        c -> c.protocols(protocol).identity(own),
                        s -> s.clientAuth(ClientAuth.REQUIRE).trust(CA.certificate()))) {
            pair.shakeHands();
            assertThat(session(pair.server).peerCertificate()).isEqualTo(own.certificate());
            assertThat(session(pair.client).localCertificates()).startsWith(own.certificate());
        }
    }

    @ParameterizedTest
    @EnumSource
    void whoProvedItselfIsKnownWhenItResumes(TlsProtocol protocol) throws SSLException {
        TlsIdentity own =
                CertificateBuilder.subject("CN=client")
                        .extendedKeyUsage(CertificateBuilder.CLIENT_AUTH)
                        .signedBy(CA);
        try (TlsContext client =
                        EnginePair.client(clientKind, c -> c.protocols(protocol).identity(own));
                TlsContext server =
                        EnginePair.server(
                                serverKind,
                                s -> s.clientAuth(ClientAuth.REQUIRE).trust(CA.certificate()))) {
            for (int i = 0; i < 3; i++) {
                try (EnginePair pair = new EnginePair(client, server)) {
                    pair.shakeHands();
                    assertThat(session(pair.server).resumed()).isEqualTo(i > 0);
                    assertThat(session(pair.server).peerCertificate()).isEqualTo(own.certificate());
                    pair.server.write("x");
                    pair.carry();
                    pair.client.engine.closeOutbound(pair.client);
                    pair.carry();
                }
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientsThatDoNotAreRefused(TlsProtocol protocol) throws SSLException {
        try (EnginePair pair =
                pair(
                        c -> c.protocols(protocol),
                        s -> s.clientAuth(ClientAuth.REQUIRE).trust(CA.certificate()))) {
            pair.shakeHands();
            assertThat(pair.server.failure)
                    .isInstanceOfSatisfying(
                            TlsException.CertificateRefused.class,
                            e -> assertThat(e.fault()).isEqualTo(CertificateFault.MISSING));
            assertThat(pair.client.failure).isInstanceOf(TlsException.AlertReceived.class);
        }
        try (EnginePair pair =
                pair(
                        c -> c.protocols(protocol),
                        s -> s.clientAuth(ClientAuth.WANT).trust(CA.certificate()))) {
            pair.shakeHands();
            assertThat(session(pair.server).peerCertificates()).isEmpty();
        }
    }

    @Test
    void clientsOfOtherAuthoritiesAreRefused() throws SSLException {
        TlsIdentity own = CertificateBuilder.selfSigned("client.example.com");
        try (EnginePair pair =
                pair(
                        c -> c.identity(own).protocols(TlsProtocol.TLS_1_2),
                        s -> s.clientAuth(ClientAuth.REQUIRE).trust(CA.certificate()))) {
            pair.shakeHands();
            assertThat(pair.server.completed).isNull();
            assertThat(pair.server.failure).isInstanceOf(TlsException.CertificateRefused.class);
        }
    }

    @ParameterizedTest
    @EnumSource
    void ofSeveralKeysAClientShowsTheOneThatTheServerTrusts(TlsProtocol protocol)
            throws SSLException {
        assumeTrue(clientKind == TlsEngineKind.JDK, "OpenSSL has one key of a kind");
        TlsIdentity unknown = CertificateBuilder.selfSigned("client.example.com");
        TlsIdentity known =
                CertificateBuilder.subject("CN=client")
                        .extendedKeyUsage(CertificateBuilder.CLIENT_AUTH)
                        .signedBy(CA);
        try (EnginePair pair =
                pair(
                        c -> c.protocols(protocol).identity(unknown).identity(known),
                        s -> s.clientAuth(ClientAuth.REQUIRE).trust(CA.certificate()))) {
            pair.shakeHands();
            assertThat(session(pair.server).peerCertificate()).isEqualTo(known.certificate());
        }
    }

    // ---- data ----

    @ParameterizedTest
    @EnumSource
    void bulkArrivesInFewRecords(TlsProtocol protocol) throws SSLException {
        byte[] bulk = new byte[300_000];
        new Random(1).nextBytes(bulk);
        try (EnginePair pair = pair(c -> c.protocols(protocol), s -> s)) {
            pair.shakeHands();
            pair.client.recordBuffers.clear();
            pair.client.write(bulk);
            int sent = pair.client.recordBuffers.stream().mapToInt(i -> i).sum();
            int records = (bulk.length + 16383) / 16384;
            assertThat(sent - bulk.length).isBetween(records * 20, (records + 6) * 40);
            pair.piece = 10_007;
            pair.carry();
            assertThat(pair.server.data.toByteArray()).isEqualTo(bulk);
        }
    }

    @Test
    void anIncompleteRecordIsLeftUnread() throws SSLException {
        try (EnginePair pair = pair()) {
            pair.shakeHands();
            pair.client.write("whole");
            byte[] whole = pair.client.takeOutgoing();
            pair.client.write("cut");
            byte[] cut = pair.client.takeOutgoing();
            pair.server.deliver(whole);
            pair.server.deliver(Arrays.copyOf(cut, cut.length - 1));
            assertThat(pair.server.text()).isEqualTo("whole");
            assertThat(pair.server.unreadBytes()).isEqualTo(cut.length - 1);
            pair.server.deliver(new byte[] {cut[cut.length - 1]});
            assertThat(pair.server.text()).isEqualTo("wholecut");
            assertThat(pair.server.unreadBytes()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aChangedByteIsNoticed(TlsProtocol protocol) throws SSLException {
        try (EnginePair pair = pair(c -> c.protocols(protocol), s -> s)) {
            pair.shakeHands();
            pair.client.write("0123456789");
            byte[] record = pair.client.takeOutgoing();
            record[record.length - 3] ^= 1;
            pair.server.deliver(record);
            assertThat(pair.server.text()).isEmpty();
            assertThat(pair.server.failure)
                    .isInstanceOfSatisfying(
                            TlsException.AlertSent.class,
                            e -> assertThat(e.alert()).isEqualTo(TlsAlert.BAD_RECORD_MAC));
            pair.carry();
            assertThat(pair.client.failure).isInstanceOf(TlsException.AlertReceived.class);
        }
    }

    @Test
    void anotherProtocolIsNotTls() throws SSLException {
        try (EnginePair pair = pair()) {
            pair.server.start();
            pair.server.deliver("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            assertThat(pair.server.failure).isInstanceOf(TlsException.NotTls.class);
            assertThat(pair.server.takeOutgoing()).isEmpty();
        }
    }

    @Test
    void aHeaderThatNoRecordHasIsRefused() throws SSLException {
        try (EnginePair pair = pair()) {
            pair.shakeHands();
            pair.server.deliver(new byte[] {23, 3, 3, 0x7f, 0});
            assertThat(pair.server.failure).isInstanceOf(TlsException.BadRecord.class);
            pair.carry();
            assertThat(pair.client.failure).isInstanceOf(TlsException.AlertReceived.class);
        }
    }

    // ---- the end ----

    @ParameterizedTest
    @EnumSource
    void closeIsHeardAndEndsOneDirection(TlsProtocol protocol) throws SSLException {
        try (EnginePair pair = pair(c -> c.protocols(protocol), s -> s)) {
            pair.shakeHands();
            pair.client.write("last");
            pair.client.engine.closeOutbound(pair.client);
            pair.client.engine.closeOutbound(pair.client);
            assertThatThrownBy(() -> pair.client.write("more"))
                    .isInstanceOf(IllegalStateException.class);
            byte[] all = pair.client.takeOutgoing();
            pair.server.deliver(all);
            assertThat(pair.server.text()).isEqualTo("last");
            assertThat(pair.server.closes).isEqualTo(1);
            assertThat(pair.server.failure).isNull();
            if (protocol == TlsProtocol.TLS_1_3) {
                pair.server.write("answer");
            }
            pair.server.engine.closeOutbound(pair.server);
            pair.carry();
            assertThat(pair.client.text())
                    .isEqualTo(protocol == TlsProtocol.TLS_1_3 ? "answer" : "");
            assertThat(pair.client.closes).isEqualTo(1);
        }
    }

    /// A server's context is replaced, and closed, at any moment.
    @Test
    void aReservedEngineIsMadeThoughTheContextCloses() throws SSLException {
        TlsContext ours = EnginePair.client(clientKind, c -> c);
        TlsContext theirs = EnginePair.server(serverKind, s -> s);
        TlsContext.Reservation client = ours.reserve();
        TlsContext.Reservation server = theirs.reserve();
        TlsContext.Reservation unused = theirs.reserve();
        ours.close();
        theirs.close();
        theirs.close();
        assertThatThrownBy(theirs::reserve)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed (expected: open)");
        BufferAllocator allocator = BufferAllocator.pooled();
        TlsPeer peer = new TlsPeer("example.com", 443);
        try (EnginePair pair =
                new EnginePair(
                        new Side(client.engine(peer, allocator)),
                        new Side(server.engine(TlsPeer.UNKNOWN, allocator)))) {
            assertThatThrownBy(() -> server.engine(TlsPeer.UNKNOWN, allocator))
                    .hasMessage("reservation: over (expected: open)");
            pair.shakeHands();
            assertThat(session(pair.server)).isNotNull();
        }
        unused.close();
        unused.close();
    }

    /// It is none of a host, and longer than what OpenSSL takes.
    @ParameterizedTest
    @ValueSource(ints = {1, 300})
    void aTextThatIsNoNameIsNotSentAsOne(int blanks) throws SSLException {
        String host = "a" + " ".repeat(blanks) + "b";
        try (TlsContext ours = EnginePair.client(clientKind, c -> c);
                Side client = new Side(ours, new TlsPeer(host, 443))) {
            client.start();
            String hello = new String(client.takeOutgoing(), StandardCharsets.ISO_8859_1);
            assertThat(hello).isNotEmpty().doesNotContain(host);
        }
    }

    @Test
    void whatIsClosedTakesNothingAndDoesNoHarm() throws SSLException {
        try (EnginePair pair = pair()) {
            pair.shakeHands();
            pair.client.write("x");
            byte[] record = pair.client.takeOutgoing();
            pair.server.engine.close();
            pair.server.engine.close();
            pair.server.deliver(record);
            assertThat(pair.server.failure).isInstanceOf(TlsException.class);
            assertThat(pair.server.text()).isEmpty();
            assertThatThrownBy(() -> pair.server.write("y"))
                    .isInstanceOf(IllegalStateException.class);
            pair.server.engine.closeOutbound(pair.server);
            assertThat(pair.server.takeOutgoing()).isEmpty();
        }
    }

    @Test
    void closedInTheMiddleOfAHandshake() throws SSLException {
        try (EnginePair pair = pair()) {
            pair.client.start();
            byte[] hello = pair.client.takeOutgoing();
            pair.server.start();
            pair.server.deliver(Arrays.copyOf(hello, hello.length - 1));
            pair.server.engine.close();
            pair.client.engine.close();
            assertThat(pair.server.engine.session()).isNull();
        }
    }
}
