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
import io.weft.transport.sim.Fault;
import io.weft.transport.sim.Faults;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.SplittableRandom;
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
}
