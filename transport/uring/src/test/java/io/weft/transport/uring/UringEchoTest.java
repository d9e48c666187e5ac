package io.weft.transport.uring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.EngineUnavailableException;
import io.weft.eventloop.EventLoopGroup;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.StandardSocketOptions;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The way of a byte from the kernel and back, at its simplest; what all engines must do is in the
/// contract suite.
@Timeout(300)
class UringEchoTest {
    private static final class Echo implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }
    }

    @BeforeEach
    void needsTheEngine() {
        try {
            new UringProvider().probe();
        } catch (EngineUnavailableException e) {
            abort(String.valueOf(e.getMessage()));
        }
    }

    private static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    private static ServerChannel echo(EventLoopGroup group) {
        return new ServerBootstrap(group)
                .option(ChannelOption.SO_REUSEPORT, true)
                .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                .bind(loopback(0))
                .join();
    }

    @Test
    void echoesMoreThanAllReceiveBuffersHold() throws Exception {
        long seed = Long.getLong("io.weft.test.seed", 1);
        byte[] sent = new byte[8 << 20];
        new Random(seed).nextBytes(sent);
        byte[] received;
        try (EventLoopGroup group = EventLoopGroup.create("io_uring", 1)) {
            try (Socket socket = new Socket()) {
                socket.connect(echo(group).localAddress());
                Thread writer =
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            try {
                                                socket.getOutputStream().write(sent);
                                                socket.shutdownOutput();
                                            } catch (java.io.IOException e) {
                                                throw new java.io.UncheckedIOException(e);
                                            }
                                        });
                InputStream in = socket.getInputStream();
                received = in.readAllBytes();
                writer.join();
            }
        }
        assertThat(received).isEqualTo(sent);
    }

    @Test
    void connectsToItself() throws Exception {
        try (EventLoopGroup group = EventLoopGroup.create("io_uring", 2);
                Socket holder = new Socket()) {
            ServerChannel server = echo(group);
            // Keeps the port from everybody else, and does not listen.
            holder.setOption(StandardSocketOptions.SO_REUSEPORT, true);
            holder.bind(server.localAddress());
            Channel client =
                    new Bootstrap(group).handler(_ -> {}).connect(server.localAddress()).join();
            assertThat(client.isActive()).isTrue();
            client.close().join();
            server.close().join();
            assertThatThrownBy(
                            () ->
                                    new Bootstrap(group)
                                            .handler(_ -> {})
                                            .connect(server.localAddress())
                                            .join())
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(ConnectException.class);
        }
    }

    /// A channel that will not close in order.
    private static final class Stubborn implements ChannelHandler {
        @Override
        public void close(ChannelHandlerContext ctx) {}
    }

    @Test
    void theEndOfALoopClosesWhatIsStillOpen() throws Exception {
        EventLoopGroup group = EventLoopGroup.create("io_uring", 1);
        CompletableFuture<Channel> accepted = new CompletableFuture<>();
        ServerChannel server =
                new ServerBootstrap(group)
                        .childHandler(
                                ch -> {
                                    ch.pipeline().addLast(new Stubborn());
                                    accepted.complete(ch);
                                })
                        .bind(loopback(0))
                        .join();
        try (Socket client = new Socket()) {
            client.connect(server.localAddress());
            client.setSoTimeout(60_000);
            Channel channel = accepted.join();
            group.shutdownGracefully(Duration.ZERO).toCompletableFuture().join();
            assertThat(channel.closeFuture().isDone()).isTrue();
            assertThatThrownBy(() -> client.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void aClosedServerAndChannelCloseAgain() {
        EventLoopGroup group = EventLoopGroup.create("io_uring", 1);
        ServerChannel server = echo(group);
        Channel client =
                new Bootstrap(group).handler(_ -> {}).connect(server.localAddress()).join();
        group.close();
        server.close().join();
        client.close().join();
        client.abort().join();
    }
}
