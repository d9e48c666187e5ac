package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.Channel;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The addresses of a channel, asked for by any thread at any time.
@EveryTransport
class AddressTest {
    private final Rig rig;

    AddressTest(String transport) throws IOException {
        rig = new Rig(transport, 2);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    @Test
    void addressesAreKnownElsewhereAndAfterClose() throws Exception {
        CompletableFuture<Channel> accepted = new CompletableFuture<>();
        SocketAddress address = rig.listen(accepted::complete);
        Channel client = rig.connectWeft(address, _ -> {});
        Channel server = Rig.await(accepted);
        SocketAddress from = client.localAddress();
        assertThat(from).isNotNull();
        assertThat(client.remoteAddress()).isEqualTo(address);
        assertThat(server.remoteAddress()).isEqualTo(from);
        client.close().join();
        server.closeFuture().join();
        assertThat(client.localAddress()).isEqualTo(from);
        assertThat(client.remoteAddress()).isEqualTo(address);
        assertThat(server.remoteAddress()).isEqualTo(from);
        assertThat(server.localAddress()).isEqualTo(address);
    }
}
