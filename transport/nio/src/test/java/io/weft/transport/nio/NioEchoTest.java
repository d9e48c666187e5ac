package io.weft.transport.nio;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.eventloop.EventLoopGroup;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class NioEchoTest {
    private static final class Echo implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.writeAndFlush(message);
        }
    }

    @Test
    void servesWithoutNativeAccess() throws Exception {
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            ServerChannel server =
                    new ServerBootstrap(group)
                            .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                            .join();
            InetSocketAddress address = (InetSocketAddress) server.localAddress();
            try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
                socket.getOutputStream().write("hello".getBytes(StandardCharsets.UTF_8));
                byte[] echoed = socket.getInputStream().readNBytes(5);
                assertThat(new String(echoed, StandardCharsets.UTF_8)).isEqualTo("hello");
            }
        }
    }

    @Test
    void saysWhichAddressCannotBeHad() throws Exception {
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1);
                ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            var bind =
                    new ServerBootstrap(group)
                            .childHandler(ch -> {})
                            .bind(other.getLocalSocketAddress());
            assertThatThrownBy(bind::join)
                    .cause()
                    .isInstanceOf(BindException.class)
                    .hasMessageContaining("" + other.getLocalPort());
        }
    }
}
