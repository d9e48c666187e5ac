package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class ProxiedAddressesTest {
    @Test
    void replaceThoseOfTheConnectionAlsoWhenItIsClosed() {
        InetSocketAddress server = InetSocketAddress.createUnresolved("server", 443);
        InetSocketAddress client = InetSocketAddress.createUnresolved("client", 5);
        try (var ch = new EmbeddedChannel()) {
            assertThat(ch.channel().remoteAddress()).isNotEqualTo(client);
            ch.channel().proxiedAddresses(server, client);
            assertThat(ch.channel().localAddress()).isEqualTo(server);
            assertThat(ch.channel().remoteAddress()).isEqualTo(client);
            assertThat(ch.channel().toString()).contains("client");
            ch.channel().abort();
            ch.runPending();
            assertThat(ch.channel().remoteAddress()).isEqualTo(client);
        }
    }
}
