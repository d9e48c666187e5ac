package io.weft.ffi.openssl;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SslTest {
    private static TestIdentity identity = new TestIdentity(new byte[0], new byte[0]);

    private long certificate;
    private long client;
    private long server;

    @BeforeAll
    static void makeIdentity(@TempDir Path directory) throws IOException, InterruptedException {
        assumeTrue(OpenSsl.available(), OpenSsl::refusal);
        identity = TestIdentity.make(directory);
    }

    @BeforeEach
    void makeContexts() {
        certificate = X509.certificate(identity.certificate());
        long key = X509.privateKey(identity.key());
        server = SslCtx.server();
        SslCtx.identity(server, certificate, key, List.of());
        SslCtx.sessionIdContext(server, new byte[] {1});
        X509.freeKey(key);
        client = SslCtx.client();
        SslCtx.trust(client, certificate);
        SslCtx.verify(client, SslCtx.SSL_VERIFY_PEER);
    }

    @AfterEach
    void freesAll() {
        X509.free(certificate);
        SslCtx.free(client);
        SslCtx.free(server);
        assertThat(Ssl.open()).isZero();
        assertThat(SslCtx.open()).isZero();
    }

    @Test
    void twoSidesAgreeAndTalk() {
        SslCtx.offerProtocols(client, List.of("h2", "http/1.1"));
        SslCtx.selectProtocolByEvent(server);
        SslCtx.keyLogByEvent(client);
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            Ssl.serverName(alice.ssl, "localhost");
            Ssl.expectHost(alice.ssl, "localhost");
            bob.protocol = 1;
            assertThat(TestPeer.handshake(alice, bob)).isZero();

            assertThat(bob.offered).containsExactly("h2", "http/1.1");
            assertThat(Ssl.protocol(alice.ssl)).isEqualTo("http/1.1");
            assertThat(Ssl.protocol(bob.ssl)).isEqualTo("http/1.1");
            assertThat(Ssl.serverName(bob.ssl)).isEqualTo("localhost");
            assertThat(Ssl.version(alice.ssl)).isEqualTo("TLSv1.3");
            assertThat(Ssl.cipher(alice.ssl)).startsWith("TLS_");
            assertThat(Ssl.verifyResult(alice.ssl)).isZero();
            assertThat(Ssl.peerCertificates(alice.ssl)).containsExactly(identity.certificate());
            assertThat(Ssl.peerCertificates(bob.ssl)).isEmpty();
            assertThat(alice.keyLog).anyMatch(line -> line.startsWith("CLIENT_TRAFFIC_SECRET_0 "));

            alice.write("hello");
            assertThat(bob.read(alice.takeSent())).isEqualTo("hello");
            bob.write("world");
            assertThat(alice.read(bob.takeSent())).isEqualTo("world");

            alice.call(() -> Ssl.shutdown(alice.ssl));
            assertThat(bob.given(alice.takeSent(), ssl -> Ssl.read(ssl, 0, 0)))
                    .isEqualTo(Ssl.SSL_ERROR_ZERO_RETURN);
            assertThat(Ssl.shutdowns(bob.ssl)).isEqualTo(Ssl.SSL_RECEIVED_SHUTDOWN);
        }
    }

    @Test
    void noCommonProtocolIsTheEnd() {
        SslCtx.offerProtocols(client, List.of("h2"));
        SslCtx.selectProtocolByEvent(server);
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            bob.protocol = -1;
            assertThat(TestPeer.handshake(alice, bob)).isEqualTo(Ssl.SSL_ERROR_SSL);
            assertThat(alice.given(bob.takeSent(), Ssl::handshake)).isEqualTo(Ssl.SSL_ERROR_SSL);
            assertThat(alice.errors().getFirst().alertReceived()).isEqualTo(120);
        }
    }

    @Test
    void anotherHostsCertificateIsRefused() {
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            Ssl.expectHost(alice.ssl, "example.org");
            assertThat(TestPeer.handshake(alice, bob)).isEqualTo(Ssl.SSL_ERROR_SSL);
            assertThat(Ssl.verifyResult(alice.ssl)).isEqualTo(X509.X509_V_ERR_HOSTNAME_MISMATCH);
            assertThat(X509.verifyError(Ssl.verifyResult(alice.ssl))).contains("ostname");
            assertThat(alice.errors().getFirst().reason()).contains("certificate verify failed");
            assertThat(bob.given(alice.takeSent(), Ssl::handshake)).isEqualTo(Ssl.SSL_ERROR_SSL);
            assertThat(bob.errors().getFirst().alertReceived()).isEqualTo(42);
        }
    }

    @Test
    void addressesAreExpectedAsAddresses() {
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            Ssl.expectAddress(alice.ssl, "127.0.0.2");
            assertThat(TestPeer.handshake(alice, bob)).isEqualTo(Ssl.SSL_ERROR_SSL);
            assertThat(Ssl.verifyResult(alice.ssl)).isEqualTo(X509.X509_V_ERR_IP_ADDRESS_MISMATCH);
        }
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            Ssl.expectAddress(alice.ssl, "127.0.0.1");
            assertThat(TestPeer.handshake(alice, bob)).isZero();
        }
    }

    @Test
    void whoIsTrustedByNobodyIsRefused() {
        long trusting = SslCtx.client();
        SslCtx.verify(trusting, SslCtx.SSL_VERIFY_PEER);
        try (TestPeer alice = TestPeer.client(trusting);
                TestPeer bob = TestPeer.server(server)) {
            assertThat(TestPeer.handshake(alice, bob)).isEqualTo(Ssl.SSL_ERROR_SSL);
            assertThat(Ssl.verifyResult(alice.ssl))
                    .isEqualTo(X509.X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT);
        } finally {
            SslCtx.free(trusting);
        }
    }

    @Test
    void eventsDecideOnCertificates() {
        SslCtx.verifyByEvent(client);
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            alice.verdict = X509.X509_V_ERR_CERT_HAS_EXPIRED;
            assertThat(TestPeer.handshake(alice, bob)).isEqualTo(Ssl.SSL_ERROR_SSL);
            assertThat(Ssl.verifyResult(alice.ssl)).isEqualTo(X509.X509_V_ERR_CERT_HAS_EXPIRED);
            assertThat(alice.shown).containsExactly(identity.certificate());
        }
    }

    @Test
    void aCertificateMayBeDecidedOnLater() {
        SslCtx.verifyByEvent(client);
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            alice.verdict = SslEvents.LATER;
            alice.call(() -> Ssl.handshake(alice.ssl));
            bob.given(alice.takeSent(), Ssl::handshake);
            assertThat(alice.given(bob.takeSent(), Ssl::handshake))
                    .isEqualTo(Ssl.SSL_ERROR_WANT_RETRY_VERIFY);
            assertThat(alice.takeSent()).isEmpty();
            alice.verdict = X509.X509_V_OK;
            assertThat(alice.given(new byte[0], Ssl::handshake)).isZero();
            assertThat(bob.given(alice.takeSent(), Ssl::handshake)).isZero();
        }
    }

    @Test
    void bothSidesDeriveTheSameKeys() {
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            assertThat(Ssl.export(alice.ssl, "EXPORTER-test", null, 32)).isNull();
            TestPeer.handshake(alice, bob);
            assertThat(Ssl.export(alice.ssl, "EXPORTER-test", new byte[] {1}, 32))
                    .hasSize(32)
                    .isEqualTo(Ssl.export(bob.ssl, "EXPORTER-test", new byte[] {1}, 32))
                    .isNotEqualTo(Ssl.export(bob.ssl, "EXPORTER-test", null, 32));
            assertThat(Ssl.ownCertificate(bob.ssl)).isEqualTo(identity.certificate());
            assertThat(Ssl.ownCertificate(alice.ssl)).isNull();
            assertThat(Ssl.signed(bob.ssl)).isTrue();
            assertThat(Ssl.signed(alice.ssl)).isFalse();
        }
    }

    @Test
    void cipherSuitesHaveTwoNames() {
        assertThat(SslCtx.knownCiphers(client))
                .containsEntry(
                        "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "ECDHE-RSA-AES128-GCM-SHA256");
    }

    @Test
    void anExceptionInAnEventRefuses() {
        SslCtx.verifyByEvent(client);
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            alice.complaint = new IllegalStateException("on purpose");
            assertThatThrownBy(() -> TestPeer.handshake(alice, bob)).isSameAs(alice.complaint);
            assertThat(Ssl.handshakeFinished(alice.ssl)).isFalse();
            assertThat(bob.given(alice.takeSent(), Ssl::handshake)).isEqualTo(Ssl.SSL_ERROR_SSL);
        }
    }

    @Test
    void clientsAreAskedForCertificates() {
        SslCtx.verify(server, SslCtx.SSL_VERIFY_PEER | SslCtx.SSL_VERIFY_FAIL_IF_NO_PEER_CERT);
        SslCtx.trust(server, certificate);
        SslCtx.addClientCa(server, certificate);
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            assertThat(TestPeer.handshake(alice, bob)).isEqualTo(Ssl.SSL_ERROR_SSL);
            assertThat(alice.given(bob.takeSent(), ssl -> Ssl.read(ssl, 0, 0)))
                    .isEqualTo(Ssl.SSL_ERROR_SSL);
            assertThat(alice.errors().getFirst().alertReceived()).isEqualTo(116);
        }
        long key = X509.privateKey(identity.key());
        SslCtx.identity(client, certificate, key, List.of());
        X509.freeKey(key);
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            assertThat(TestPeer.handshake(alice, bob)).isZero();
            assertThat(Ssl.peerCertificates(bob.ssl)).containsExactly(identity.certificate());
        }
    }

    @Test
    void sessionsAreResumed() {
        SslCtx.cacheMode(client, SslCtx.SSL_SESS_CACHE_CLIENT | SslCtx.SSL_SESS_CACHE_NO_INTERNAL);
        SslCtx.newSessionByEvent(client);
        try (TestPeer first = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server);
                TestPeer second = TestPeer.client(client);
                TestPeer carol = TestPeer.server(server)) {
            TestPeer.handshake(first, bob);
            bob.write("tickets come first");
            first.read(bob.takeSent());
            assertThat(first.sessions).isNotEmpty();
            long session = first.sessions.getLast();
            assertThat(Ssl.resumable(session)).isTrue();
            Ssl.resume(second.ssl, session);
            assertThat(TestPeer.handshake(second, carol)).isZero();
            assertThat(Ssl.resumed(second.ssl)).isTrue();
            assertThat(Ssl.resumed(carol.ssl)).isTrue();
            assertThat(Ssl.resumed(first.ssl)).isFalse();
        }
    }

    @Test
    void aResponseIsStapledWhenAskedFor() {
        SslCtx.statusByEvent(server);
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            Ssl.requestStatus(alice.ssl);
            bob.response = new byte[] {1, 2, 3};
            assertThat(TestPeer.handshake(alice, bob)).isZero();
            assertThat(Ssl.stapled(alice.ssl)).containsExactly(1, 2, 3);
        }
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            Ssl.requestStatus(alice.ssl);
            assertThat(TestPeer.handshake(alice, bob)).isZero();
            assertThat(Ssl.stapled(alice.ssl)).isNull();
        }
    }

    @Test
    void versionsAndCiphersAreThoseAllowed() {
        SslCtx.versions(client, SslCtx.TLS1_2_VERSION, SslCtx.TLS1_2_VERSION);
        SslCtx.ciphers(client, "ECDHE-ECDSA-CHACHA20-POLY1305");
        SslCtx.ciphers13(server, "TLS_AES_128_GCM_SHA256");
        SslCtx.groups(server, "X25519:P-256");
        SslCtx.signatureAlgorithms(server, "ecdsa_secp256r1_sha256");
        SslCtx.ticketKeys(server, new byte[80]);
        try (TestPeer alice = TestPeer.client(client);
                TestPeer bob = TestPeer.server(server)) {
            assertThat(TestPeer.handshake(alice, bob)).isZero();
            assertThat(Ssl.version(bob.ssl)).isEqualTo("TLSv1.2");
            assertThat(Ssl.cipher(bob.ssl))
                    .isEqualTo("TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256");
        }
    }

    @Test
    void whatIsNotTlsIsAnError() {
        try (TestPeer bob = TestPeer.server(server)) {
            assertThat(bob.given("GET / HTTP/1.1\r\n\r\n".getBytes(US_ASCII), Ssl::handshake))
                    .isEqualTo(Ssl.SSL_ERROR_SSL);
            assertThat(bob.errors().getFirst().reason()).isEqualTo("http request");
            assertThat(bob.errors().getFirst().alertReceived()).isEqualTo(-1);
        }
    }

    @Test
    void setUpThatCannotBeDoneSaysWhy() {
        assertThatThrownBy(() -> X509.certificate(new byte[] {1, 2, 3}))
                .isInstanceOf(SslException.class)
                .hasMessageStartingWith("not a certificate: ");
        assertThatThrownBy(() -> X509.privateKey(identity.certificate()))
                .isInstanceOf(SslException.class);
        assertThatThrownBy(() -> SslCtx.ciphers(client, "no-such-cipher"))
                .hasMessage("ciphers of TLS 1.2: no-such-cipher: no cipher match");
        assertThatThrownBy(() -> SslCtx.ticketKeys(server, new byte[3]))
                .hasMessageContaining("(expected: 80)");
    }
}
