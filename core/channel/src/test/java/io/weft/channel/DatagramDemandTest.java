package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Datagram;
import io.weft.engine.DatagramBatch;
import io.weft.engine.DatagramHandle;
import io.weft.eventloop.EventLoop;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Datagram channels whose engine has stopped to receive, as it had no memory.
class DatagramDemandTest {
    private static final class Socket implements DatagramHandle {
        boolean receiving;

        @Override
        public void receive() {
            receiving = true;
        }

        @Override
        public void pause() {
            receiving = false;
        }

        @Override
        public int send(DatagramBatch datagrams) {
            return datagrams.count();
        }

        @Override
        public void membership(
                Membership change,
                InetAddress group,
                NetworkInterface over,
                @Nullable InetAddress source) {}

        @Override
        public void close(boolean reset) {}

        @Override
        public @Nullable SocketAddress localAddress() {
            return null;
        }

        @Override
        public @Nullable SocketAddress remoteAddress() {
            return null;
        }

        @Override
        public <T> T option(ChannelOption<T> option) {
            throw new UnsupportedOperationException(option.name());
        }

        @Override
        public <T> void option(ChannelOption<T> option, T value) {
            throw new UnsupportedOperationException(option.name());
        }
    }

    private final Socket socket = new Socket();
    private final EventLoop loop = new EventLoop(new EmbeddedEngine(), new ManualClock());

    private Channel open(boolean autoRead) {
        Channel channel =
                new Channel(loop, ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, autoRead));
        channel.life().attach(socket);
        channel.life()
                .activate(
                        ch ->
                                ch.pipeline()
                                        .addLast(
                                                new ChannelHandler() {
                                                    @Override
                                                    public void channelRead(
                                                            ChannelHandlerContext ctx, Object in) {
                                                        ((Datagram) in).close();
                                                    }

                                                    @Override
                                                    public void exceptionCaught(
                                                            ChannelHandlerContext ctx,
                                                            Throwable cause) {}
                                                }));
        return channel;
    }

    private void runOutOfMemory(DatagramSide side) {
        socket.receiving = false;
        side.failed(new IOException("receive: no memory", new OutOfMemoryError("on purpose")));
        ((ManualExecutor) loop.executor()).advance(Duration.ofMillis(100));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readThatFoundNoMemoryIsServedLater(boolean autoRead) {
        Channel channel = open(autoRead);
        channel.read();
        runOutOfMemory(new DatagramSide(channel));
        assertThat(socket.receiving).isTrue();
        channel.abort();
        new DatagramSide(channel).closed();
    }

    @Test
    void answeredReadIsNotServedAgain() {
        Channel channel = open(false);
        DatagramSide side = new DatagramSide(channel);
        channel.read();
        Buffer content = BufferAllocator.pooled().allocate(1).writeAscii("x");
        side.received(
                new Datagram(content, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)));
        side.receiveComplete();
        runOutOfMemory(side);
        assertThat(socket.receiving).isFalse();
        channel.abort();
        side.closed();
    }
}
