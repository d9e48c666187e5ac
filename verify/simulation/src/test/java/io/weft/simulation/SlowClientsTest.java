package io.weft.simulation;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.http.model.Body;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.transport.sim.Faults;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Many clients that are slow on purpose, and one that is not, in virtual time.
class SlowClientsTest {
    private static final long SEED = Long.getLong("io.weft.test.seed", 1);
    private static final int CLIENTS = 500;
    private static final Duration LATENCY = Duration.ofMillis(1);
    private static final String POST = "POST / HTTP/1.1\r\nHost: a\r\n";

    /// A way to hold a connection: what is sent at once, and what each second.
    enum Attack {
        SILENCE("", "", 10),
        SLOW_REQUEST_LINE("G", "E", 10),
        SLOW_FIELDS("GET / HTTP/1.1\r\nHost: a\r\n", "a: b\r\n", 10),
        SLOW_FIELD("GET / HTTP/1.1\r\nHost: a\r\na: ", "b", 10),
        SLOW_BODY(POST + "Content-Length: 100000\r\n\r\n", "x", 10),
        SLOW_CHUNKS(POST + "Transfer-Encoding: chunked\r\n\r\n", "1\r\nx\r\n", 10),
        SLOW_EXTENSION(POST + "Transfer-Encoding: chunked\r\n\r\n1;a", "a", 10),
        SLOW_TRAILERS(POST + "Transfer-Encoding: chunked\r\n\r\n0\r\n", "a: b\r\n", 10),
        IDLE("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "", 60);

        final String first;
        final String each;
        final int seconds;

        Attack(String first, String each, int seconds) {
            this.first = first;
            this.each = each;
            this.seconds = seconds;
        }
    }

    private final Simulation simulation =
            new Simulation(SEED, Faults.none().latency(LATENCY, LATENCY));
    private final SimHost host = simulation.host("server");
    private final List<Duration> ends = new ArrayList<>();
    private final List<Duration> waits = new ArrayList<>();

    private SocketAddress serve(Body body) {
        ServerChannel server =
                simulation.await(
                        new ServerBootstrap(host.group(1))
                                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                                .childHandler(
                                        HttpServer.builder()
                                                .handler(_ -> Response.text("hello").withBody(body))
                                                .initializer())
                                .bind(host.address(80)));
        return server.localAddress();
    }

    private static Buffer bytes(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    /// Notes when the server ended the connection; ends it then as well.
    private final class Victim implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ((Buffer) message).release();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            ends.add(simulation.elapsed());
        }
    }

    private void attack(SocketAddress server, Attack attack) {
        Bootstrap bootstrap =
                new Bootstrap(simulation.host("attackers").group(1))
                        .handler(ch -> ch.pipeline().addLast(new Victim()));
        for (int i = 0; i < CLIENTS; i++) {
            Channel channel = simulation.await(bootstrap.connect(server));
            if (!attack.first.isEmpty()) {
                channel.writeAndFlush(bytes(attack.first));
            }
            if (!attack.each.isEmpty()) {
                each(channel, attack.each);
            }
        }
    }

    private void each(Channel channel, String text) {
        var _ =
                channel.eventLoop()
                        .schedule(
                                () -> {
                                    if (channel.isActive()) {
                                        channel.writeAndFlush(bytes(text));
                                        each(channel, text);
                                    }
                                },
                                1,
                                TimeUnit.SECONDS);
    }

    /// Asks ten times a second, and notes how long each answer took.
    private final class Good implements ChannelHandler {
        private Duration asked = Duration.ZERO;
        private int missing;

        void ask(Channel channel) {
            asked = simulation.elapsed();
            channel.writeAndFlush(bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n"));
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            ask(context.channel());
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            try (Buffer in = (Buffer) message) {
                if (!in.readString(US_ASCII).endsWith("hello")) {
                    missing++;
                    return;
                }
            }
            waits.add(simulation.elapsed().minus(asked));
            Channel channel = context.channel();
            var _ = channel.eventLoop().schedule(() -> ask(channel), 100, TimeUnit.MILLISECONDS);
        }

        int missing() {
            return missing;
        }
    }

    @ParameterizedTest
    @EnumSource
    void slowClientsAreCutOffAndOthersAreServed(Attack attack) {
        try (simulation) {
            SocketAddress server = serve(Body.of("hello"));
            Good good = new Good();
            simulation.await(
                    new Bootstrap(simulation.host("good").group(1))
                            .handler(ch -> ch.pipeline().addLast(good))
                            .connect(server));
            Duration begun = simulation.elapsed();
            attack(server, attack);
            simulation.run(Duration.ofSeconds(attack.seconds * 2L + 5));
            assertThat(ends).hasSize(CLIENTS);
            Duration least = begun.plusSeconds(attack.seconds - 1);
            // Deadlines are met within half a second; connecting them all took more than one.
            assertThat(ends)
                    .allMatch(end -> end.compareTo(least) > 0)
                    .allMatch(end -> end.compareTo(least.plusSeconds(4)) < 0);
            assertThat(waits).hasSizeGreaterThan(attack.seconds * 15);
            assertThat(waits).allMatch(wait -> wait.compareTo(LATENCY.multipliedBy(4)) < 0);
            assertThat(good.missing()).isZero();
        }
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Clients that read nothing of a large answer are aborted when they have stalled for 30 s.
    @Test
    void clientsThatDoNotReadAreCutOff() {
        try (simulation) {
            SocketAddress server = serve(Body.of("x".repeat(1 << 20)));
            Bootstrap bootstrap =
                    new Bootstrap(simulation.host("attackers").group(1))
                            .option(ChannelOption.AUTO_READ, false)
                            .handler(ch -> ch.pipeline().addLast(new Victim()));
            for (int i = 0; i < 50; i++) {
                Channel channel = simulation.await(bootstrap.connect(server));
                channel.writeAndFlush(bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n".repeat(20)));
            }
            int descriptors = host.descriptors();
            simulation.run(Duration.ofSeconds(35));
            assertThat(host.descriptors()).isLessThanOrEqualTo(descriptors - 50);
        }
        assertThat(Ledger.takeOpen()).isEmpty();
    }
}
