package io.weft.simulation;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import io.weft.transport.udt.UdtOption;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/// A user of a server for as long as a simulation runs: connects, asks some questions, ends the
/// connection in one way or another, thinks, connects again.
final class Client {
    final Simulation simulation;
    final SplittableRandom random;
    final Tally tally;
    final Dialect dialect;
    final String name;
    private final EventLoop loop;
    private final Bootstrap bootstrap;
    private final SocketAddress server;
    private final long thinkingNanos;
    private long questions;
    private boolean stopped;

    /// Connections that have begun and not ended, and connects without an outcome.
    int open;

    /// Promises of writes without an outcome.
    int unsent;

    /// Answers since the count was last set to 0.
    long answers;

    Client(
            SimHost host,
            Simulation simulation,
            SocketAddress server,
            Dialect dialect,
            Duration thinking,
            Tally tally) {
        this.simulation = simulation;
        this.random = simulation.random();
        this.tally = tally;
        this.dialect = dialect;
        this.server = server;
        this.name = dialect + " client on " + host;
        thinkingNanos = thinking.toNanos();
        EventLoopGroup group = host.group(1);
        loop = group.next();
        bootstrap =
                new Bootstrap(group)
                        .option(ChannelOption.CONNECT_TIMEOUT, Duration.ofSeconds(10))
                        .option(ChannelOption.ALLOW_HALF_CLOSURE, random.nextBoolean())
                        .option(UdtOption.RANDOM, random.split())
                        .handler(
                                ch -> {
                                    dialect.addTo(ch.pipeline());
                                    ch.pipeline().addLast(new Visit(this));
                                });
    }

    void start() {
        loop.execute(this::think);
    }

    /// After this it connects no more.
    void stop() {
        loop.execute(() -> stopped = true);
    }

    long nextKey() {
        return ((long) name.hashCode() << 32) + questions++ * 1_000_003L;
    }

    void think() {
        double length = -StrictMath.log(1 - random.nextDouble());
        schedule((long) (length * thinkingNanos), this::connect);
    }

    /// A timer that is checked: it must not run before its time.
    io.weft.loop.Timeout schedule(long nanos, Runnable action) {
        long due = simulation.elapsed().toNanos() + nanos;
        return loop.schedule(
                () -> {
                    tally.timers++;
                    if (simulation.elapsed().toNanos() < due) {
                        tally.broken(name + ": a timer ran early");
                    }
                    action.run();
                },
                nanos,
                TimeUnit.NANOSECONDS);
    }

    private void connect() {
        if (stopped) {
            return;
        }
        tally.connects++;
        open++;
        bootstrap
                .connect(server)
                .addListener(
                        outcome -> {
                            Channel channel = outcome.now();
                            if (channel == null) {
                                tally.refused++;
                                open--;
                                think();
                            }
                        });
    }
}
