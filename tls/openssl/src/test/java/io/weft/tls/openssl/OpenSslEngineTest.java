package io.weft.tls.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.ffi.openssl.OpenSsl;
import io.weft.ffi.openssl.Ssl;
import io.weft.ffi.openssl.SslCtx;
import io.weft.tls.machine.CertificateFault;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.spi.PeerVerifier;
import io.weft.tls.machine.spi.TlsEngine;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.machine.spi.TlsSink;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Behaviour that only engines over OpenSSL have.
class OpenSslEngineTest {
    private static final TlsEngineKind KIND = TlsEngineKind.OPENSSL;

    @BeforeEach
    void needsOpenSsl() {
        assumeTrue(OpenSsl.available(), OpenSsl::refusal);
    }

    @AfterEach
    void everythingIsFreed() {
        assertThat(Ssl.open()).isZero();
        assertThat(SslCtx.open()).isZero();
    }

    private static EnginePair pair() throws SSLException {
        try (TlsContext client = EnginePair.client(KIND, c -> c);
                TlsContext server = EnginePair.server(KIND, s -> s)) {
            return new EnginePair(client, server);
        }
    }

    // ---- settings ----

    @Test
    void secretsAreLogged() throws SSLException {
        List<String> lines = new ArrayList<>();
        try (TlsContext client = EnginePair.client(KIND, c -> c.keyLog(lines::add));
                TlsContext server = EnginePair.server(KIND, s -> s);
                EnginePair pair = new EnginePair(client, server)) {
            pair.shakeHands();
        }
        assertThat(lines)
                .anyMatch(line -> line.matches("CLIENT_TRAFFIC_SECRET_0 [0-9a-f]{64} [0-9a-f]+"))
                .anyMatch(line -> line.startsWith("SERVER_HANDSHAKE_TRAFFIC_SECRET "));
    }

    @ParameterizedTest
    @EnumSource
    void whatIsStapledReachesTheVerifier(TlsProtocol protocol) throws SSLException {
        byte[] response = {0x30, 0x03, 0x0a, 0x01, 0x06}; // unauthorized
        TlsIdentity identity = EnginePair.IDENTITY.withOcspResponse(response);
        List<List<byte[]>> seen = new ArrayList<>();
        try (TlsContext template = EnginePair.client(KIND, c -> c.protocols(protocol));
                OpenSslFactory client =
                        new OpenSslFactory(
                                template.settings(),
                                (_, _, _, stapled) -> seen.add(List.copyOf(stapled)));
                TlsContext server = EnginePair.server(KIND, identity, s -> s.ocspStapling(true));
                EnginePair pair =
                        new EnginePair(
                                new Side(
                                        client.engine(EnginePair.SERVER, BufferAllocator.pooled())),
                                new Side(server, TlsPeer.UNKNOWN))) {
            pair.shakeHands();
            assertThat(pair.client.completed).isNotNull();
            assertThat(seen.getLast()).containsExactly(response);
        }
    }

    /// Also the second time: there is nothing to resume.
    @Test
    void aLateStatusMayStillRefuse() throws SSLException {
        TlsIdentity identity = EnginePair.IDENTITY.withOcspResponse(new byte[] {1});
        try (TlsContext template = EnginePair.client(KIND, c -> c.protocols(TlsProtocol.TLS_1_2));
                OpenSslFactory client = new OpenSslFactory(template.settings(), REVOKED);
                TlsContext server = EnginePair.server(KIND, identity, s -> s.ocspStapling(true))) {
            for (int i = 0; i < 2; i++) {
                try (EnginePair pair = pair(client, server)) {
                    pair.shakeHands();
                    assertThat(pair.client.failure).hasMessage("revoked");
                    assertThat(pair.client.completed).isNull();
                    assertThat(pair.server.failure).isInstanceOf(TlsException.AlertReceived.class);
                }
            }
        }
    }

    private static final PeerVerifier REVOKED =
            (_, _, _, stapled) -> {
                if (!stapled.isEmpty()) {
                    throw new TlsException.CertificateRefused(
                            CertificateFault.REVOKED, "revoked", null);
                }
            };

