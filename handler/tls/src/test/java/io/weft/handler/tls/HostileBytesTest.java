package io.weft.handler.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.testkit.ClientHellos;
import io.weft.tls.machine.TlsAlert;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.machine.spi.TlsEngine;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.machine.spi.TlsSink;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Peers that speak no TLS, or bad TLS, or stop in the middle, cause a typed error, and never a
/// hang or a leak.
class HostileBytesTest {
    private static EmbeddedChannel server(TlsPair.Ear ear) throws SSLException {
        return new EmbeddedChannel(TlsHandler.server(TlsPair.serverContext(s -> s)), ear);
    }

    private static EmbeddedChannel client(TlsPair.Ear ear) throws SSLException {
        return new EmbeddedChannel(
                TlsHandler.client(TlsPair.clientContext(c -> c), "example.com", 1), ear);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n",
                "HTTP/1.1 400 Bad Request\r\n\r\n",
                "SSH-2.0-OpenSSH_9.2\r\n",
                "EHLO example.com\r\n",
                "\0\0\0\0",
                "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            })
    void anotherProtocolIsNotTls(String text) throws SSLException {
        TlsPair.Ear ear = new TlsPair.Ear();
        try (EmbeddedChannel server = server(ear)) {
            server.receive(TlsPair.buffer(text));
            assertThat(ear.failures).singleElement().isInstanceOf(TlsException.NotTls.class);
            assertThat(server.takeOutbound()).isEmpty();
            assertThat(server.isClosed()).isTrue();
        }
        ear = new TlsPair.Ear();
        try (EmbeddedChannel client = client(ear)) {
            client.receive(TlsPair.buffer(text));
            assertThat(ear.failures).singleElement().isInstanceOf(TlsException.NotTls.class);
            assertThat(client.isClosed()).isTrue();
        }
    }

    @Test
    void ssl2IsNotTls() throws SSLException {
        TlsPair.Ear ear = new TlsPair.Ear();
        try (EmbeddedChannel server = server(ear)) {
            // A CLIENT-HELLO of SSL 2 that offers TLS.
            byte[] hello = HexFormat.of().parseHex("802e0103010015000000100100800700c0030080");
            TlsPair.give(server, hello, 0);
            assertThat(ear.failures).singleElement().isInstanceOf(TlsException.NotTls.class);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "16030100010e, unexpected_message", // a type of message that no client sends first
        "16030100040200000000, unexpected_message", // a ServerHello
        "160301000401000000, ''", // an empty ClientHello
        "16030100040100ffff, ''", // a message larger than any
        "150301000201ff, ''", // an alert that nobody knows
        "15030100020228, ''", // a fatal alert
        "1503010003022800, ''",
    })
    void aMalformedBeginningIsATypedEnd(String hex, String ignored) throws SSLException {
        TlsPair.Ear ear = new TlsPair.Ear();
        try (EmbeddedChannel server = server(ear)) {
            TlsPair.give(server, HexFormat.of().parseHex(hex), 0);
            server.receiveEnd();
            assertThat(ear.failures).isNotEmpty().allMatch(e -> e instanceof TlsException);
            assertThat(server.isClosed()).isTrue();
        }
    }

    @Test
    void aLengthThatNoRecordHasIsRefusedBeforeItsBody() throws SSLException {
        for (String header :
                new String[] {"1703034801", "170303ffff", "1603030000", "1403030000"}) {
            try (TlsPair pair = TlsPair.connected()) {
                TlsPair.give(pair.server, HexFormat.of().parseHex(header), 0);
                assertThat(pair.serverEar.failures)
                        .singleElement()
                        .isInstanceOf(TlsException.BadRecord.class);
                pair.carry();
                assertThat(pair.clientEar.failures)
                        .as("the alert arrived")
                        .singleElement()
                        .isInstanceOf(TlsException.AlertReceived.class);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void aChangedByteIsNoticed(TlsProtocol protocol) throws SSLException {
        Random random = new Random(7);
        for (int round = 0; round < 30; round++) {
            try (TlsPair pair = TlsPair.of(c -> c.protocols(protocol), s -> s)) {
                pair.carry();
                pair.client.channel().writeAndFlush(TlsPair.buffer("0123456789"));
                byte[] record = pair.client.takeOutbound();
                record[5 + random.nextInt(record.length - 5)] ^= (byte) (1 << random.nextInt(8));
                TlsPair.give(pair.server, record, 0);
                assertThat(pair.serverEar.text()).isEmpty();
                assertThat(pair.serverEar.failures)
                        .singleElement()
                        .isInstanceOfSatisfying(
                                TlsException.AlertSent.class,
                                e -> assertThat(e.alert()).isEqualTo(TlsAlert.BAD_RECORD_MAC));
                pair.carry();
                assertThat(pair.clientEar.failures)
                        .singleElement()
                        .isInstanceOf(TlsException.AlertReceived.class);
            }
        }
    }

    @Test
    void aRecordThatComesTwiceIsNoticed() throws SSLException {
        try (TlsPair pair = TlsPair.connected()) {
            pair.client.channel().writeAndFlush(TlsPair.buffer("pay 10"));
            byte[] record = pair.client.takeOutbound();
            TlsPair.give(pair.server, record, 0);
            TlsPair.give(pair.server, record, 0);
            assertThat(pair.serverEar.text()).isEqualTo("pay 10");
            assertThat(pair.serverEar.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.AlertSent.class);
        }
    }

    /// The bytes of a handshake, each side's, to be cut and changed.
    private static byte[][] conversation(TlsProtocol protocol) throws SSLException {
        ByteArrayOutputStream toServer = new ByteArrayOutputStream();
        ByteArrayOutputStream toClient = new ByteArrayOutputStream();
        try (TlsPair pair = TlsPair.of(c -> c.protocols(protocol), s -> s)) {
            for (int i = 0; i < 8; i++) {
                pair.client.runPending();
                byte[] there = pair.client.takeOutbound();
                toServer.writeBytes(there);
                TlsPair.give(pair.server, there, 0);
                pair.server.runPending();
                byte[] back = pair.server.takeOutbound();
                toClient.writeBytes(back);
                TlsPair.give(pair.client, back, 0);
            }
        }
        return new byte[][] {toServer.toByteArray(), toClient.toByteArray()};
    }

    @ParameterizedTest
    @EnumSource
    void aHandshakeThatStopsAnywhereIsATruncation(TlsProtocol protocol) throws SSLException {
        byte[] hello = Arrays.copyOf(conversation(protocol)[0], 400);
        TlsContext context = TlsPair.serverContext(s -> s);
        int helloLength = 5 + ((hello[3] & 0xff) << 8 | (hello[4] & 0xff));
        for (int length = 0; length < Math.min(helloLength, hello.length); length += 3) {
            TlsPair.Ear ear = new TlsPair.Ear();
            try (EmbeddedChannel server = new EmbeddedChannel(TlsHandler.server(context), ear)) {
                if (length > 0) {
                    TlsPair.give(server, Arrays.copyOf(hello, length), 0);
                }
                assertThat(ear.failures).isEmpty();
                server.receiveEnd();
                assertThat(ear.failures).singleElement().isInstanceOf(TlsException.Truncated.class);
                assertThat(server.isClosed()).isTrue();
            }
        }
    }

    /// Bytes with a few changes, whole and in pieces: each ends in a typed exception, or waits for
    /// more.
    @ParameterizedTest
    @EnumSource
    void changedHandshakesEndInTypedExceptions(TlsProtocol protocol) throws SSLException {
        byte[][] good = conversation(protocol);
        long seed = Long.getLong("io.weft.test.seed", 42);
        Random random = new Random(seed);
        TlsContext serverContext = TlsPair.serverContext(s -> s);
        TlsContext clientContext = TlsPair.clientContext(c -> c.protocols(protocol));
        for (int round = 0; round < 600; round++) {
            boolean server = random.nextBoolean();
            byte[] bytes = good[server ? 0 : 1].clone();
            for (int i = random.nextInt(4); i >= 0; i--) {
                bytes[random.nextInt(Math.min(bytes.length, 600))] = (byte) random.nextInt(256);
            }
            TlsPair.Ear ear = new TlsPair.Ear();
            TlsHandler handler =
                    server
                            ? TlsHandler.server(serverContext)
                            : TlsHandler.client(clientContext, "example.com", 1);
            try (EmbeddedChannel channel = new EmbeddedChannel(handler, ear)) {
                TlsPair.give(channel, bytes, random.nextInt(3) * 50);
                channel.receiveEnd();
                assertThat(ear.failures)
                        .as("seed %d round %d", seed, round)
                        .isNotEmpty()
                        .allMatch(e -> e instanceof TlsException);
                assertThat(channel.isClosed()).isTrue();
            }
        }
    }

    @Test
    void randomBytesEndInTypedExceptions() throws SSLException {
        long seed = Long.getLong("io.weft.test.seed", 43);
        Random random = new Random(seed);
        TlsContext context = TlsPair.serverContext(s -> s);
        for (int round = 0; round < 2000; round++) {
            byte[] bytes = new byte[random.nextInt(200)];
            random.nextBytes(bytes);
            if (bytes.length > 9 && random.nextBoolean()) {
                bytes[0] = 22;
                bytes[1] = 3;
                bytes[2] = 1;
                bytes[3] = 0;
                bytes[4] = (byte) (bytes.length - 5);
                bytes[5] = 1;
                bytes[6] = 0;
                bytes[7] = 0;
                bytes[8] = (byte) (bytes.length - 9);
            }
            TlsPair.Ear ear = new TlsPair.Ear();
            try (EmbeddedChannel channel = new EmbeddedChannel(TlsHandler.server(context), ear)) {
                TlsPair.give(channel, bytes, 0);
                channel.receiveEnd();
                assertThat(ear.failures)
                        .as("seed %d round %d", seed, round)
                        .singleElement()
                        .isInstanceOf(TlsException.class);
            }
        }
    }

    @Test
    void aHandshakeIsOfBoundedSize() throws SSLException {
        TlsPair.Ear ear = new TlsPair.Ear();
        try (EmbeddedChannel server = server(ear)) {
            // A message that goes on and on, in records of one byte.
            byte[] record = {22, 3, 1, 0, 1, 1};
            byte[] body = {22, 3, 1, 0, 1, 0};
            TlsPair.give(server, record, 0);
            for (int i = 0; i < 256 * 1024 && ear.failures.isEmpty(); i++) {
                TlsPair.give(server, body, 0);
            }
            assertThat(ear.failures).singleElement().isInstanceOf(TlsException.class);
        }
    }

    @Test
    void aPeerThatRenegotiatesIsRefused() throws SSLException {
        // The machine of the client is asked to; the one of the server must not.
        try (TlsPair pair = TlsPair.of(c -> c.protocols(TlsProtocol.TLS_1_2), s -> s)) {
            pair.carry();
            byte[] record = {22, 3, 3, 0, 40, 1};
            TlsPair.give(pair.server, Arrays.copyOf(record, 45), 0);
            assertThat(pair.serverEar.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.Renegotiation.class);
            pair.carry();
            assertThat(pair.clientEar.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.AlertReceived.class);
        }
    }

    /// A machine without a channel: it changes nothing that it was not asked to, and reads whole
    /// records only.
    @Test
    void theMachineLeavesAnIncompleteRecordUnread() throws SSLException {
        byte[] hello = conversation(TlsProtocol.TLS_1_3)[0];
        TlsContext context = TlsPair.serverContext(s -> s);
        TlsSink none =
                new TlsSink() {
                    @Override
                    public void records(Buffer ciphertext) {
                        ciphertext.release();
                    }

                    @Override
                    public void plaintext(Buffer data) {
                        data.release();
                    }

                    @Override
                    public void handshakeComplete(TlsSession session) {}

                    @Override
                    public void closed() {}
                };
        try (TlsEngine engine = context.engine(TlsPeer.UNKNOWN, BufferAllocator.pooled());
                Buffer in = TlsPair.buffer(hello, 0, 50)) {
            engine.start(none);
            engine.received(in, none);
            assertThat(in.readableBytes()).isEqualTo(50);
            assertThat(engine.needsTask()).isFalse();
            assertThat(engine.session()).isNull();
        }
    }

    @Test
    void whatComesBehindCloseNotifyIsDropped() throws SSLException {
        for (TlsProtocol protocol : TlsProtocol.values()) {
            ChannelOptions half =
                    ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true);
            TlsContext client = TlsPair.clientContext(c -> c.protocols(protocol));
            try (TlsPair pair = new TlsPair(client, TlsPair.serverContext(s -> s), half)) {
                pair.carry();
                pair.client.channel().writeAndFlush(TlsPair.buffer("last"));
                pair.client.channel().close();
                byte[] goodbye = pair.client.takeOutbound();
                TlsPair.give(pair.server, ClientHellos.cat(goodbye, new byte[100]), 0);
                TlsPair.give(pair.server, new byte[100], 0);
                assertThat(pair.serverEar.text()).isEqualTo("last");
                assertThat(pair.serverEar.failures).isEmpty();
                assertThat(pair.serverEar.events)
                        .filteredOn(e -> e instanceof TlsEvent.CloseNotify)
                        .hasSize(1);
            }
        }
    }

    @Test
    void plaintextBeforeAndAfterIsNotMixedUp() throws SSLException {
        try (TlsPair pair = TlsPair.connected()) {
            pair.client.channel().writeAndFlush(TlsPair.buffer("x".repeat(70_000)));
            pair.client.channel().writeAndFlush(TlsPair.buffer("y".repeat(10)));
            pair.client.channel().close();
            pair.carry();
            assertThat(pair.serverEar.data.toString(StandardCharsets.US_ASCII))
                    .isEqualTo("x".repeat(70_000) + "y".repeat(10));
        }
    }
}
