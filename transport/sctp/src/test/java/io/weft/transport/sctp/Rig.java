package io.weft.transport.sctp;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/// Channels of one transport's loop. Tests that need a kernel with SCTP are aborted without one.
final class Rig implements AutoCloseable {
    /// A channel that was accepted, and what it hears.
    record Side(Channel channel, Heard heard) {}

    final EventLoopGroup group;
    final LinkedBlockingQueue<Side> accepted = new LinkedBlockingQueue<>();

    /// Notifications of channels that connect or listen from now on.
    Set<SctpNotification.Kind> notifications = SctpNotification.Kind.USUAL;

    /// Returns those that tests run on, one of them in the short form of `dev/sctp.sh`.
    static List<String> transports() {
        String only = System.getProperty("io.weft.test.transport", "");
        return only.isEmpty() ? List.of("io_uring", "epoll") : List.of(only);
    }

    Rig(String transport) {
        String refusal = SctpProvider.refusal();
        Assumptions.assumeTrue(refusal == null, "no SCTP: " + refusal);
        try {
            group = EventLoopGroup.create(transport, 1);
        } catch (IllegalStateException e) {
            Assumptions.abort(String.valueOf(e.getMessage()));
            throw e;
        }
    }

    @Override
    public void close() {
        group.close();
    }

    static InetSocketAddress loopback(int last, int port) {
        try {
            return new InetSocketAddress(
                    InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) last}), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    static InetSocketAddress loopback6(int port) {
        try {
            byte[] address = new byte[16];
            address[15] = 1;
            return new InetSocketAddress(InetAddress.getByAddress(address), port);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    ServerBootstrap server() {
        return new ServerBootstrap(group)
                .option(SctpOption.NOTIFICATIONS, notifications)
                .childHandler(
                        channel -> {
                            Heard heard = new Heard();
                            channel.pipeline().addLast(heard);
                            accepted.add(new Side(channel, heard));
                        });
    }

    SctpAddress listen(SctpAddress address) {
        ServerChannel server = server().bind(address).join();
        return (SctpAddress) server.localAddress();
    }

    Side connect(SctpAddress address) {
        return connect(address, group.next());
    }

    Side connect(SctpAddress address, EventLoop loop) {
        Heard heard = new Heard();
        Bootstrap bootstrap =
                new Bootstrap(loop)
                        .option(SctpOption.NOTIFICATIONS, notifications)
                        .handler(channel -> channel.pipeline().addLast(heard));
        return new Side(bootstrap.connect(address).join(), heard);
    }

    Side accepted() {
        try {
            Side side = accepted.poll(60, TimeUnit.SECONDS);
            assertThat(side).as("waited for an association").isNotNull();
            return side;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    static <T> T onLoop(Channel channel, Callable<T> call) {
        return channel.eventLoop().submit(call).join();
    }

    static <T> T get(Channel channel, ChannelOption<T> option) {
        return onLoop(channel, () -> channel.getOption(option));
    }

    static <T> void set(Channel channel, ChannelOption<T> option, T value) {
        boolean _ =
                onLoop(
                        channel,
                        () -> {
                            channel.setOption(option, value);
                            return true;
                        });
    }

    static Buffer ascii(String text) {
        return BufferAllocator.pooled().allocate(Math.max(text.length(), 1)).writeAscii(text);
    }

    static Promise<Void> write(Channel channel, Object message) {
        Promise<Void> written = channel.newPromise();
        channel.writeAndFlush(message, written);
        return written;
    }
}
