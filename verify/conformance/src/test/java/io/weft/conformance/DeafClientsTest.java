package io.weft.conformance;

import io.weft.conformance.rig.Descriptors;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of an echo server that send and never read: their echoes stay queued, and a client that
/// does read is served all the same.
@EveryTransport
class DeafClientsTest {
    private static final int ROUNDS = 20;
    private static final int CHUNK = 16 << 10;

    private final Rig rig;
    private final List<SocketChannel> deaf = new ArrayList<>();

    DeafClientsTest(String transport) throws IOException {
        rig = Rig.ofSockets(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        for (SocketChannel client : deaf) {
            client.setOption(StandardSocketOptions.SO_LINGER, 0);
            client.close();
        }
        rig.close();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 40, 70, 300, 1000})
    void readingClientIsServedBesideDeafOnes(int count) throws IOException {
        Descriptors.assumeRoomFor(2 * count + 100);
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(new Echo()))
                                .childOption(ChannelOption.SO_SNDBUF, CHUNK));
        Socket good = rig.connect(address);
        Rig.assertServed(good);
        for (int i = 0; i < count; i++) {
            deaf.add(deaf(address));
        }
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK);
        for (int round = 0; round < ROUNDS; round++) {
            for (SocketChannel client : deaf) {
                client.write(chunk.clear());
            }
            Rig.assertServed(good);
        }
    }

    private static SocketChannel deaf(SocketAddress address) throws IOException {
        SocketChannel client = SocketChannel.open();
        client.setOption(StandardSocketOptions.SO_RCVBUF, 4 << 10);
        client.connect(address);
        client.configureBlocking(false);
        return client;
    }
}
