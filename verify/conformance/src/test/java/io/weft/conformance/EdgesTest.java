package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelGroup;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerChannel;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Probe;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.FileRegion;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Rare uses of the API that some program will make.
@EveryTransport
class EdgesTest {
    private final Rig rig;
    @TempDir Path directory;

    EdgesTest(String transport) throws IOException {
        rig = new Rig(transport, 2);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private static final class Passing implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.fireChannelRead(message);
        }
    }

    @Test
    void aPipelineMayChangeAllTheTimeWhileItReads() throws Exception {
        CompletableFuture<Channel> accepted = new CompletableFuture<>();
        SocketAddress address =
                rig.listen(
                        ch -> {
                            ch.pipeline().addLast("passing", new Passing());
                            ch.pipeline().addLast("echo", new Echo());
                            accepted.complete(ch);
                        });
        Socket peer = rig.connect(address);
        Channel channel = Rig.await(accepted);
        AtomicBoolean over = new AtomicBoolean();
        List<Future<Void>> changes = new CopyOnWriteArrayList<>();
        List<Thread> changing =
                IntStream.range(0, 2)
                        .mapToObj(
                                i ->
                                        Thread.ofPlatform()
                                                .start(() -> change(channel, i, over, changes)))
                        .toList();
        byte[] bytes = new byte[1_000];
        Random random = new Random(5);
        for (int i = 0; i < 200; i++) {
            random.nextBytes(bytes);
            peer.getOutputStream().write(bytes);
            assertThat(peer.getInputStream().readNBytes(bytes.length)).isEqualTo(bytes);
        }
        over.set(true);
        for (Thread thread : changing) {
            thread.join();
        }
        for (Future<Void> change : changes) {
            change.join();
        }
        assertThat(changes).isNotEmpty();
        assertThat(channel.isActive()).isTrue();
    }

    private static void change(
            Channel channel, int thread, AtomicBoolean over, List<Future<Void>> changes) {
        String name = "of thread " + thread;
        for (int i = 0; i < 1_000 && !over.get(); i++) {
            Future<Void> change =
                    channel.pipeline()
                            .change(
                                    p -> {
                                        p.addFirst(name, new Passing());
                                        p.replace("passing", "passing", new Passing());
                                        p.replace(name, name + " again", new Passing());
                                        p.remove(name + " again");
                                    });
            change.join();
            changes.add(change);
        }
    }

    @Test
    void afterTheEndNothingIsWrittenAndNothingIsKept() throws IOException {
        CompletableFuture<Promise<Void>> written = new CompletableFuture<>();
        SocketAddress address =
                rig.listen(
                        ch ->
                                ch.pipeline()
                                        .addLast(
                                                new ChannelHandler() {
                                                    @Override
                                                    public void channelInactive(
                                                            ChannelHandlerContext ctx) {
                                                        Promise<Void> promise =
                                                                ctx.channel().newPromise();
                                                        ctx.write(Rig.buffer("late"), promise);
                                                        ctx.flush();
                                                        ctx.read();
                                                        ctx.close();
                                                        written.complete(promise);
                                                    }
                                                }));
        Rig.reset(rig.connect(address));
        assertThatThrownBy(Rig.await(written)::join)
                .hasCauseInstanceOf(ClosedChannelException.class);
    }

    @Test
    void emptyBuffersKeepTheirPlaceAndTheirPromises() throws IOException {
        Probe probe = new Probe();
        Socket peer = rig.connect(rig.listen(ch -> ch.pipeline().addLast(probe)));
        Channel channel = Rig.await(probe.active);
        List<Integer> order = new CopyOnWriteArrayList<>();
        Rig.onLoop(
                channel,
                () -> {
                    for (int i = 0; i < 300; i++) {
                        int number = i;
                        Promise<Void> promise = channel.newPromise();
                        promise.addListener(_ -> order.add(number));
                        channel.write(Rig.buffer(i % 100 == 99 ? "x" : ""), promise);
                    }
                    channel.flush();
                });
        assertThat(Rig.receive(peer, 3)).isEqualTo("xxx");
        Rig.awaitTrue("all are sent", () -> order.size() == 300);
        assertThat(order).isSorted();
        Promise<Void> alone = channel.newPromise();
        channel.writeAndFlush(Rig.buffer(""), alone);
        alone.join();
        assertThat(channel.isActive()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aClosedChannelSaysSoToWhoeverAsks(boolean reset) throws IOException {
        Channel channel = rig.connectWeft(rig.listen(ch -> {}), ch -> {});
        (reset ? channel.abort() : channel.close()).join();
        channel.eventLoop()
                .submit(
                        () -> {
                            assertThatThrownBy(
                                            () ->
                                                    channel.setOption(
                                                            ChannelOption.TCP_NODELAY, true))
                                    .isInstanceOf(ClosedChannelException.class);
                            assertThatThrownBy(() -> channel.getOption(ChannelOption.SO_KEEPALIVE))
                                    .isInstanceOf(ClosedChannelException.class);
                            assertThatThrownBy(channel::multicast)
                                    .isInstanceOf(ClosedChannelException.class);
                            assertThat(channel.localAddress()).isNull();
                            assertThat(channel.remoteAddress()).isNull();
                            assertThat(channel.descriptor()).isEqualTo(-1);
                            channel.setOption(ChannelOption.AUTO_READ, false);
                            channel.autoRead(true);
                            channel.shutdownOutput();
                            channel.read();
                            return null;
                        })
                .join();
        channel.close().join();
        channel.abort().join();
    }

    @Test
    void whatAKindOfChannelDoesNotHaveIsSaidByType() throws IOException {
        ServerChannel server = rig.listener(rig.server(ch -> {}));
        Channel channel = rig.connectWeft(server.localAddress(), ch -> {});
        List<ChannelOption<?>> options =
                List.of(
                        ChannelOption.UDP_SEGMENT,
                        ChannelOption.SO_PEERCRED,
                        ChannelOption.IP_MULTICAST_TTL);
        channel.eventLoop()
                .submit(
                        () -> {
                            for (ChannelOption<?> option : options) {
                                assertThatThrownBy(() -> channel.getOption(option))
                                        .as("%s", option)
                                        .isInstanceOf(UnsupportedOperationException.class);
                            }
                            assertThatThrownBy(channel::multicast)
                                    .isInstanceOf(UnsupportedOperationException.class);
                            return null;
                        })
                .join();
        server.eventLoop()
                .submit(
                        () -> {
                            assertThatThrownBy(() -> server.getOption(ChannelOption.AUTO_READ))
                                    .isInstanceOf(UnsupportedOperationException.class);
                            return null;
                        })
                .join();
        server.close().join();
        server.eventLoop()
                .submit(
                        () -> {
                            assertThatThrownBy(() -> server.getOption(ChannelOption.SO_RCVBUF))
                                    .isInstanceOf(ClosedChannelException.class);
                            return null;
                        })
                .join();
    }

    /// The peer has ended, and hears the whole answer nevertheless; what it said is read when the
    /// channel asks for it.
    @Test
    void aHalfClosedConnectionSendsWhatWaitsWhileNothingIsRead() throws IOException {
        Probe probe = new Probe();
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(probe))
                                .childOption(ChannelOption.AUTO_READ, false)
                                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true));
        Socket peer = rig.connect(address, 4_096);
        Channel channel = Rig.await(probe.active);
        byte[] answer = new byte[900_000];
        new Random(6).nextBytes(answer);
        Rig.send(peer, "question");
        peer.shutdownOutput();
        channel.writeAndFlush(Rig.buffer(answer));
        assertThat(probe.texts).isEmpty();
        assertThat(probe.inputCloses).hasValue(0);
        assertThat(peer.getInputStream().readNBytes(answer.length)).isEqualTo(answer);
        int[] asks = new int[1];
        Rig.awaitTrue(
                "the question and its end",
                () -> {
                    if (asks[0] == probe.batches.get()) { // however many parts it comes in
                        asks[0]++;
                        channel.read();
                    }
                    return probe.inputClosed.isDone();
                });
        assertThat(probe.text()).isEqualTo("question");
        Rig.onLoop(channel, channel::shutdownOutput);
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
        Rig.await(probe.ended);
        assertThat(probe.inputCloses).hasValue(1);
        assertThat(probe.failures).isEmpty();
    }

    @Test
    void aGroupMayLoseChannelsWhileItTalksToThem() throws IOException {
        ChannelGroup group = new ChannelGroup(rig.group.next());
        List<Channel> accepted = new CopyOnWriteArrayList<>();
        SocketAddress address =
                rig.listen(
                        ch -> {
                            group.add(ch);
                            accepted.add(ch);
                        });
        List<Socket> peers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            peers.add(rig.connect(address));
        }
        Rig.awaitTrue("all are there", () -> accepted.size() == 20);
        Function<Channel, Buffer> messages =
                channel -> {
                    accepted.get((accepted.indexOf(channel) + 10) % 20).abort();
                    return Rig.buffer("hello");
                };
        Future<Void> told = group.broadcastEach(messages, _ -> true);
        Rig.awaitTrue("all have an outcome", told::isDone);
        group.close().join();
        assertThat(group.size()).isZero();
        for (Socket peer : peers) {
            peer.close();
        }
    }

    @Test
    void anInterruptBreaksNoTransferOfAFile() throws IOException {
        byte[] bytes = new byte[300_000];
        new Random(7).nextBytes(bytes);
        Path file = Files.write(directory.resolve("file"), bytes);
        Probe probe = new Probe();
        Socket peer = rig.connect(rig.listen(ch -> ch.pipeline().addLast(probe)));
        Channel channel = Rig.await(probe.active);
        FileRegion region = FileRegion.open(file);
        Rig.onLoop(
                channel,
                () -> {
                    Thread.currentThread().interrupt();
                    channel.writeAndFlush(region);
                });
        byte[] received = peer.getInputStream().readNBytes(bytes.length);
        assertThat(Arrays.equals(received, bytes)).isTrue();
        assertThat(probe.failures).isEmpty();
    }

    @Test
    void whoGivesUpWhileItsChannelIsMadeLeavesNone() throws IOException {
        SocketAddress address = rig.listen(ch -> {});
        CompletableFuture<Future<Channel>> asked = new CompletableFuture<>();
        CompletableFuture<Channel> made = new CompletableFuture<>();
        Future<Channel> connecting =
                new Bootstrap(rig.group)
                        .handler(
                                ch -> {
                                    made.complete(ch);
                                    asked.join().cancel();
                                })
                        .connect(address);
        asked.complete(connecting);
        Rig.await(made.thenCompose(ch -> ch.closeFuture().toCompletionStage()));
        assertThatThrownBy(connecting::join).isInstanceOf(CancellationException.class);
    }

    @Test
    void whoGivesUpBeforeItIsBoundLeavesNoListener() {
        CompletableFuture<Void> blocked = new CompletableFuture<>();
        List<SocketAddress> addresses = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            rig.group.loops().get(i).execute(blocked::join);
        }
        Future<ServerChannel> binding = null;
        try {
            SocketAddress address = rig.anyAddress();
            addresses.add(address);
            binding = rig.server(ch -> {}).bind(address);
            assertThat(binding.cancel()).isTrue();
        } finally {
            blocked.complete(null);
        }
        assertThatThrownBy(binding::join).isInstanceOf(CancellationException.class);
        rig.server(ch -> {}).bind(addresses.getFirst()).join().close().join();
    }
}
