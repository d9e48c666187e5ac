package io.weft.handler.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.handler.tls.TlsEvent.CloseNotify;
import io.weft.handler.tls.TlsEvent.HandshakeComplete;
import io.weft.handler.tls.TlsEvent.HandshakeFailed;
import io.weft.loop.Promise;
import io.weft.tls.machine.TlsAlert;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.machine.TlsTimeouts;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Random;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TlsHandlerTest {
    @ParameterizedTest
    @EnumSource
    void twoAgreeAndTalk(TlsProtocol protocol) throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c.protocols(protocol), s -> s)) {
            pair.client.channel().writeAndFlush(TlsPair.buffer("before the handshake"));
            pair.carry();
            assertThat(pair.serverEar.text()).isEqualTo("before the handshake");
            TlsSession session = pair.clientHandler.handshake().now();
            assertThat(session).isNotNull();
            assertThat(session.protocol()).isEqualTo(protocol);
            assertThat(session.serverName()).isEqualTo("example.com");
            assertThat(session.resumed()).isFalse();
            assertThat(session.peerCertificate()).isEqualTo(TlsPair.IDENTITY.certificate());
            assertThat(session.localCertificates()).isEmpty();
            assertThat(pair.clientEar.events).containsExactly(new HandshakeComplete(session));
            assertThat(pair.serverEar.events).hasSize(1);
            assertThat(pair.serverHandler.session()).isNotNull();
            assertThat(pair.serverHandler.session().serverName()).isEqualTo("example.com");

            pair.server.channel().writeAndFlush(TlsPair.buffer("back"));
            pair.carry();
            assertThat(pair.clientEar.text()).isEqualTo("back");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 7, 1000})
    void howBytesAreCutDoesNotMatter(int piece) throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c, s -> s)) {
            pair.piece = piece;
            byte[] big = new byte[40_000];
            new Random(1).nextBytes(big);
            pair.client.channel().writeAndFlush(TlsPair.buffer(big, 0, big.length));
            pair.carry();
            assertThat(pair.serverEar.data.toByteArray()).isEqualTo(big);
        }
    }

    @ParameterizedTest
    @EnumSource
    void resumesASession(TlsProtocol protocol) throws SSLException {
        TlsContext client = TlsPair.clientContext(c -> c.protocols(protocol));
        TlsContext server = TlsPair.serverContext(s -> s);
        for (int i = 0; i < 3; i++) {
            try (TlsPair pair = new TlsPair(client, server)) {
                pair.carry();
                assertThat(pair.clientHandler.session()).isNotNull();
                assertThat(pair.clientHandler.session().resumed()).isEqualTo(i > 0);
                assertThat(pair.serverHandler.session()).isNotNull();
                assertThat(pair.serverHandler.session().resumed()).isEqualTo(i > 0);
                pair.client.channel().close();
                pair.carry();
            }
        }
    }

    /// Names of services are like that.
    @Test
    void aHostMayHaveAnUnderscore() throws SSLException {
        TlsHandler tls = TlsHandler.client(TlsPair.clientContext(c -> c), "my_service-", 443);
        StringBuilder asked = new StringBuilder();
        SniHandler sni =
                new SniHandler(
                        (handler, hello) -> {
                            asked.append(hello.serverName());
                            handler.proceed(hello, TlsPair.drop());
                        });
        try (var client = new io.weft.channel.EmbeddedChannel(tls);
                var server = new io.weft.channel.EmbeddedChannel(sni)) {
            TlsPair.give(server, client.takeOutbound(), 0);
            assertThat(asked).hasToString("my_service-");
        }
    }

    @Test
    void whatCouldNeverBeAgreedOnIsRefusedAtOnce() {
        assertThatThrownBy(
                        () ->
                                TlsPair.serverContext(
                                        s ->
                                                s.protocols(TlsProtocol.TLS_1_2)
                                                        .cipherSuites("TLS_AES_128_GCM_SHA256")))
                .isInstanceOf(SSLException.class)
                .hasMessageContaining("expected: one for [TLS_1_2]");
        assertThatThrownBy(() -> TlsPair.clientContext(c -> c.groups("x25520", "")))
                .isInstanceOf(SSLException.class)
                .hasMessage("groups: [x25520, ] (expected: one that the JDK knows)");
        assertThatThrownBy(() -> TlsPair.clientContext(c -> c.applicationProtocols("h2\u2713")))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPeerThatIsTooSlowIsTold() throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c, s -> s)) {
            TlsPair.give(pair.client, pair.server.takeOutbound(), 0);
            pair.server.advance(Duration.ofSeconds(10));
            assertThat(pair.serverEar.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.HandshakeTimeout.class);
            TlsPair.give(pair.client, pair.server.takeOutbound(), 0);
            assertThat(pair.clientEar.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.AlertReceived.class);
        }
    }

    @Test
    void agreesOnAnApplicationProtocol() throws SSLException {
        try (TlsPair pair =
                TlsPair.of(
                        c -> c.applicationProtocols("h2", "http/1.1"),
                        s -> s.applicationProtocols("http/1.1"))) {
            pair.carry();
            assertThat(pair.clientHandler.session()).isNotNull();
            assertThat(pair.clientHandler.session().applicationProtocol()).isEqualTo("http/1.1");
            assertThat(pair.serverHandler.session()).isNotNull();
            assertThat(pair.serverHandler.session().applicationProtocol()).isEqualTo("http/1.1");
        }
    }

    @Test
    void withoutACommonApplicationProtocolThereIsNoConnection() throws SSLException {
        try (TlsPair pair =
                TlsPair.of(c -> c.applicationProtocols("h2"), s -> s.applicationProtocols("x"))) {
            pair.carry();
            assertThat(pair.clientEar.failures)
                    .singleElement()
                    .isInstanceOfSatisfying(
                            TlsException.AlertReceived.class,
                            e -> assertThat(e.alert()).isEqualTo(TlsAlert.NO_APPLICATION_PROTOCOL));
            assertThat(pair.serverEar.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.AlertSent.class);
            assertThat(pair.server.isClosed()).isTrue();
            assertThat(pair.server.isReset()).isFalse();
        }
    }

    @Test
    void smallWritesShareARecord() throws SSLException {
        try (TlsPair pair = TlsPair.connected()) {
            for (int i = 0; i < 100; i++) {
                pair.client.channel().write(TlsPair.buffer("0123456789"));
            }
            assertThat(pair.client.takeOutbound()).isEmpty();
            pair.client.channel().flush();
            byte[] sent = pair.client.takeOutbound();
            // Header, type and tag, and the padding of the JDK.
            assertThat(sent.length).isLessThanOrEqualTo(1000 + 5 + 1 + 16 + 16);
            TlsPair.give(pair.server, sent, 0);
            assertThat(pair.serverEar.text()).hasSize(1000);
            assertThat(pair.serverEar.reads).isEqualTo(1);
        }
    }

    @Test
    void aLargeWriteFillsItsRecordsWithoutAFlushToBeAsked() throws SSLException {
        try (TlsPair pair = TlsPair.connected()) {
            byte[] big = new byte[100_000];
            pair.client.limitWindow(0);
            pair.client.channel().write(TlsPair.buffer(big, 0, big.length));
            assertThat(pair.client.channel().pendingBytes()).isGreaterThan(100_000);
            assertThat(pair.client.channel().isWritable()).isFalse();
            pair.client.channel().flush();
            pair.client.openWindow(1 << 20);
            pair.carry();
            assertThat(pair.serverEar.data.size()).isEqualTo(100_000);
        }
    }

    @Test
    void promisesAreToldWhenTheirBytesAreSent() throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c, s -> s)) {
            Promise<Void> early = pair.client.channel().newPromise();
            Promise<Void> empty = pair.client.channel().newPromise();
            pair.client.channel().write(TlsPair.buffer("early"), early);
            pair.client.channel().writeAndFlush(TlsPair.buffer(""), empty);
            assertThat(early.isDone()).isFalse();
            pair.carry();
            assertThat(early.isSuccess()).isTrue();
            assertThat(empty.isSuccess()).isTrue();
            Promise<Void> first = pair.client.channel().newPromise();
            Promise<Void> second = pair.client.channel().newPromise();
            pair.client.limitWindow(10);
            pair.client.channel().write(TlsPair.buffer("one"), first);
            pair.client.channel().writeAndFlush(TlsPair.buffer("two"), second);
            assertThat(first.isDone()).isFalse();
            pair.client.openWindow(100);
            pair.client.runPending();
            assertThat(first.isSuccess()).isTrue();
            assertThat(second.isSuccess()).isTrue();
        }
    }

    @Test
    void whatIsNotABufferIsRefused() throws SSLException {
        try (TlsPair pair = TlsPair.connected()) {
            Promise<Void> sent = pair.client.channel().newPromise();
            pair.client.channel().writeAndFlush("text", sent);
            assertThat(sent.cause()).hasMessage("message: java.lang.String (expected: a Buffer)");
        }
    }

    /// As the server's is when its certificate is renewed.
    @Test
    void aContextMayCloseBeforeItsConnectionsBegin() throws SSLException {
        TlsContext client = TlsPair.clientContext(c -> c);
        TlsContext server = TlsPair.serverContext(s -> s);
        TlsHandler accepted = TlsHandler.server(server);
        TlsHandler connecting = TlsHandler.client(client, "example.com", 443);
        server.close();
        client.close();
        assertThatThrownBy(() -> TlsHandler.server(server))
                .isInstanceOf(IllegalStateException.class);
        try (EmbeddedChannel near = new EmbeddedChannel(connecting);
                EmbeddedChannel far = new EmbeddedChannel(accepted)) {
            for (int i = 0; i < 4; i++) {
                TlsPair.give(far, near.takeOutbound(), 0);
                TlsPair.give(near, far.takeOutbound(), 0);
            }
            assertThat(accepted.session()).isNotNull();
        }
    }

    @Test
    void closingTellsThePeer() throws SSLException {
        try (TlsPair pair = TlsPair.connected()) {
            pair.client.channel().writeAndFlush(TlsPair.buffer("last"));
            pair.client.channel().close();
            pair.carry();
            assertThat(pair.serverEar.text()).isEqualTo("last");
            assertThat(pair.serverEar.events).element(1).isEqualTo(new CloseNotify());
            assertThat(pair.serverEar.inputClosed).isTrue();
            assertThat(pair.server.isClosed()).isTrue();
            assertThat(pair.serverEar.failures).isEmpty();
            pair.client.receiveEnd();
            assertThat(pair.client.isClosed()).isTrue();
            assertThat(pair.client.isReset()).isFalse();
        }
    }

    /// Tickets, or the answer, may be on their way.
    @Test
    void aClientWaitsForTheServersEndBeforeItCloses() throws SSLException {
        for (boolean heard : new boolean[] {true, false}) {
            try (TlsPair pair = TlsPair.connected()) {
                pair.client.keepInputOpen();
                if (heard) {
                    pair.server.channel().writeAndFlush(TlsPair.buffer("hello"));
                    pair.carry();
                }
                pair.client.channel().close();
                assertThat(pair.client.isOutputShutdown()).isTrue();
                assertThat(pair.client.isClosed()).isFalse();
                pair.client.advance(Duration.ofSeconds(2));
                assertThat(pair.client.isClosed()).isTrue();
                assertThat(pair.client.isReset()).isFalse();
            }
        }
    }

    @Test
    void anAlertIsFollowedByTheWaitForThePeersEnd() throws SSLException {
        try (TlsPair pair =
                TlsPair.of(c -> c.applicationProtocols("h2"), s -> s.applicationProtocols("x"))) {
            pair.server.keepInputOpen();
            pair.carry();
            assertThat(pair.serverEar.failures).hasSize(1);
            assertThat(pair.server.isOutputShutdown()).isTrue();
            pair.server.receive("more");
            assertThat(pair.server.isClosed()).isFalse();
            pair.server.receiveEnd();
            assertThat(pair.server.isClosed()).isTrue();
            assertThat(pair.server.isReset()).isFalse();
        }
    }

    @Test
    void anAlertIsFollowedByAnOrderlyEndThoughWritesWaited() throws SSLException {
        try (TlsPair pair =
                TlsPair.of(c -> c.applicationProtocols("h2"), s -> s.applicationProtocols("x"))) {
            pair.server.keepInputOpen();
            Promise<Void> early = pair.server.channel().newPromise();
            pair.server.channel().writeAndFlush(TlsPair.buffer("early"), early);
            pair.carry();
            assertThat(early.cause()).isInstanceOf(TlsException.class);
            assertThat(pair.clientEar.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.AlertReceived.class);
            assertThat(pair.server.isOutputShutdown()).isTrue();
            pair.server.receiveEnd();
            assertThat(pair.server.isClosed()).isTrue();
            assertThat(pair.server.isReset()).isFalse();
        }
    }

    @Test
    void aCloseNotifyThatIsSentIsWaitedForAsLongAsTheChannelLingers() throws SSLException {
        ChannelOptions patient =
                ChannelOptions.DEFAULT.with(ChannelOption.LINGER_TIMEOUT, Duration.ofMinutes(1));
        try (TlsPair pair =
                new TlsPair(
                        TlsPair.clientContext(c -> c), TlsPair.serverContext(s -> s), patient)) {
            pair.carry();
            pair.client.keepInputOpen().channel().close();
            pair.client.advance(Duration.ofSeconds(59));
            assertThat(pair.client.isClosed()).isFalse();
            pair.client.receiveEnd();
            assertThat(pair.client.isReset()).isFalse();
        }
    }

    @Test
    void aCloseWithinTheHandshakeLetsFlushedMessagesArrive() throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c, s -> s)) {
            Promise<Void> flushed = pair.client.channel().newPromise();
            Promise<Void> written = pair.client.channel().newPromise();
            pair.client.channel().writeAndFlush(TlsPair.buffer("last words"), flushed);
            pair.client.channel().write(TlsPair.buffer("not flushed"), written);
            pair.client.channel().close();
            pair.client.channel().close();
            assertThat(written.cause()).isInstanceOf(ClosedChannelException.class);
            pair.carry();
            assertThat(flushed.isSuccess()).isTrue();
            assertThat(pair.serverEar.text()).isEqualTo("last words");
            assertThat(pair.serverEar.events).element(1).isEqualTo(new CloseNotify());
            assertThat(pair.serverEar.failures).isEmpty();
            assertThat(pair.client.isClosed()).isTrue();
            assertThat(pair.client.isReset()).isFalse();
        }
    }

    @Test
    void aCloseWithinTheHandshakeWaitsForItsOutcomeOnly() throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c, s -> s)) {
            Promise<Void> flushed = pair.client.channel().newPromise();
            pair.client.channel().writeAndFlush(TlsPair.buffer("last words"), flushed);
            pair.client.channel().close();
            pair.client.advance(Duration.ofMillis(9_999));
            assertThat(pair.client.isClosed()).isFalse();
            pair.client.advance(Duration.ofMillis(1));
            assertThat(flushed.cause()).isInstanceOf(TlsException.HandshakeTimeout.class);
            assertThat(pair.client.isClosed()).isTrue();
        }
    }

    @Test
    void aCloseWithinTheHandshakeEndsItWhereNothingWasFlushed() throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c, s -> s)) {
            Promise<Void> written = pair.client.channel().newPromise();
            pair.client.channel().write(TlsPair.buffer("not flushed"), written);
            pair.client.channel().close();
            assertThat(written.isDone()).isTrue();
            assertThat(pair.client.isClosed()).isTrue();
        }
    }

    /// A resumed handshake of TLS 1.2 ends with what the client sends, and data and close_notify
    /// may follow in the same flight.
    @Test
    void messagesThatMeetACloseNotifyOfTls12Fail() throws SSLException {
        TlsContext client = TlsPair.clientContext(c -> c.protocols(TlsProtocol.TLS_1_2));
        TlsContext server = TlsPair.serverContext(s -> s);
        for (int i = 0; i < 2; i++) {
            try (TlsPair pair = new TlsPair(client, server)) {
                Promise<Void> sent = pair.server.channel().newPromise();
                pair.server.channel().writeAndFlush(TlsPair.buffer("too late"), sent);
                pair.client.channel().writeAndFlush(TlsPair.buffer("last"));
                pair.client.channel().close();
                pair.carry();
                assertThat(pair.serverEar.text()).isEqualTo("last");
                assertThat(pair.serverEar.failures).isEmpty();
                assertThat(pair.server.isClosed()).isTrue();
                assertThat(pair.server.isReset()).isFalse();
                if (i == 1) {
                    assertThat(sent.cause()).isInstanceOf(ClosedChannelException.class);
                }
            }
        }
    }

    @Test
    void anEndWithoutCloseNotifyIsATruncation() throws SSLException {
        try (TlsPair pair = TlsPair.connected()) {
            pair.client.channel().writeAndFlush(TlsPair.buffer("balance: 1000"));
            pair.carry();
            pair.server.receiveEnd();
            assertThat(pair.serverEar.text()).isEqualTo("balance: 1000");
            assertThat(pair.serverEar.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.Truncated.class);
            assertThat(pair.serverEar.events).doesNotContain(new CloseNotify());
            assertThat(pair.server.isClosed()).isTrue();
        }
    }

    @Test
    void anEndWithinTheHandshakeIsATruncation() throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c, s -> s)) {
            pair.server.receiveEnd();
            assertThat(pair.serverEar.failures)
                    .singleElement()
                    .isInstanceOf(TlsException.Truncated.class);
            assertThat(pair.serverHandler.handshake().cause())
                    .isInstanceOf(TlsException.Truncated.class);
        }
    }

    @Test
    void waitsForThePeersCloseNotifyWhenAsked() throws SSLException {
        TlsTimeouts waits =
                new TlsTimeouts(
                        Duration.ofSeconds(10), Duration.ofSeconds(3), Duration.ofSeconds(2));
        try (TlsPair pair = TlsPair.of(c -> c.timeouts(waits), s -> s)) {
            pair.carry();
            pair.client.channel().close();
            assertThat(pair.client.isClosed()).isFalse();
            pair.carry();
            assertThat(pair.client.isClosed()).isTrue();
        }
        try (TlsPair pair = TlsPair.of(c -> c.timeouts(waits), s -> s)) {
            pair.carry();
            pair.client.channel().close();
            pair.client.advance(Duration.ofMillis(1999));
            assertThat(pair.client.isClosed()).isFalse();
            pair.client.advance(Duration.ofMillis(1));
            assertThat(pair.client.isClosed()).isTrue();
            assertThat(pair.client.isReset()).isFalse();
        }
    }

    @Test
    void aCloseNotifyThatNobodyTakesEndsInAnAbort() throws SSLException {
        try (TlsPair pair = TlsPair.connected()) {
            pair.client.limitWindow(0);
            pair.client.channel().close();
            pair.client.advance(Duration.ofMillis(2999));
            assertThat(pair.client.isClosed()).isFalse();
            pair.client.advance(Duration.ofMillis(1));
            assertThat(pair.client.isClosed()).isTrue();
            assertThat(pair.client.isReset()).isTrue();
        }
    }

    @Test
    void aHandshakeHasTenSeconds() throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c, s -> s)) {
            Promise<Void> sent = pair.client.channel().newPromise();
            pair.client.channel().writeAndFlush(TlsPair.buffer("secret"), sent);
            pair.client.takeOutbound();
            pair.client.advance(Duration.ofMillis(9999));
            assertThat(pair.client.isClosed()).isFalse();
            pair.client.advance(Duration.ofMillis(1));
            assertThat(pair.client.isClosed()).isTrue();
            assertThat(sent.cause()).isInstanceOf(TlsException.HandshakeTimeout.class);
            assertThat(pair.clientEar.events).singleElement().isInstanceOf(HandshakeFailed.class);
        }
    }

    @Test
    void aHandshakeInTimeLeavesNoTimer() throws SSLException {
        try (TlsPair pair = TlsPair.connected()) {
            pair.client.advance(Duration.ofMinutes(1));
            pair.server.advance(Duration.ofMinutes(1));
            assertThat(pair.client.isClosed()).isFalse();
            assertThat(pair.server.isClosed()).isFalse();
        }
    }

    @Test
    void whatWaitsForTheHandshakeCountsInWritability() throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c, s -> s)) {
            byte[] piece = new byte[70_000];
            assertThat(pair.client.channel().isWritable()).isTrue();
            pair.client.channel().write(TlsPair.buffer(piece, 0, piece.length));
            assertThat(pair.client.channel().isWritable()).isFalse();
            pair.client.channel().flush();
            pair.carry();
            assertThat(pair.client.channel().isWritable()).isTrue();
            assertThat(pair.serverEar.data.size()).isEqualTo(70_000);
            pair.server.channel().writeAndFlush(TlsPair.buffer("read again"));
            pair.carry();
            assertThat(pair.clientEar.text()).isEqualTo("read again");
        }
    }

    @Test
    void writeWithinTheHandshakeAsksForInputBehindItsLastPiece() throws SSLException {
        ChannelOptions unwritable =
                ChannelOptions.DEFAULT.with(
                        ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(0, 0, 99));
        TlsContext client = TlsPair.clientContext(c -> c);
        int[] asked = {0};
        ChannelHandler inPieces =
                new ChannelHandler() {
                    @Override
                    public void write(
                            ChannelHandlerContext ctx,
                            Object message,
                            @Nullable Promise<Void> promise) {
                        ctx.write(message, promise);
                        assertThat(asked[0]).as("between two pieces").isZero();
                        ctx.write(TlsPair.buffer("another"));
                    }
                };
        try (TlsPair pair = new TlsPair(client, TlsPair.serverContext(s -> s), unwritable)) {
            ChannelHandler below =
                    new ChannelHandler() {
                        @Override
                        public void read(ChannelHandlerContext ctx) {
                            asked[0]++;
                            ctx.read();
                        }
                    };
            pair.client.pipeline().addFirst("below", below);
            pair.client.pipeline().addLast("in pieces", inPieces);
            pair.client.channel().write(TlsPair.buffer("one piece"));
            pair.client.checkException();
            pair.client.runPending();
            assertThat(asked[0]).isPositive();
        }
    }

    @Test
    void whatWaitsForTheHandshakeIsBounded() throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c, s -> s)) {
            byte[] piece = new byte[TlsHandler.MAX_PENDING / 4];
            for (int i = 0; i < 4; i++) {
                pair.client.channel().write(TlsPair.buffer(piece, 0, piece.length));
            }
            assertThat(pair.clientEar.failures).isEmpty();
            Promise<Void> sent = pair.client.channel().newPromise();
            pair.client.channel().write(TlsPair.buffer("x"), sent);
            assertThat(sent.cause()).isInstanceOf(TlsException.LimitReached.class);
            assertThat(pair.client.isClosed()).isTrue();
        }
    }

    @Test
    void writesWithoutBytesThatWaitForTheHandshakeAreBounded() throws SSLException {
        try (TlsPair pair = TlsPair.of(c -> c, s -> s)) {
            int written = 0;
            while (pair.client.channel().isOpen() && written < 100_000) {
                pair.client.channel().write(TlsPair.buffer(""));
                written++;
            }
            assertThat(written).isEqualTo(TlsHandler.MAX_PENDING / 64 + 1);
            assertThat(pair.client.isClosed()).isTrue();
        }
    }

    @Test
    void tasksRunElsewhereAndInputWaitsForThem() throws SSLException {
        ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        try (TlsPair pair = TlsPair.of(c -> c.tasks(tasks::add), s -> s)) {
            pair.server.channel().writeAndFlush(TlsPair.buffer("hello"));
            for (int i = 0; i < 10; i++) {
                pair.carry();
                if (!tasks.isEmpty()) {
                    tasks.remove().run();
                }
            }
            assertThat(pair.clientHandler.session()).isNotNull();
            assertThat(pair.clientEar.text()).isEqualTo("hello");
        }
    }

    @Test
    void aChannelMayCloseWhileATaskRuns() throws SSLException {
        ArrayDeque<Runnable> tasks = new ArrayDeque<>();
        try (TlsPair pair = TlsPair.of(c -> c.tasks(tasks::add), s -> s)) {
            pair.carry();
            assertThat(tasks).hasSize(1);
            pair.client.channel().close();
            assertThat(pair.client.isClosed()).isTrue();
            tasks.remove().run();
            pair.client.runPending();
            assertThat(pair.clientHandler.handshake().isSuccess()).isFalse();
        }
    }

    @Test
    void anExecutorThatTakesNothingFailsTheHandshake() throws SSLException {
        try (TlsPair pair =
                TlsPair.of(
                        c ->
                                c.tasks(
                                        _ -> {
                                            throw new java.util.concurrent
                                                    .RejectedExecutionException("full");
                                        }),
                        s -> s)) {
            pair.carry();
            assertThat(pair.clientHandler.handshake().cause())
                    .isInstanceOf(TlsException.Failed.class);
            assertThat(pair.client.isClosed()).isTrue();
        }
    }

    @Test
    void aChannelThatReadsWhenAskedStillShakesHands() throws SSLException {
        ChannelOptions manual = ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false);
        try (TlsPair pair =
                new TlsPair(TlsPair.clientContext(c -> c), TlsPair.serverContext(s -> s), manual)) {
            pair.piece = 100;
            pair.carry();
            assertThat(pair.clientHandler.session()).isNotNull();
            assertThat(pair.serverHandler.session()).isNotNull();
            pair.client.channel().writeAndFlush(TlsPair.buffer("x".repeat(1000)));
            pair.carry();
            assertThat(pair.serverEar.text()).isEmpty();
            pair.server.channel().read();
            assertThat(pair.serverEar.text()).hasSize(1000);
        }
    }

    @Test
    void startsWithinAConversationInTheClear() throws SSLException {
        TlsPair.Ear clientEar = new TlsPair.Ear();
        TlsPair.Ear serverEar = new TlsPair.Ear();
        try (var client = new io.weft.channel.EmbeddedChannel(clientEar);
                var server = new io.weft.channel.EmbeddedChannel(serverEar)) {
            client.channel().writeAndFlush(TlsPair.buffer("STARTTLS"));
            TlsPair.give(server, client.takeOutbound(), 0);
            assertThat(serverEar.text()).isEqualTo("STARTTLS");
            server.channel().writeAndFlush(TlsPair.buffer("go ahead"));
            TlsHandler serverTls = TlsHandler.server(TlsPair.serverContext(s -> s));
            server.pipeline().addFirst("tls", serverTls);
            TlsPair.give(client, server.takeOutbound(), 0);
            assertThat(clientEar.text()).isEqualTo("go ahead");
            TlsHandler clientTls =
                    TlsHandler.client(TlsPair.clientContext(c -> c), "example.com", 25);
            client.pipeline().addFirst("tls", clientTls);
            client.channel().writeAndFlush(TlsPair.buffer("secret"));
            for (int i = 0; i < 10; i++) {
                TlsPair.give(server, client.takeOutbound(), 0);
                TlsPair.give(client, server.takeOutbound(), 0);
            }
            assertThat(serverEar.text()).isEqualTo("STARTTLSsecret");
        }
    }

    @Test
    void autoReadSwitchedOffWhenTheChannelIsActiveDoesNotStopTheHandshake() throws SSLException {
        TlsHandler client = TlsHandler.client(TlsPair.clientContext(c -> c), "example.com", 443);
        TlsHandler server = TlsHandler.server(TlsPair.serverContext(s -> s));
        ChannelHandler off =
                new ChannelHandler() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                        ctx.channel().autoRead(false);
                    }
                };
        try (EmbeddedChannel from = new EmbeddedChannel(client);
                EmbeddedChannel to = new EmbeddedChannel(server, off)) {
            for (int i = 0; i < 4; i++) {
                TlsPair.give(to, from.takeOutbound(), 0);
                TlsPair.give(from, to.takeOutbound(), 0);
            }
            assertThat(server.handshake().isSuccess()).isTrue();
        }
    }
}
