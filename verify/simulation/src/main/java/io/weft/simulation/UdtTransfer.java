package io.weft.simulation;

import io.weft.buffer.Buffer;
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
import io.weft.transport.udt.UdtAddress;
import io.weft.transport.udt.UdtOption;
import java.time.Duration;
import java.util.SplittableRandom;

/// Moves bytes by UDT over a simulated path, and looks at every one of them:
/// `[--bytes N] [--loss RATE] [--delay MS] [--rate BYTES_A_SECOND] [--seed N]`.
public final class UdtTransfer {
    private static final long KEY = 42;
    private static final int PIECE = 64 << 10;
    private static final Duration PATIENCE = Duration.ofHours(24);

    /// A path.
    ///
    /// @param loss rate of lost datagrams; half as many are late, and a quarter come twice
    /// @param delay in each direction
    /// @param rate bytes a second of the sender's uplink, with a queue of 100 ms; 0: no limit
    record Path(double loss, Duration delay, long rate) {
        Faults faults() {
            return Faults.none()
                    .with(Fault.LOSE_DATAGRAM, loss)
                    .with(Fault.LATE_DATAGRAM, loss / 2)
                    .with(Fault.DUPLICATE_DATAGRAM, loss / 4)
                    .latency(delay, delay);
        }
    }

    /// The outcome of a transfer.
    ///
    /// @param time from the first byte to the last one
    /// @param wrong bytes
    record Result(long bytes, long wrong, Duration time) {
        double megabits() {
            return bytes * 8e3 / time.toNanos();
        }
    }

    private static final class Source implements ChannelHandler {
        private final long count;
        private long sent;

        Source(long count) {
            this.count = count;
        }

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            send(ctx);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            send(ctx);
        }

        private void send(ChannelHandlerContext ctx) {
            while (sent < count && ctx.channel().isWritable()) {
                int length = (int) Math.min(PIECE, count - sent);
                Buffer piece = Payload.of(KEY + sent, length);
                sent += length;
                ctx.writeAndFlush(piece);
            }
        }
    }

    private static final class Sink implements ChannelHandler {
        private long received;
        private long wrong;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                int length = bytes.readableBytes();
                if (!Payload.matches(bytes, KEY + received, 0)) {
                    wrong += length;
                }
                received += length;
            }
        }
    }

    private UdtTransfer() {}

    /// @throws IllegalStateException when not everything arrives within a virtual day
    static Result run(long seed, Path path, long count) {
        try (Simulation simulation = new Simulation(seed, path.faults())) {
            SplittableRandom random = simulation.random();
            SimHost there = simulation.host("receiver");
            SimHost here = simulation.host("sender");
            here.uplink(path.rate, (int) Math.min(path.rate / 10, 1 << 30));
            Sink sink = new Sink();
            ServerChannel server =
                    simulation.await(
                            new ServerBootstrap(there.group(1))
                                    .option(UdtOption.RANDOM, random.split())
                                    .childHandler(ch -> ch.pipeline().addLast(sink))
                                    .bind(UdtAddress.of(there.address(0))));
            long start = simulation.elapsed().toNanos();
            Channel client =
                    simulation.await(
                            new Bootstrap(here.group(1))
                                    .option(UdtOption.RANDOM, random.split())
                                    .handler(ch -> ch.pipeline().addLast(new Source(count)))
                                    .connect(server.localAddress()));
            if (!simulation.runUntil(() -> sink.received >= count, PATIENCE)) {
                throw new IllegalStateException(
                        sink.received
                                + " bytes of "
                                + count
                                + " in "
                                + PATIENCE
                                + ": "
                                + simulation);
            }
            Duration time = Duration.ofNanos(simulation.elapsed().toNanos() - start);
            simulation.await(client.close());
            return new Result(sink.received, sink.wrong + Math.abs(sink.received - count), time);
        }
    }

    public static void main(String[] arguments) {
        long bytes = 1L << 30;
        double loss = 0.01;
        long delay = 10;
        long rate = 125_000_000;
        long seed = 1;
        for (int i = 0; i + 1 < arguments.length; i += 2) {
            String value = arguments[i + 1];
            switch (arguments[i]) {
                case "--bytes" -> bytes = Long.parseLong(value);
                case "--loss" -> loss = Double.parseDouble(value);
                case "--delay" -> delay = Long.parseLong(value);
                case "--rate" -> rate = Long.parseLong(value);
                case "--seed" -> seed = Long.parseLong(value);
                default -> throw new IllegalArgumentException(arguments[i] + ": unknown option");
            }
        }
        Result result = run(seed, new Path(loss, Duration.ofMillis(delay), rate), bytes);
        System.out.printf(
                "loss %.3f, delay %d ms, %d bytes/s: %,d bytes, wrong: %d, %.3f virtual s,"
                        + " %.1f Mbit/s%n",
                loss,
                delay,
                rate,
                result.bytes,
                result.wrong,
                result.time.toNanos() / 1e9,
                result.megabits());
        System.exit(result.wrong == 0 ? 0 : 1);
    }
}