    private static EnginePair pair(OpenSslFactory client, TlsContext server) {
        return new EnginePair(
                new Side(client.engine(EnginePair.SERVER, BufferAllocator.pooled())),
                new Side(server, TlsPeer.UNKNOWN));
    }

    @ParameterizedTest
    @EnumSource
    void whoInsistsOnAStatusWaitsForIt(TlsProtocol protocol) throws SSLException {
        PeerVerifier strict =
                (_, _, _, stapled) -> {
                    if (stapled.isEmpty()) {
                        throw new TlsException.CertificateRefused(
                                CertificateFault.STATUS_UNKNOWN, "no status", null);
                    }
                };
        TlsIdentity stapling = EnginePair.IDENTITY.withOcspResponse(new byte[] {1});
        try (TlsContext template = EnginePair.client(KIND, c -> c.protocols(protocol));
                OpenSslFactory client = new OpenSslFactory(template.settings(), strict);
                TlsContext good = EnginePair.server(KIND, stapling, s -> s.ocspStapling(true));
                TlsContext silent = EnginePair.server(KIND, s -> s)) {
            try (EnginePair pair = pair(client, silent)) {
                pair.shakeHands();
                assertThat(pair.client.failure).hasMessage("no status");
                assertThat(pair.client.completed).isNull();
                assertThat(pair.server.failure).isInstanceOf(TlsException.AlertReceived.class);
            }
            try (EnginePair pair = pair(client, good)) {
                pair.shakeHands();
                assertThat(pair.client.failure).isNull();
                assertThat(pair.client.completed).isNotNull();
            }
        }
    }

    @Test
    void aVerifierThatBreaksRefuses() throws SSLException {
        try (TlsContext template = EnginePair.client(KIND, c -> c);
                OpenSslFactory client =
                        new OpenSslFactory(
                                template.settings(),
                                (_, _, _, _) -> {
                                    throw new IllegalStateException("on purpose");
                                });
                TlsContext server = EnginePair.server(KIND, s -> s);
                EnginePair pair =
                        new EnginePair(
                                new Side(
                                        client.engine(EnginePair.SERVER, BufferAllocator.pooled())),
                                new Side(server, TlsPeer.UNKNOWN))) {
            pair.shakeHands();
            assertThat(pair.client.failure).isInstanceOf(TlsException.CertificateRefused.class);
            assertThat(pair.client.completed).isNull();
            assertThat(pair.server.completed).isNull();
        }
    }

    @Test
    void suitesThatRemainAreUsed() throws SSLException {
        try (TlsContext client =
                        EnginePair.client(
                                KIND,
                                c ->
                                        c.cipherSuites(
                                                "TLS_OF_TOMORROW",
                                                "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256"));
                TlsContext server = EnginePair.server(KIND, s -> s.groups("X25519", "secp256r1"));
                EnginePair pair = new EnginePair(client, server)) {
            pair.shakeHands();
            assertThat(pair.server.completed)
                    .hasFieldOrPropertyWithValue("protocol", TlsProtocol.TLS_1_2)
                    .hasFieldOrPropertyWithValue(
                            "cipherSuite", "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256");
        }
    }

    @Test
    void whatItCannotDoIsRefused() {
        assertThatThrownBy(() -> EnginePair.client(KIND, c -> c.cipherSuites("TLS_OF_TOMORROW")))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("expected: one that OpenSSL knows");
        assertThatThrownBy(() -> EnginePair.client(KIND, c -> c.groups("no-such-group")))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("no-such-group");
        assertThatThrownBy(
                        () ->
                                EnginePair.server(
                                        KIND,
                                        s -> s.identity(CertificateBuilder.selfSigned("b.org"))))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("two with keys of EC");
        assertThatThrownBy(() -> EnginePair.client(KIND, c -> c.keyManager(new NoKeys())))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("keyManager");
        TlsIdentity other = CertificateBuilder.selfSigned("c.org");
        assertThatThrownBy(
                        () ->
                                EnginePair.server(
                                        KIND,
                                        new TlsIdentity(other.key(), EnginePair.IDENTITY.chain()),
                                        s -> s))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("mismatch");
    }

