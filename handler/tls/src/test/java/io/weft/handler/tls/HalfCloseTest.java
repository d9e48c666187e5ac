package io.weft.handler.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.ChannelHandler;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.handler.tls.TlsEvent.CloseNotify;
import io.weft.loop.Promise;
import io.weft.tls.machine.DomainMapping;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsProtocol;
import java.nio.channels.ClosedChannelException;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The end of one direction: close_notify, then FIN (RFC 8446, 6.1).
class HalfCloseTest {
    private static final ChannelOptions HALF =
            ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true);

    private static TlsPair pair(TlsProtocol protocol) throws SSLException {
        TlsContext client = TlsPair.clientContext(c -> c.protocols(protocol));
        return new TlsPair(client, TlsPair.serverContext(s -> s), HALF);
    }

    @ParameterizedTest
    @EnumSource
    void closeNotifyGoesBeforeTheEnd(TlsProtocol protocol) throws SSLException {
        try (TlsPair pair = pair(protocol)) {
            pair.carry();
            pair.client.channel().write(TlsPair.buffer("question"));
            pair.client.channel().shutdownOutput();
            pair.carry();
            assertThat(pair.client.isOutputShutdown()).isTrue();
            pair.server.receiveEnd();
            assertThat(pair.serverEar.text()).isEqualTo("question");
            assertThat(pair.serverEar.events).contains(new CloseNotify());
            assertThat(pair.serverEar.inputClosed).isTrue();
            assertThat(pair.serverEar.failures).isEmpty();
        }
    }

    @Test
    void theAnswerArrivesBehindTheEnd() throws SSLException {
        try (TlsPair pair = pair(TlsProtocol.TLS_1_3)) {
            pair.carry();
            pair.client.channel().shutdownOutput();
            pair.carry();
            pair.server.channel().write(TlsPair.buffer("answer"));
            pair.server.channel().shutdownOutput();
            pair.carry();
            assertThat(pair.clientEar.text()).isEqualTo("answer");
            assertThat(pair.clientEar.inputClosed).isTrue();
            assertThat(pair.clientEar.failures).isEmpty();
            pair.server.receiveEnd();
            pair.client.receiveEnd();
            pair.carry();
            assertThat(pair.client.isClosed() && pair.server.isClosed()).isTrue();
            assertThat(pair.client.isReset() || pair.server.isReset()).isFalse();
            assertThat(pair.serverEar.failures).isEmpty();
        }
    }

    @Test
    void anEndWithinTheHandshakeWaitsForItsOutcome() throws SSLException {
        try (TlsPair pair = pair(TlsProtocol.TLS_1_3)) {
            Promise<Void> before = pair.client.channel().newPromise();
            pair.client.channel().write(TlsPair.buffer("early"), before);
            pair.client.channel().shutdownOutput();
            pair.server.channel().shutdownOutput();
            Promise<Void> behind = pair.server.channel().newPromise();
            pair.server.channel().writeAndFlush(TlsPair.buffer("late"), behind);
            assertThat(behind.cause()).isInstanceOf(ClosedChannelException.class);
            assertThat(pair.server.isOutputShutdown()).isFalse();
            pair.carry();
            assertThat(before.isSuccess()).isTrue();
            assertThat(pair.serverEar.text()).isEqualTo("early");
            assertThat(pair.serverEar.events).contains(new CloseNotify());
            assertThat(pair.clientEar.events).contains(new CloseNotify());
            assertThat(pair.client.isOutputShutdown() && pair.server.isOutputShutdown()).isTrue();
            assertThat(pair.serverEar.failures).isEmpty();
            assertThat(pair.clientEar.failures).isEmpty();
        }
    }

    /// The peer reads slowly, and has ended its output. Input that nobody asked for yet is not lost.
    @Test
    void theChannelStaysUntilItsOwnEndIsSent() throws SSLException {
        try (TlsPair pair = pair(TlsProtocol.TLS_1_3)) {
            pair.carry();
            pair.client.limitWindow(1000);
            pair.client.channel().write(TlsPair.buffer("x".repeat(10_000)));
            pair.client.channel().shutdownOutput();
            pair.server.channel().write(TlsPair.buffer("answer"));
            pair.server.channel().shutdownOutput();
            pair.carry();
            assertThat(pair.clientEar.inputClosed).isTrue();
            assertThat(pair.client.channel().isOpen()).isTrue();
            pair.client.openWindow(100_000);
            pair.carry();
            assertThat(pair.serverEar.data.size()).isEqualTo(10_000);
            assertThat(pair.client.channel().isOpen()).isFalse();
            assertThat(pair.client.isReset()).isFalse();
            assertThat(pair.serverEar.failures).isEmpty();
        }
    }

    @Test
    void removedWithinTheHandshakeItLeavesTheEndToTheChannel() throws SSLException {
        for (boolean close : new boolean[] {false, true}) {
            try (TlsPair pair = pair(TlsProtocol.TLS_1_3)) {
                if (close) {
                    pair.client.channel().writeAndFlush(TlsPair.buffer("waits"));
                    pair.client.channel().close();
                } else {
                    pair.client.channel().shutdownOutput();
                }
                pair.client.pipeline().remove(pair.clientHandler);
                pair.client.receiveEnd();
                pair.client.runPending();
                assertThat(pair.client.isClosed()).as("close %s", close).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void removedBeforeTheClientHelloItLeavesTheEndToTheChannel(boolean optional) {
        ChannelHandler first =
                optional
                        ? new OptionalTlsHandler(TlsPair::drop, _ -> {})
                        : new SniHandler((_, _) -> {});
        try (EmbeddedChannel server =
                new EmbeddedChannel(HALF, ch -> ch.pipeline().addLast(first))) {
            server.channel().shutdownOutput();
            server.runPending();
            assertThat(server.isOutputShutdown()).isFalse();
            server.pipeline().remove(first);
            assertThat(server.isOutputShutdown()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\026\003"})
    void aPeerThatEndsBeforeItIsKnownEndsTheConnection(String sent) {
        TlsPair.Ear ear = new TlsPair.Ear();
        OptionalTlsHandler first = new OptionalTlsHandler(TlsPair::drop, _ -> {});
        try (EmbeddedChannel server =
                new EmbeddedChannel(HALF, ch -> ch.pipeline().addLast(first).addLast(ear))) {
            Promise<Void> waits = server.channel().newPromise();
            server.channel().writeAndFlush(TlsPair.buffer("answer"), waits);
            server.receive(sent).receiveEnd();
            server.runPending();
            assertThat(waits.isDone()).isTrue();
            assertThat(server.isClosed()).isTrue();
            assertThat(ear.inputClosed).isEqualTo(sent.isEmpty());
            assertThat(ear.failures).hasSize(sent.isEmpty() ? 0 : 1);
        }
    }

    /// The server ends its output before it knows whose connection it is, and if it is TLS at all.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEndBeforeTheClientHelloWaitsForIt(boolean optional) throws SSLException {
        TlsContext context = TlsPair.serverContext(s -> s);
        DomainMapping<TlsContext> hosts =
                DomainMapping.<TlsContext>builder().add("example.com", context).build();
        ChannelHandler first =
                optional
                        ? new OptionalTlsHandler(() -> SniHandler.of(hosts), _ -> {})
                        : SniHandler.of(hosts);
        TlsPair.Ear ear = new TlsPair.Ear();
        try (EmbeddedChannel server =
                        new EmbeddedChannel(HALF, ch -> ch.pipeline().addLast(first).addLast(ear));
                TlsPair pair = pair(TlsProtocol.TLS_1_3)) {
            server.channel().shutdownOutput();
            server.runPending();
            assertThat(server.isOutputShutdown()).isFalse();
            for (int i = 0; i < 4; i++) {
                TlsPair.give(server, pair.client.takeOutbound(), 0);
                server.runPending();
                TlsPair.give(pair.client, server.takeOutbound(), 0);
                pair.client.runPending();
            }
            assertThat(server.isOutputShutdown()).isTrue();
            assertThat(pair.clientEar.events).contains(new CloseNotify());
            assertThat(pair.clientEar.failures).isEmpty();
            assertThat(ear.failures).isEmpty();
        }
    }

    @Test
    void writesBehindTheEndFail() throws SSLException {
        try (TlsPair pair = pair(TlsProtocol.TLS_1_3)) {
            pair.carry();
            Promise<Void> empty = pair.client.channel().newPromise();
            pair.client.channel().write(TlsPair.buffer(""), empty);
            pair.client.channel().shutdownOutput();
            assertThat(empty.isSuccess()).isTrue();
            Promise<Void> late = pair.client.channel().newPromise();
            pair.client.channel().writeAndFlush(TlsPair.buffer("late"), late);
            assertThat(late.cause()).isInstanceOf(ClosedChannelException.class);
            pair.carry();
            assertThat(pair.serverEar.failures).isEmpty();
        }
    }

    @Test
    void aCloseBehindTheEndWaitsForThePeers() throws SSLException {
        try (TlsPair pair = pair(TlsProtocol.TLS_1_3)) {
            pair.carry();
            pair.client.channel().shutdownOutput();
            pair.client.channel().shutdownOutput();
            pair.client.channel().close();
            pair.carry();
            pair.server.channel().writeAndFlush(TlsPair.buffer("nobody reads it"));
            pair.server.channel().close();
            pair.carry();
            pair.client.receiveEnd();
            pair.server.receiveEnd();
            assertThat(pair.client.isClosed() && pair.server.isClosed()).isTrue();
            assertThat(pair.client.isReset() || pair.server.isReset()).isFalse();
            assertThat(pair.clientEar.failures).isEmpty();
            assertThat(pair.serverEar.failures).isEmpty();
        }
    }
}
