package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Datagram;
import io.weft.eventloop.EventLoop;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Datagram channels whose engine has stopped to receive, as it had no memory.
class DatagramDemandTest {
    private final QuietSocket socket = new QuietSocket();
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
