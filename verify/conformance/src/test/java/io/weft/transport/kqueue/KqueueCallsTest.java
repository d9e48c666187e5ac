package io.weft.transport.kqueue;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.eventloop.EventLoopGroup;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Calls of `kevent` that operations of a server cost.
@EnabledOnOs(OS.LINUX)
@Timeout(300)
class KqueueCallsTest {
    private static final int ECHOES = 1_000;
    private static final int CONNECTIONS = 100;

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

    private static void echo(Socket client, int count) throws Exception {
        InputStream in = client.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int i = 0; i < count; i++) {
            out.write(i);
            assertThat(in.read()).isEqualTo(i & 0xff);
        }
    }

    /// One wait an echo; an accept and a close wait too, and changes of interest go with the waits.
    @Test
    void anEchoCostsOneCallAndAConnectionFew() throws Exception {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        try (EventLoopGroup group = EventLoopGroup.create("scripted-kqueue", 1)) {
            ServerChannel server =
                    new ServerBootstrap(group)
                            .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                            .bind(any)
                            .join();
            InetSocketAddress at = (InetSocketAddress) server.localAddress();
            double echo;
            try (Socket client = new Socket(at.getAddress(), at.getPort())) {
                client.setTcpNoDelay(true);
                echo(client, 10);
                long before = ScriptedKqueueProvider.CALLS.get();
                echo(client, ECHOES);
                echo = (ScriptedKqueueProvider.CALLS.get() - before) / (double) ECHOES;
            }
            long before = ScriptedKqueueProvider.CALLS.get();
            for (int i = 0; i < CONNECTIONS; i++) {
                try (Socket client = new Socket(at.getAddress(), at.getPort())) {
                    echo(client, 1);
                }
            }
            double connection =
                    (ScriptedKqueueProvider.CALLS.get() - before) / (double) CONNECTIONS;
            System.out.printf(
                    "kevent: %.2f calls an echo, %.2f a connection with one%n", echo, connection);
            assertThat(echo).isBetween(0.9, 1.5);
            assertThat(connection).isLessThan(6);
        }
    }
}