    /// With no client asking, each handshake says what its certificate is.
    @Test
    void theIdentityThatTheClientCanVerifyIsShown() throws SSLException {
        TlsIdentity rsa =
                CertificateBuilder.subject("CN=rsa").host("example.com").key("2048").selfSigned();
        try (TlsContext client =
                        EnginePair.client(
                                KIND,
                                c ->
                                        c.trust(rsa.certificate())
                                                .cipherSuites(
                                                        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256"));
                TlsContext server = EnginePair.server(KIND, s -> s.identity(rsa));
                EnginePair pair = new EnginePair(client, server)) {
            pair.shakeHands();
            assertThat(pair.server.completed)
                    .hasFieldOrPropertyWithValue("localCertificates", rsa.chain());
        }
    }

    private static final class NoKeys extends X509ExtendedKeyManager {
        @Override
        public String[] getClientAliases(String keyType, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String chooseClientAlias(String[] keyType, Principal[] issuers, Socket socket) {
            return "";
        }

        @Override
        public String[] getServerAliases(String keyType, Principal[] issuers) {
            return new String[0];
        }

        @Override
        public String chooseServerAlias(String keyType, Principal[] issuers, Socket socket) {
            return "";
        }

        @Override
        public X509Certificate[] getCertificateChain(String alias) {
            return new X509Certificate[0];
        }

        @Override
        public PrivateKey getPrivateKey(String alias) {
            return EnginePair.IDENTITY.key();
        }
    }

    // ---- memory and threads ----

    @Test
    void aClosedContextMakesNoEngines() throws SSLException {
        TlsContext context = EnginePair.server(KIND, s -> s);
        context.close();
        context.close();
        assertThatThrownBy(() -> new Side(context, TlsPeer.UNKNOWN))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("TlsContext[server, OPENSSL]: closed (expected: open)");
    }

    @Test
    void twoThreadsAtOnceAreToldSo() throws Exception {
        try (EnginePair pair = pair()) {
            pair.shakeHands();
            pair.client.write("x");
            byte[] record = pair.client.takeOutgoing();
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch done = new CountDownLatch(1);
            AtomicReference<Throwable> seen = new AtomicReference<>();
            TlsEngine engine = pair.server.engine;
            Thread other =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try (Buffer records =
                                                BufferAllocator.pooled()
                                                        .allocate(record.length)
                                                        .writeBytes(record)) {
                                            engine.received(records, waiting(inside, done));
                                        } catch (SSLException | RuntimeException e) {
                                            seen.set(e);
                                        }
                                    });
            inside.await();
            assertThatThrownBy(() -> pair.server.write("y"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("two threads at once");
            engine.close(); // is put off until the other is done
            assertThat(Ssl.open()).isEqualTo(2);
            done.countDown();
            other.join();
            assertThat(seen).hasNullValue();
            assertThat(Ssl.open()).isEqualTo(1);
        }
    }

    private static TlsSink waiting(CountDownLatch inside, CountDownLatch done) {
        return new TlsSink() {
            @Override
            public void records(Buffer ciphertext) {
                ciphertext.release();
            }

            @Override
            public void plaintext(Buffer data) {
                data.release();
                inside.countDown();
                try {
                    done.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }

            @Override
            public void handshakeComplete(io.weft.tls.machine.TlsSession session) {}

            @Override
            public void closed() {}
        };
    }

    @Test
    void closedWhileATaskWaitsNothingIsLeft() throws SSLException {
        TlsIdentity rsa =
                CertificateBuilder.subject("CN=rsa").host("example.com").key("2048").selfSigned();
        try (TlsContext client = EnginePair.client(KIND, c -> c);
                TlsContext server = EnginePair.server(KIND, rsa, s -> s);
                Side alice = new Side(client, EnginePair.SERVER)) {
            TlsEngine bob = server.engine(TlsPeer.UNKNOWN, BufferAllocator.pooled());
            alice.start();
            byte[] hello = alice.takeOutgoing();
            bob.start(alice);
            try (Buffer records =
                    BufferAllocator.pooled().allocate(hello.length).writeBytes(hello)) {
                bob.received(records, alice);
                assertThat(records.isReadable()).isFalse();
            }
            assertThat(bob.needsTask()).isTrue();
            Runnable task = bob.task();
            bob.close();
            if (task != null) {
                task.run(); // comes too late
            }
            assertThat(Ssl.open()).isEqualTo(1);
        }
    }
}
