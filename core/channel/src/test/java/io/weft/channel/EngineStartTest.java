package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.EngineProvider;
import io.weft.engine.EngineUnavailableException;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.junit.jupiter.api.Test;

/// An engine may work when it is probed and fail when its loop starts it: limits are reached in
/// between.
class EngineStartTest {
    private static class NoStart implements Engine, EngineProvider {
        @Override
        public void start() {
            throw new IllegalStateException("no memory for rings");
        }

        @Override
        public void poll(long timeoutNanos) {
            throw new AssertionError("polled without having started");
        }

        @Override
        public void wakeup() {
            throw new AssertionError("woken without having started");
        }

        @Override
        public void close() {}

        @Override
        public ListenHandle listen(SocketAddress a, ChannelOptions o, ListenEvents e) {
            throw new AssertionError("used without having started");
        }

        @Override
        public StreamHandle connect(SocketAddress a, ChannelOptions o, StreamEvents e) {
            throw new AssertionError("used without having started");
        }

        @Override
        public StreamHandle adopt(Accepted accepted, StreamEvents events) {
            throw new AssertionError("used without having started");
        }

        @Override
        public String name() {
            return "no-start";
        }

        @Override
        public int priority() {
            return 0;
        }

        @Override
        public String probe() {
            return "works";
        }

        @Override
        public Engine create() throws EngineUnavailableException {
            return this;
        }
    }

    @Test
    void channelsOfALoopWhoseEngineDidNotStartSaySo() throws EngineUnavailableException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        EventLoopGroup group = new EventLoopGroup(new NoStart(), 1);
        Future<Channel> connect = new Bootstrap(group).handler(ch -> {}).connect(address);
        assertThatThrownBy(connect::join).hasRootCauseMessage("no memory for rings");
        Future<ServerChannel> bind =
                new ServerBootstrap(group).childHandler(ch -> {}).bind(address);
        assertThatThrownBy(bind::join).hasRootCauseMessage("no memory for rings");
        assertThat(group.next().submit(() -> "tasks run").join()).isEqualTo("tasks run");
        group.close();
    }
}
