package io.weft.examples.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RelayTest {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration MOST = Duration.ofMinutes(9);
    private static final Duration REST = Duration.ofMinutes(2);

    private EmbeddedChannel client;
    private EmbeddedChannel server;

    private static EmbeddedChannel channel() {
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT
                        .with(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .with(ChannelOption.READ_WHILE_UNWRITABLE, true),
                _ -> {});
    }

    @BeforeEach
    void join() {
        client = channel();
        server = channel();
        Relay.join(client.channel(), server.channel(), PATIENCE);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private void passTime(Duration time) {
        client.advance(time);
        server.advance(time);
        client.runPending();
    }

    private void assertOpen() {
        assertThat(client.isClosed()).isFalse();
        assertThat(server.isClosed()).isFalse();
    }

    private void assertAborted() {
        assertThat(client.isReset()).isTrue();
        assertThat(server.isReset()).isTrue();
    }

    @Test
    void idleTunnelIsAborted() {
        passTime(MOST);
        assertOpen();
        passTime(REST);
        assertAborted();
    }

    @Test
    void bytesOfEitherSideKeepTheTunnel() {
        for (int i = 0; i < 5; i++) {
            passTime(MOST);
            client.receive("ping");
            assertThat(server.takeOutboundText()).isEqualTo("ping");
            passTime(MOST);
            server.receive("pong");
            assertThat(client.takeOutboundText()).isEqualTo("pong");
        }
        assertOpen();
        passTime(PATIENCE);
        passTime(REST);
        assertAborted();
    }

    /// Attack class: a peer that takes the end of the other's output and never ends its own.
    @Test
    void halfClosedTunnelIsAborted() {
        server.keepInputOpen();
        client.receive("request").receiveEnd();
        assertThat(server.takeOutboundText()).isEqualTo("request");
        assertThat(server.isOutputShutdown()).isTrue();
        passTime(MOST);
        assertOpen();
        passTime(REST);
        assertAborted();
    }

    /// Attack class: a peer that is sent something and takes nothing.
    @Test
    void peerThatTakesNothingIsAborted() {
        client.limitWindow(0);
        server.receive("x".repeat(1000));
        passTime(PATIENCE);
        passTime(PATIENCE);
        passTime(REST);
        assertAborted();
    }

    @Test
    void peerThatTakesLittleIsKept() {
        client.limitWindow(0);
        server.receive("x".repeat(1000)).receiveEnd();
        for (int i = 0; i < 10; i++) {
            client.openWindow(50);
            passTime(PATIENCE);
        }
        assertOpen();
        client.openWindow(500);
        assertThat(client.takeOutbound()).hasSize(1000);
    }

    @Test
    void endsWithoutATimer() {
        client.receiveEnd();
        server.receiveEnd();
        passTime(PATIENCE);
        passTime(REST);
        assertThat(client.isClosed()).isTrue();
        assertThat(server.isClosed()).isTrue();
        assertThat(client.isReset()).isFalse();
        assertThat(server.isReset()).isFalse();
    }
}
