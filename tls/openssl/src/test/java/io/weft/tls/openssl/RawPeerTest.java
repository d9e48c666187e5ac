package io.weft.tls.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.TlsTrust;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A client that a test holds record by record: it sends what a well-behaved one does not.
@ParameterizedClass
@EnumSource
class RawPeerTest {
    private final TlsEngineKind kind;

    RawPeerTest(TlsEngineKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void needsEngine() {
        String unavailable = TlsContext.unavailable(kind);
        assumeTrue(unavailable.isEmpty(), unavailable);
    }

    private static SSLEngine client(TlsProtocol protocol) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                null,
                new TrustManager[] {TlsTrust.of(List.of(EnginePair.IDENTITY.certificate()))},
                null);
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        engine.setEnabledProtocols(new String[] {protocol.standardName()});
        return engine;
    }

    private static byte[] wrap(SSLEngine client, byte[] data) throws SSLException {
        ByteBuffer in = ByteBuffer.wrap(data);
        ByteBuffer out = ByteBuffer.allocate(80_000);
        do {
            client.wrap(in, out);
        } while (in.hasRemaining());
        return Arrays.copyOf(out.array(), out.position());
    }

    /// Until neither has anything to say.
    private static void talk(SSLEngine client, Side server) throws SSLException {
        ByteBuffer in = ByteBuffer.allocate(100_000);
        ByteBuffer plaintext = ByteBuffer.allocate(100_000);
        for (int round = 0; round < 50; round++) {
            in.put(server.takeOutgoing()).flip();
            if (in.hasRemaining()) {
                client.unwrap(in, plaintext);
            }
            in.compact();
            for (Runnable task; (task = client.getDelegatedTask()) != null; ) {
                task.run();
            }
            while (client.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                server.deliver(wrap(client, new byte[0]));
            }
        }
    }

    private static Side connected(TlsContext context, SSLEngine client) throws SSLException {
        Side server = new Side(context, TlsPeer.UNKNOWN);
        server.start();
        client.beginHandshake();
        talk(client, server);
        assertThat(server.completed).isNotNull();
        return server;
    }

    @ParameterizedTest
    @EnumSource
    void recordsOfEverySize(TlsProtocol protocol) throws Exception {
        SSLEngine client = client(protocol);
        try (TlsContext context = EnginePair.server(kind, s -> s);
                Side server = connected(context, client)) {
            int sum = 0;
            for (int size : new int[] {1, 2, 15, 16, 17, 255, 256, 4096, 16_383, 16_384}) {
                server.deliver(wrap(client, new byte[size]));
                sum += size;
                assertThat(server.data.size()).as("%d", size).isEqualTo(sum);
            }
            assertThat(server.failure).isNull();
        }
    }

    /// A server gives up before its ServerHello. The JDK's engine calls that unexpected.
    @ParameterizedTest
    @EnumSource
    void aCloseNotifyForAnAnswerGivesTheHandshakeUp(TlsProtocol protocol) throws Exception {
        byte[] alert = {21, 3, 3, 0, 2, 1, 0};
        try (TlsContext context = EnginePair.client(kind, c -> c.protocols(protocol));
                Side client = new Side(context, new TlsPeer("example.com", 443))) {
            client.start();
            client.deliver(alert);
            assertThat(client.failure)
                    .isInstanceOf(
                            kind == TlsEngineKind.JDK
                                    ? TlsException.AlertSent.class
                                    : TlsException.AlertReceived.class)
                    .hasMessageContaining("close_notify");
        }
    }

    @Test
    void keysAreUpdatedButNotForEver() throws Exception {
        SSLEngine client = client(TlsProtocol.TLS_1_3);
        try (TlsContext context = EnginePair.server(kind, s -> s);
                Side server = connected(context, client)) {
            for (int i = 0; i < 40; i++) {
                client.beginHandshake(); // asks for one in return
                talk(client, server);
                server.deliver(wrap(client, new byte[] {'x'}));
                assertThat(server.failure).as("%d", i).isNull();
                server.write("y");
                talk(client, server);
            }
            assertThat(server.data.size()).isEqualTo(40);
            // More than 32 records in a row that bring no data.
            for (int i = 0; i < 64 && server.failure == null; i++) {
                client.beginHandshake();
                server.deliver(wrap(client, new byte[0]));
            }
            assertThat(server.failure).isInstanceOf(TlsException.class);
        }
    }
}
