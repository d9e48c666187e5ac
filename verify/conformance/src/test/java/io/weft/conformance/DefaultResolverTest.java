package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.eventloop.EventLoopGroup;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

class DefaultResolverTest {
    @Test
    void bootstrapResolvesSpecialNamesByDefault() {
        EventLoopGroup group = EventLoopGroup.create("nio", 1);
        try {
            ServerChannel server =
                    new ServerBootstrap(group)
                            .childHandler(_ -> {})
                            .bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0))
                            .join();
            int port = ((InetSocketAddress) server.localAddress()).getPort();
            // Not the system's affair: it need not know names below localhost.
            Channel channel =
                    new Bootstrap(group).handler(_ -> {}).connect("a.b.localhost", port).join();
            assertThat(channel.remoteAddress())
                    .isEqualTo(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port));
            channel.close().join();
        } finally {
            group.shutdownGracefully().toCompletableFuture().join();
        }
    }
}
