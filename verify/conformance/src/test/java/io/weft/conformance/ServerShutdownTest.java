package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerChannel;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.loop.Future;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// One of several servers that share their loops ends, and the others do not notice.
@EveryTransport
class ServerShutdownTest {
    private static final Duration LONG = Duration.ofSeconds(Rig.PATIENCE_SECONDS);

    private final Rig rig;

    ServerShutdownTest(String transport) throws IOException {
        rig = new Rig(transport, 2);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    /// Keeps its channel open when that is asked to close in order.
    private static final class Stays implements ChannelHandler {
        @Override
        public void close(ChannelHandlerContext ctx) {}
    }

    private static void await(Future<Void> ended) {
        Rig.await(ended.toCompletionStage().toCompletableFuture());
    }

    @Test
    void closesItsOwnConnectionsInOrder() throws Exception {
        ServerChannel one = rig.listener(rig.server(ch -> ch.pipeline().addLast(new Echo())));
        ServerChannel other = rig.listener(rig.server(ch -> ch.pipeline().addLast(new Echo())));
        Socket stays = rig.connect(other.localAddress());
        Rig.assertServed(stays);
        List<Socket> peers = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            Socket peer = rig.connect(one.localAddress());
            Rig.assertServed(peer);
            peers.add(peer);
        }
        Future<Void> ended = one.shutdownGracefully(LONG);
        for (Socket peer : peers) {
            assertThat(Rig.receiveAll(peer)).isEmpty();
            peer.close();
        }
        await(ended);
        Rig.assertServed(stays);
        Rig.assertServed(rig.connect(other.localAddress()));
    }

    @Test
    void abortsWhatStaysOpenBeyondTheTimeout() throws Exception {
        ServerChannel server =
                rig.listener(
                        rig.server(ch -> ch.pipeline().addLast(new Stays()).addLast(new Echo())));
        Socket peer = rig.connect(server.localAddress());
        Rig.assertServed(peer);
        await(server.shutdownGracefully(Duration.ofMillis(20)));
        assertThat(Rig.sendUntilGone(peer, "x")).isNotNull();
    }

    @Test
    void endsAtOnceWithoutConnections() {
        ServerChannel server = rig.listener(rig.server(ch -> ch.pipeline().addLast(new Echo())));
        await(server.shutdownGracefully(LONG));
    }
}
