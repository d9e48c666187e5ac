package io.weft.transport.udt;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.loop.Promise;
import io.weft.transport.sim.Fault;
import io.weft.transport.sim.Faults;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class SimulatedStreamTest {
    private static final long SEED = Long.getLong("io.weft.test.seed", 1);

    private static final class Heard implements ChannelHandler {
        final StringBuilder text = new StringBuilder();

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer buffer = (Buffer) message) {
                text.append(buffer.readString(StandardCharsets.US_ASCII));
            }
        }
    }

    private static void echo(Faults faults, int length) {
        try (Simulation sim = new Simulation(SEED, faults)) {
            SimHost there = sim.host("server");
            SplittableRandom random = sim.random();
            ServerChannel server =
                    sim.await(
                            new ServerBootstrap(there.group(2))
                                    .option(UdtOption.RANDOM, random)
                                    .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                                    .bind(UdtAddress.of(there.address(0))));
            Heard heard = new Heard();
            Channel client =
                    sim.await(
                            new Bootstrap(sim.host("client").group(1))
                                    .option(UdtOption.RANDOM, random)
                                    .handler(ch -> ch.pipeline().addLast(heard))
                                    .connect(server.localAddress()));
            StringBuilder sent = new StringBuilder();
            for (int i = 0; sent.length() < length; i++) {
                sent.append(i).append(' ');
            }
            client.writeAndFlush(BufferAllocator.pooled().allocate(sent.length()).writeAscii(sent));
            assertThat(
                            sim.runUntil(
                                    () -> heard.text.length() == sent.length(),
                                    Duration.ofMinutes(10)))
                    .as(sim.toString() + heard.text.length())
                    .isTrue();
            assertThat(heard.text.toString()).isEqualTo(sent.toString());
            sim.await(client.close());
        }
    }

    @Test
    void aStreamComesBackOverACleanNetwork() {
        echo(Faults.none(), 100);
        echo(Faults.none(), 1_000_000);
    }

    @Test
    void aStreamComesBackThroughLossDuplicatesAndReordering() {
        echo(
                Faults.none()
                        .with(Fault.LOSE_DATAGRAM, 0.05)
                        .with(Fault.DUPLICATE_DATAGRAM, 0.05)
                        .with(Fault.LATE_DATAGRAM, 0.05),
                1_000_000);
    }

    /// A peer that has said its last takes nothing more. What it said is not lost to a send.
    @Test
    void sendToAPeerThatHasLeftFailsBehindWhatItSaid() {
        try (Simulation sim = new Simulation(SEED, Faults.none())) {
            SimHost there = sim.host("server");
            SplittableRandom random = sim.random();
            Heard heard = new Heard();
            AtomicReference<Channel> accepted = new AtomicReference<>();
            ServerChannel server =
                    sim.await(
                            new ServerBootstrap(there.group(1))
                                    .option(UdtOption.RANDOM, random)
                                    .childHandler(
                                            ch -> {
                                                ch.autoRead(false);
                                                ch.pipeline().addLast(heard);
                                                accepted.set(ch);
                                            })
                                    .bind(UdtAddress.of(there.address(0))));
            Channel client =
                    sim.await(
                            new Bootstrap(sim.host("client").group(1))
                                    .option(UdtOption.RANDOM, random)
                                    .handler(_ -> {})
                                    .connect(server.localAddress()));
            String last = "the last word ".repeat(1000);
            client.writeAndFlush(BufferAllocator.pooled().allocate(last.length()).writeAscii(last));
            sim.await(client.close());
            assertThat(sim.runUntil(() -> accepted.get() != null, Duration.ofMinutes(1))).isTrue();
            Channel late = accepted.get();
            boolean _ = sim.runUntil(() -> false, Duration.ofSeconds(30));
            assertThat(heard.text).isEmpty();
            Promise<Void> sent = late.newPromise();
            late.eventLoop()
                    .execute(
                            () -> {
                                late.autoRead(true);
                                late.writeAndFlush(
                                        BufferAllocator.pooled().allocate(1).writeAscii("x"), sent);
                            });
            assertThat(sim.runUntil(() -> !late.isOpen(), Duration.ofMinutes(1))).isTrue();
            assertThat(heard.text.toString()).isEqualTo(last);
            assertThat(sent.cause()).isInstanceOf(IOException.class);
        }
    }

    @Test
    void messageWhoseTimeToLiveIsLongerThanClocksCountArrives() {
        try (Simulation sim = new Simulation(SEED, Faults.none())) {
            SimHost there = sim.host("server");
            SplittableRandom random = sim.random();
            Heard heard = new Heard();
            ServerChannel server =
                    sim.await(
                            new ServerBootstrap(there.group(1))
                                    .option(UdtOption.RANDOM, random)
                                    .childHandler(ch -> ch.pipeline().addLast(heard))
                                    .bind(UdtAddress.messages(there.address(0))));
            Channel client =
                    sim.await(
                            new Bootstrap(sim.host("client").group(1))
                                    .option(UdtOption.RANDOM, random)
                                    .option(
                                            UdtOption.MESSAGE_TTL,
                                            Duration.ofSeconds(Long.MAX_VALUE))
                                    .handler(_ -> {})
                                    .connect(server.localAddress()));
            client.writeAndFlush(BufferAllocator.pooled().allocate(5).writeAscii("hello"));
            assertThat(sim.runUntil(() -> heard.text.length() == 5, Duration.ofMinutes(1)))
                    .isTrue();
            sim.await(client.close());
        }
    }
}
