package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// At its maximum a server accepts no more, and leaves nobody behind.
@EveryTransport
class MaxConnectionsTest {
    private static final int MAX = 2;

    private final Rig rig;
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();

    MaxConnectionsTest(String transport) throws IOException {
        rig = new Rig(transport, 2);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private ServerBootstrap server() {
        return rig.server(
                        ch -> {
                            most.accumulateAndGet(open.incrementAndGet(), Math::max);
                            var _ = ch.closeFuture().addListener(_ -> open.decrementAndGet());
                            ch.pipeline().addLast(new Echo());
                        })
                .maxConnections(MAX);
    }

    /// Each peer says something at once, and goes when it has been answered twice.
    private void serveAll(SocketAddress address, int peers) throws Exception {
        try (var threads = Executors.newFixedThreadPool(peers)) {
            List<Future<?>> served = new ArrayList<>();
            for (int i = 0; i < peers; i++) {
                Socket peer = rig.connect(address);
                served.add(threads.submit(() -> serve(peer)));
            }
            for (Future<?> peer : served) {
                peer.get(Rig.PATIENCE_SECONDS, TimeUnit.SECONDS);
            }
        }
        assertThat(most).hasValueLessThanOrEqualTo(MAX);
    }

    private static Void serve(Socket peer) throws IOException {
        Rig.assertServed(peer);
        Rig.assertServed(peer);
        peer.close();
        return null;
    }

    @Test
    void connectionsBeyondTheMaximumAreServedWhenOthersClose() throws Exception {
        serveAll(rig.listen(server()), 12);
    }

    @Test
    void listenersOfOneBootstrapShareTheMaximum() throws Exception {
        Rig.assumeSockets(rig.transport());
        List<ServerChannel> listeners = server().bindOnEachLoop(rig.anyAddress()).join();
        assertThat(listeners).hasSize(2);
        serveAll(listeners.getFirst().localAddress(), 24);
    }
}
