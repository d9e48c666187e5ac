package io.weft.conformance.matrix;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.codec.PrematureEndException;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Future;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/// One connection between two [MatrixEnd]s, with some [MatrixLayer]s in between, all of which
/// follows from a seed, but for what the threads and the kernel do.
final class MatrixCase {
    private enum Ending {
        /// Both shut their output down.
        SHUT,
        /// One closes when all has arrived.
        QUIET,
        /// One closes when it has flushed all.
        CLOSE,
        /// One closes in the midst.
        EARLY,
        /// One aborts in the midst.
        ABORT
    }

    private final long seed;
    private final Rig rig;
    private final Random random;
    private final List<MatrixLayer> both = new ArrayList<>();
    private final List<MatrixLayer> atClient = new ArrayList<>();
    private final List<MatrixLayer> atServer = new ArrayList<>();
    private final Ending ending;
    private final boolean clientEnds;
    private final MatrixEnd client;
    private final MatrixEnd server;
    private final CompletableFuture<Void> failed = new CompletableFuture<>();
    private volatile boolean begun;

    MatrixCase(Rig rig, long seed) {
        this.rig = rig;
        this.seed = seed;
        this.random = new Random(seed);
        choose();
        Ending[] endings = Ending.values();
        Ending wanted = endings[random.nextInt(endings.length)];
        boolean passed = both.stream().anyMatch(MatrixLayer::isPassedByAShutdown);
        ending = wanted == Ending.SHUT && passed ? Ending.QUIET : wanted;
        clientEnds = random.nextBoolean();
        client = new MatrixEnd(this, "client", random.nextLong(), takesChunks(atClient));
        server = new MatrixEnd(this, "server", random.nextLong(), takesChunks(atServer));
        client.other = server;
        server.other = client;
    }

    private void choose() {
        MatrixLayer[] all = MatrixLayer.values();
        int compressions = 0;
        for (int i = 1 + random.nextInt(6); i > 0; i--) {
            MatrixLayer layer = all[random.nextInt(all.length)];
            if (layer == MatrixLayer.TLS && both.contains(layer)) {
                continue;
            }
            if (layer.compresses() && ++compressions > 2) {
                continue;
            }
            both.add(layer);
            int where = layer.paired ? 0 : random.nextInt(3);
            if (where != 1) {
                atClient.add(layer);
            }
            if (where != 2) {
                atServer.add(layer);
            }
        }
    }

    /// Tells if a content goes through to a handler that takes it.
    private static boolean takesChunks(List<MatrixLayer> layers) {
        for (MatrixLayer layer : layers.reversed()) {
            if (layer == MatrixLayer.CHUNKED) {
                return true;
            }
            if (layer.paired) {
                return false;
            }
        }
        return false;
    }

    void fail(String what) {
        failed.completeExceptionally(new AssertionError(what));
    }

    /// A connection that somebody ends breaks for the other, where that still speaks.
    boolean mayHappen(Throwable cause) {
        return begun
                && (cause instanceof IOException
                        || (cause instanceof PrematureEndException
                                && both.stream().anyMatch(MatrixLayer::compresses)));
    }

    /// Tells if there is a layer that flushes by itself.
    boolean mayFlush() {
        return both.stream().anyMatch(MatrixLayer::flushes);
    }

    // ---- how it ends ----

    private boolean ends(MatrixEnd end) {
        return (end == client) == clientEnds;
    }

    void maybeEnd(MatrixEnd end) {
        if (ends(end) && ending == Ending.EARLY) {
            begun = true;
            end.close();
        } else if (ends(end) && ending == Ending.ABORT) {
            begun = true;
            end.abort();
        }
    }

    /// `end` has said all and flushed it.
    void finish(MatrixEnd end) {
        MatrixEnd other = end == client ? server : client;
        if (ending == Ending.SHUT) {
            begun = true;
            end.shutdownOutput();
        } else if (end.hasHeardTheEnd()) {
            end.close(); // where half-closure is allowed
        } else if (ends(end)) {
            boolean quiet =
                    other.done && end.flushed == other.arrived && other.flushed == end.arrived;
            if (ending == Ending.CLOSE || (ending == Ending.QUIET && quiet)) {
                begun = true;
                end.close();
            } else {
                maybeEnd(end);
            }
        }
    }

    // ---- the run ----

    private ChannelInitializer handlers(MatrixEnd end, List<MatrixLayer> layers, long dice) {
        return channel -> {
            Random its = new Random(dice);
            layers.forEach(layer -> layer.add(channel.pipeline(), end == client, its));
            channel.pipeline().addLast("end", end);
        };
    }

    private WriteBufferWaterMark marks() {
        int high = new int[] {0, 1, 1000, 16 << 10, 64 << 10, 1 << 20}[random.nextInt(6)];
        return new WriteBufferWaterMark(random.nextInt(high + 1), high, 1 << 30);
    }

    @Override
    public String toString() {
        return "seed "
                + seed
                + ", "
                + rig.transport()
                + ", "
                + ending
                + (clientEnds ? " by the client " : " by the server ")
                + atClient
                + " "
                + atServer;
    }

    void run() throws Exception {
        boolean half = ending == Ending.SHUT || random.nextBoolean();
        ServerBootstrap listening =
                rig.server(handlers(server, atServer, random.nextLong()))
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, half)
                        .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, marks())
                        .childOption(ChannelOption.AUTO_READ, random.nextInt(4) > 0);
        Bootstrap connecting =
                new Bootstrap(rig.group)
                        .handler(rig.checked(handlers(client, atClient, random.nextLong())))
                        .option(ChannelOption.ALLOW_HALF_CLOSURE, half)
                        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, marks())
                        .option(ChannelOption.AUTO_READ, random.nextInt(4) > 0);
        ServerChannel listener = rig.listener(listening);
        try {
            Future<Channel> connected = connecting.connect(listener.localAddress());
            CompletableFuture<Channel> connect =
                    connected.toCompletionStage().toCompletableFuture();
            within(connect.handle((_, t) -> t == null));
            if (!client.active.isDone()) {
                return; // it was aborted before anybody heard that it stands
            }
            Channel one = within(client.active);
            within(closed(one));
            Channel other = within(server.active);
            within(closed(other));
            Rig.onLoop(one, () -> client.check(isWhole(client)));
            Rig.onLoop(other, () -> server.check(isWhole(server)));
            rig.grammar().forEach(this::fail);
            if (failed.isDone()) {
                failed.join();
            }
        } catch (Throwable t) {
            throw new AssertionError(this + "\n" + client.story() + "\n" + server.story(), t);
        } finally {
            listener.close().join();
        }
    }

    private static CompletableFuture<Void> closed(Channel channel) {
        return channel.closeFuture().toCompletionStage().toCompletableFuture();
    }

    /// Tells if all that `end` flushed had to arrive.
    private boolean isWhole(MatrixEnd end) {
        return switch (ending) {
            case SHUT, QUIET -> true;
            case CLOSE, EARLY -> ends(end);
            case ABORT -> false;
        };
    }

    private <T> T within(CompletableFuture<T> future) throws Exception {
        return Rig.awaitProgress(future, failed, () -> client.arrived + server.arrived);
    }
}
