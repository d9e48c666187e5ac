package io.weft.transport.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.loop.BlockingOperationException;
import io.weft.loop.Future;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

class SimulationTest {
    /// Sends back what it gets.
    private static final class Echo implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.writeAndFlush(message);
        }
    }

    /// Writes down what a channel hears.
    private static final class Heard implements ChannelHandler {
        final StringBuilder text = new StringBuilder();
        final List<Throwable> failures = new ArrayList<>();
        boolean ended;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer buffer = (Buffer) message) {
                text.append(buffer.readString(StandardCharsets.UTF_8));
            }
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            ended = true;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            failures.add(cause);
            ctx.channel().abort();
        }
    }

    private static Buffer buffer(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    private static ServerChannel echoServer(Simulation sim, SimHost host) {
        return sim.await(
                new ServerBootstrap(host.group(2))
                        .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                        .bind(host.address(7)));
    }

    @Test
    void waitOfTheThreadThatRunsTheSimulationIsRefused() {
        try (var sim = new Simulation(1, Faults.none())) {
            SimHost server = sim.host("server");
            var group = server.group(2);
            var bound =
                    new ServerBootstrap(group)
                            .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                            .bind(server.address(7));
            assertThatThrownBy(bound::join)
                    .isInstanceOf(BlockingOperationException.class)
                    .hasMessageContaining("use Simulation.await");
            assertThatThrownBy(group::close).isInstanceOf(IllegalStateException.class);
            assertThat(sim.await(bound).localAddress()).isEqualTo(server.address(7));
            assertThat(bound.join()).isSameAs(sim.await(bound));
        }
    }

    @Test
    void echoes() {
        try (var sim = new Simulation(1, Faults.none())) {
            SimHost server = sim.host("server");
            ServerChannel listener = echoServer(sim, server);
            Heard heard = new Heard();
            Channel channel =
                    sim.await(
                            new Bootstrap(sim.host("client").group(1))
                                    .handler(ch -> ch.pipeline().addLast(heard))
                                    .connect(listener.localAddress()));
            channel.writeAndFlush(buffer("hello"));
            assertThat(sim.runUntil(() -> heard.text.length() == 5, Duration.ofSeconds(1)))
                    .isTrue();
            assertThat(heard.text).hasToString("hello");
            channel.close();
            sim.run(Duration.ofSeconds(5));
            assertThat(heard.ended).isTrue();
            assertThat(server.descriptors()).isEqualTo(1); // the listener's
        }
    }

    @Test
    void nobodyListens() {
        try (var sim = new Simulation(1, Faults.none())) {
            SimHost server = sim.host("server");
            Bootstrap client = new Bootstrap(sim.host("client").group(1)).handler(_ -> {});
            assertThatThrownBy(() -> sim.await(client.connect(server.address(7))))
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(ConnectException.class)
                    .hasMessageContaining("Connection refused");
        }
    }

    /// The server's answer to the SYN finds no socket, and is answered by a reset (RFC 9293,
    /// 3.10.7): nothing is ever accepted.
    @Test
    void connectThatIsCancelledBeforeItsSynArrivesLeavesNothing() {
        Duration latency = Duration.ofMillis(1);
        try (var sim = new Simulation(1, Faults.none().latency(latency, latency.plusNanos(1)))) {
            SimHost server = sim.host("server");
            SimHost client = sim.host("client");
            List<Channel> accepted = new ArrayList<>();
            ServerChannel listener =
                    sim.await(
                            new ServerBootstrap(server.group(1))
                                    .childHandler(accepted::add)
                                    .bind(server.address(7)));
            Future<Channel> connect =
                    new Bootstrap(client.group(1))
                            .handler(_ -> {})
                            .connect(listener.localAddress());
            sim.run(latency.dividedBy(2));
            assertThat(client.descriptors()).as("sockets that connect").isOne();
            connect.cancel();
            sim.run(Duration.ofHours(1));
            assertThat(accepted).isEmpty();
            assertThat(client.descriptors()).isZero();
            assertThat(server.descriptors()).as("the listener's").isOne();
        }
    }

    @Test
    void connectThatIsCancelledBehindItsSynIsResetAtTheServer() {
        Duration latency = Duration.ofMillis(1);
        try (var sim = new Simulation(1, Faults.none().latency(latency, latency.plusNanos(1)))) {
            SimHost server = sim.host("server");
            SimHost client = sim.host("client");
            Heard heard = new Heard();
            ServerChannel listener =
                    sim.await(
                            new ServerBootstrap(server.group(1))
                                    .childHandler(ch -> ch.pipeline().addLast(heard))
                                    .bind(server.address(7)));
            Future<Channel> connect =
                    new Bootstrap(client.group(1))
                            .handler(_ -> {})
                            .connect(listener.localAddress());
            sim.run(latency.multipliedBy(3).dividedBy(2));
            connect.cancel();
            sim.run(Duration.ofHours(1));
            assertThat(heard.failures).hasSize(1);
            assertThat(heard.ended).isTrue();
            assertThat(server.descriptors()).as("the listener's").isOne();
        }
    }

    @Test
    void aConnectionIsResetAtExactlyTheByteOfTheScript() {
        try (var sim = new Simulation(1, Faults.none())) {
            sim.network().onConnection(c -> c.resetAfter(SimConnection.End.SERVER, 3));
            SimHost server = sim.host("server");
            ServerChannel listener = echoServer(sim, server);
            Heard heard = new Heard();
            Channel channel =
                    sim.await(
                            new Bootstrap(sim.host("client").group(1))
                                    .handler(ch -> ch.pipeline().addLast(heard))
                                    .connect(listener.localAddress()));
            channel.writeAndFlush(buffer("hello"));
            sim.run(Duration.ofSeconds(1));
            assertThat(heard.text).hasToString("hel");
            assertThat(heard.failures).hasSize(1).first().isInstanceOf(IOException.class);
            assertThat(heard.ended).isTrue();
        }
    }

    /// A run of everything that can go wrong; what it heard is not the question.
    private static String run(long seed) {
        var sim = new Simulation(seed, Faults.rough());
        try (sim) {
            SimHost server = sim.host("server");
            SimHost client = sim.host("client");
            sim.faults(Faults.none());
            ServerChannel listener = echoServer(sim, server);
            sim.faults(Faults.rough());
            Bootstrap bootstrap =
                    new Bootstrap(client.group(2))
                            .handler(ch -> ch.pipeline().addLast(new Heard()));
            for (int i = 0; i < 100; i++) {
                bootstrap
                        .connect(listener.localAddress())
                        .addListener(
                                outcome -> {
                                    Channel channel = outcome.now();
                                    if (channel != null) {
                                        for (int j = 0; j < 10; j++) {
                                            channel.writeAndFlush(buffer("message " + j));
                                        }
                                        channel.eventLoop()
                                                .schedule(
                                                        channel::close,
                                                        5,
                                                        java.util.concurrent.TimeUnit.SECONDS);
                                    }
                                });
                sim.run(Duration.ofSeconds(10));
            }
            sim.run(Duration.ofHours(1));
        }
        return sim.toString();
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        long seed = Long.getLong("io.weft.test.seed", 1);
        String first = run(seed);
        assertThat(run(seed)).isEqualTo(first);
        assertThat(run(seed + 1)).isNotEqualTo(first);
    }
}
