package io.weft.conformance.matrix;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Future;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicInteger;

/// One connection with two [TrafficEnd]s, all of which follows from a seed, but for what the
/// threads and the kernel do.
final class TrafficCase {
    /// The end of the connection.
    private enum Ending {
        /// Both shut their output down.
        SHUT,
        /// One closes when all has arrived, with some last words.
        CLOSE,
        /// The same with words that were never flushed.
        CLOSE_WITHOUT_FLUSH,
        /// One closes in the midst.
        CLOSE_EARLY,
        /// One aborts in the midst.
        ABORT
    }

    private final long seed;
    private final Rig rig;
    private final Ending ending;
    private final ExecutorService elsewhere;
    private final TrafficEnd client;
    private final TrafficEnd server;
    private final Path file;
    private final Random random;
    private final boolean clientEnds;
    private final CompletableFuture<Void> failed = new CompletableFuture<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean closedEarly;

    TrafficCase(Rig rig, long seed, Path file, ExecutorService elsewhere) {
        this.rig = rig;
        this.seed = seed;
        this.file = file;
        this.elsewhere = elsewhere;
        this.random = new Random(seed);
        Ending[] endings = Ending.values();
        ending = endings[random.nextInt(endings.length)];
        clientEnds = random.nextBoolean();
        TrafficStream up = new TrafficStream();
        TrafficStream down = new TrafficStream();
        client = new TrafficEnd(this, "client", random.nextLong(), up, down);
        server = new TrafficEnd(this, "server", random.nextLong(), down, up);
    }

    void fail(String what) {
        failed.completeExceptionally(new AssertionError(what));
    }

    void elsewhere(Runnable task) {
        underWay.incrementAndGet();
        elsewhere.execute(
                () -> {
                    try {
                        task.run();
                    } catch (RuntimeException e) {
                        fail("elsewhere: " + e);
                    } finally {
                        underWay.decrementAndGet();
                    }
                });
    }

    boolean shuts() {
        return ending == Ending.SHUT;
    }

    boolean mayBreak() {
        return closedEarly;
    }

    // ---- how it ends ----

    private boolean ends(TrafficEnd end) {
        return (end == client) == clientEnds;
    }

    void maybeEnd(TrafficEnd end, Random dice) {
        if (!ends(end)) {
            return;
        }
        if (ending == Ending.CLOSE_EARLY) {
            closedEarly = true;
            end.close(dice.nextBoolean());
        } else if (ending == Ending.ABORT) {
            closedEarly = true;
            end.abort();
        }
    }

    /// `end` has said all and flushed it.
    void finish(TrafficEnd end, Random dice) {
        if (ending == Ending.SHUT) {
            end.shutdownOutput();
            return;
        }
        TrafficEnd other = end == client ? server : client;
        if (end.hasHeardTheEnd() && !end.ending) {
            end.close(false); // where half-closure is allowed
            return;
        }
        if (!ends(end)) {
            return;
        }
        if (ending == Ending.CLOSE_EARLY || ending == Ending.ABORT) {
            maybeEnd(end, dice);
            return;
        }
        boolean quiet =
                other.done
                        && end.out.arrived == end.out.flushed
                        && other.out.arrived == other.out.flushed;
        if (quiet && ending == Ending.CLOSE) {
            end.closeAfterFlush();
        } else if (quiet) {
            end.closeWithoutFlush();
        }
    }

    // ---- the run ----

    private ChannelInitializer handlers(TrafficEnd end, long seed) {
        return channel -> {
            channel.pipeline()
                    .addLast("first", end.new First())
                    .addLast("encoder", new TrafficEncoder(end.out, end, seed, file))
                    .addLast("middle", new TrafficPass())
                    .addLast("end", end);
        };
    }

    private WriteBufferWaterMark marks() {
        int high = new int[] {0, 1, 1000, 16 << 10, 64 << 10, 1 << 20}[random.nextInt(6)];
        return new WriteBufferWaterMark(random.nextInt(high + 1), high, 1 << 30);
    }

    private int bufferSize() {
        return new int[] {0, 0, 2304, 4096, 16 << 10}[random.nextInt(5)];
    }

    @Override
    public String toString() {
        return "seed "
                + seed
                + ", "
                + rig.transport()
                + ", "
                + ending
                + (clientEnds ? " by the client" : " by the server");
    }

    void run() throws Exception {
        boolean half = ending == Ending.SHUT || random.nextBoolean();
        ServerBootstrap listening =
                rig.server(handlers(server, random.nextLong()))
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, half)
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, marks())
                        .childOption(ChannelOption.AUTO_READ, random.nextInt(4) > 0);
        Bootstrap connecting =
                new Bootstrap(rig.group)
                        .handler(handlers(client, random.nextLong()))
                        .option(ChannelOption.ALLOW_HALF_CLOSURE, half)
                        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, marks())
                        .option(ChannelOption.AUTO_READ, random.nextInt(4) > 0);
        int send = bufferSize();
        int receive = bufferSize();
        if (send > 0) {
            listening.childOption(ChannelOption.SO_SNDBUF, send);
            connecting.option(ChannelOption.SO_SNDBUF, send);
        }
        if (receive > 0) {
            listening.childOption(ChannelOption.SO_RCVBUF, receive);
            connecting.option(ChannelOption.SO_RCVBUF, receive);
        }
        ServerChannel listener = rig.listener(listening);
        try {
            Future<Channel> connected = connecting.connect(listener.localAddress());
            Channel other = within(server.active);
            CompletableFuture<Channel> connect =
                    connected.toCompletionStage().toCompletableFuture();
            if (ending == Ending.ABORT && within(connect.handle((_, t) -> t != null))) {
                within(other.closeFuture().toCompletionStage().toCompletableFuture());
                return; // it was aborted before the client heard that it stands
            }
            Channel one = within(connect);
            within(one.closeFuture().toCompletionStage().toCompletableFuture());
            within(other.closeFuture().toCompletionStage().toCompletableFuture());
            Rig.awaitTrue("others have written", () -> underWay.get() == 0);
            Rig.onLoop(one, client::check);
            Rig.onLoop(other, server::check);
            checkWhole();
            if (failed.isDone()) {
                failed.join();
            }
        } catch (Throwable t) {
            throw new AssertionError(this + "\n" + client.story() + "\n" + server.story(), t);
        } finally {
            listener.close().join();
        }
    }

    private <T> T within(CompletableFuture<T> future) throws Exception {
        return Rig.awaitProgress(future, failed, () -> client.out.arrived + server.out.arrived);
    }

    private void checkWhole() {
        if (ending == Ending.CLOSE_EARLY || ending == Ending.ABORT) {
            return;
        }
        for (TrafficEnd end : new TrafficEnd[] {client, server}) {
            if (end.out.arrived != end.out.flushed) {
                end.fail("flushed " + end.out.flushed + ", of which arrived " + end.out.arrived);
            }
        }
    }
}
