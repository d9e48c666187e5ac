package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weft.channel.Channel;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Probe;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The end of channels and groups, orderly or not.
@EveryTransport
class CloseTest {
    private static final int LARGE = 900 << 10;

    private final Rig rig;

    CloseTest(String transport) throws IOException {
        rig = new Rig(transport, 2);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    /// Listens with channels that linger for longer than a test waits.
    private SocketAddress listen(Probe probe, boolean autoRead) throws IOException {
        return rig.listen(
                rig.server(ch -> ch.pipeline().addLast(probe))
                        .childOption(ChannelOption.AUTO_READ, autoRead)
                        .childOption(ChannelOption.LINGER_TIMEOUT, Duration.ofMinutes(5)));
    }

    @Test
    void anOrderlyCloseSendsWhatWasFlushed() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(probe));
        Socket peer = rig.connect(address, 4096);
        Channel channel = Rig.await(probe.active);
        channel.writeAndFlush(Rig.buffer(new byte[LARGE]));
        channel.close();
        assertThat(peer.getInputStream().readAllBytes()).hasSize(LARGE);
        peer.close();
        Rig.await(probe.ended);
        assertThat(probe.inactives).hasValue(1);
    }

    @Test
    void anOrderlyCloseWaitsOnlyForSoLong() throws IOException {
        Probe probe = new Probe();
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(probe))
                                .childOption(ChannelOption.SO_SNDBUF, 4096)
                                .childOption(ChannelOption.CLOSE_TIMEOUT, Duration.ofMillis(50)));
        Socket peer = rig.connect(address, 4096);
        Channel channel = Rig.await(probe.active);
        Promise<Void> sent = channel.newPromise();
        channel.writeAndFlush(Rig.buffer(new byte[LARGE]), sent);
        channel.close();
        Rig.await(probe.ended);
        assertThatThrownBy(sent::join).hasCauseInstanceOf(ClosedChannelException.class);
        assertThat(catchThrowable(() -> peer.getInputStream().readAllBytes()))
                .isInstanceOf(SocketException.class);
    }

    @Test
    void anOrderlyCloseIsNoResetThoughInputWasNotRead() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = listen(probe, /* autoRead= */ false);
        Socket peer = rig.connect(address);
        Channel channel = Rig.await(probe.active);
        peer.getOutputStream().write(new byte[100_000]);
        channel.writeAndFlush(Rig.buffer("answer"));
        channel.close();
        assertThat(Rig.receiveAll(peer)).isEqualTo("answer");
        peer.getOutputStream().write(new byte[100_000]);
        peer.close();
        Rig.await(probe.ended);
        assertThat(probe.texts).isEmpty();
    }

    @Test
    void inputThatComesBehindACloseTakesNothingBack() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = listen(probe, /* autoRead= */ true);
        Socket peer = rig.connect(address);
        Channel channel = Rig.await(probe.active);
        channel.writeAndFlush(Rig.buffer("answer"));
        Rig.onLoop(channel, channel::close);
        for (int i = 0; i < 5; i++) {
            // A system that has closed the connection answers the first, and fails the second.
            peer.getOutputStream().write(new byte[100_000]);
        }
        assertThat(Rig.receiveAll(peer)).isEqualTo("answer");
        peer.close();
        Rig.await(probe.ended);
        assertThat(probe.texts).isEmpty();
    }

    @Test
    void aPeerThatPromisedToSendNothingMoreGetsEverythingAndIsNotWaitedFor() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = listen(probe, /* autoRead= */ true);
        Socket peer = rig.connect(address, 4096);
        Channel channel = Rig.await(probe.active);
        Rig.onLoop(
                channel,
                () -> {
                    String first = channel.pipeline().names().getFirst(); // a checker
                    Objects.requireNonNull(channel.pipeline().context(first)).expectNoInput();
                    channel.writeAndFlush(Rig.buffer(new byte[LARGE]));
                    channel.close();
                });
        assertThat(peer.getInputStream().readAllBytes()).hasSize(LARGE);
        Rig.await(probe.ended);
        peer.close();
    }

    /// As one does that writes its request first: nobody may wait for it to read before that.
    @Test
    void aPeerThatWritesBeforeItReadsGetsEverything() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = listen(probe, /* autoRead= */ false);
        Socket peer = rig.connect(address, 4096);
        Channel channel = Rig.await(probe.active);
        channel.writeAndFlush(Rig.buffer(new byte[LARGE]));
        channel.close();
        peer.getOutputStream().write(new byte[LARGE]);
        assertThat(peer.getInputStream().readAllBytes()).hasSize(LARGE);
        peer.close();
        Rig.await(probe.ended);
    }

    @Test
    void anAbortEndsTheWaitForThePeersEnd() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = listen(probe, /* autoRead= */ true);
        Socket peer = rig.connect(address);
        Channel channel = Rig.await(probe.active);
        channel.writeAndFlush(Rig.buffer("answer"));
        channel.close();
        assertThat(Rig.receiveAll(peer)).isEqualTo("answer");
        assertThat(channel.closeFuture().isDone()).isFalse();
        channel.abort().join();
        assertThat(probe.inactives).hasValue(1);
    }

    @Test
    void aPeerThatDoesNotStopTalkingIsNotHeardForLong() throws IOException {
        Probe probe = new Probe();
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(probe))
                                .childOption(ChannelOption.AUTO_READ, false));
        Socket peer = rig.connect(address);
        Channel channel = Rig.await(probe.active);
        peer.getOutputStream().write(new byte[1_000]);
        Rig.onLoop(channel, channel::close);
        assertThat(
                        catchThrowable(
                                () -> {
                                    while (true) {
                                        peer.getOutputStream().write(new byte[100_000]);
                                    }
                                }))
                .isInstanceOf(SocketException.class);
        Rig.await(probe.ended);
    }

    @Test
    void anAbortResetsTheConnection() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(probe));
        Socket peer = rig.connect(address);
        Rig.await(probe.active).abort().join();
        assertThatThrownBy(() -> peer.getInputStream().read())
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset");
        assertThat(probe.inactives).hasValue(1);
    }

    @Test
    void anAbortDuringASendLeavesNothing() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(probe));
        Socket peer = rig.connect(address, 4096);
        Channel channel = Rig.await(probe.active);
        Promise<Void> sent = channel.newPromise();
        channel.writeAndFlush(Rig.buffer(new byte[16 << 20]), sent);
        channel.abort().join();
        assertThatThrownBy(sent::join).hasCauseInstanceOf(ClosedChannelException.class);
        assertThat(catchThrowable(() -> peer.getInputStream().readAllBytes()))
                .isInstanceOf(SocketException.class);
    }

    @Test
    void anyThreadMayWriteAndClose() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(probe));
        Socket peer = rig.connect(address);
        Channel channel = Rig.await(probe.active);
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            channel.writeAndFlush(Rig.buffer("write " + i + ";"));
            expected.append("write ").append(i).append(';');
        }
        channel.close();
        assertThat(Rig.receiveAll(peer)).isEqualTo(expected.toString());
    }

    @Test
    void aWriteAfterTheCloseFailsAndIsReleased() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(probe));
        rig.connect(address);
        Channel channel = Rig.await(probe.active);
        channel.close().join();
        Promise<Void> late = channel.newPromise();
        channel.writeAndFlush(Rig.buffer("late"), late);
        assertThatThrownBy(late::join).hasCauseInstanceOf(ClosedChannelException.class);
    }

    @Test
    void aGroupThatIsShutDownClosesItsChannels() throws IOException {
        List<Probe> probes = new ArrayList<>();
        SocketAddress address =
                rig.listen(
                        ch -> {
                            Probe probe = new Probe();
                            synchronized (probes) {
                                probes.add(probe);
                            }
                            ch.pipeline().addLast(probe);
                        });
        List<Socket> peers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            peers.add(rig.connect(address));
        }
        Rig.awaitTrue(
                "20 channels",
                () -> {
                    synchronized (probes) {
                        return probes.size() == 20;
                    }
                });
        Rig.await(rig.group.shutdownGracefully().toCompletableFuture());
        for (Socket peer : peers) {
            assertThat(peer.getInputStream().read()).isEqualTo(-1);
        }
        assertThat(probes).allSatisfy(probe -> assertThat(probe.inactives).hasValue(1));
    }

    @Test
    void aShutdownThatRunsOutOfTimeClosesWhatIsLeft() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(probe));
        Socket peer = rig.connect(address, 4096);
        Channel channel = Rig.await(probe.active);
        channel.writeAndFlush(Rig.buffer(new byte[16 << 20]));
        Rig.await(rig.group.shutdownGracefully(Duration.ofMillis(50)).toCompletableFuture());
        assertThat(catchThrowable(() -> peer.getInputStream().readAllBytes()))
                .isInstanceOf(SocketException.class);
        assertThat(probe.inactives).hasValue(1);
    }

    @Test
    void aGroupThatWasNeverUsedShutsDown() {
        Rig.await(rig.group.shutdownGracefully().toCompletableFuture());
    }

    @Test
    void interruptsCloseNothing() throws IOException {
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(new Echo()));
        List<Thread> threads =
                rig.group.loops().stream()
                        .map(loop -> loop.submit(Thread::currentThread).join())
                        .toList();
        List<Socket> peers = List.of(rig.connect(address), rig.connect(address));
        for (int i = 0; i < 1_000; i++) {
            threads.get(i % 2).interrupt();
            Rig.send(peers.get(i % 2), "x");
            threads.get(i % 2).interrupt();
            assertThat(Rig.receive(peers.get(i % 2), 1)).isEqualTo("x");
        }
        threads.forEach(Thread::interrupt);
        Rig.assertServed(rig.connect(address));
        rig.assertIdle(20);
    }

    /// The system's close would wait for the peer, and the loop with it.
    @Test
    void aLingerTimeKeepsNobodyWaiting() throws IOException {
        Rig.assumeSockets(rig.transport());
        Probe probe = new Probe();
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(probe))
                                .childOption(ChannelOption.SO_LINGER, 1_000)
                                .childOption(ChannelOption.SO_SNDBUF, 1 << 20)
                                .childOption(
                                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                                        new WriteBufferWaterMark(1 << 20, 1 << 21, 1 << 22)));
        Socket bystander = rig.connect(rig.listen(ch -> ch.pipeline().addLast(new Echo())));
        Socket peer = rig.connect(address, 4_096);
        Channel channel = Rig.await(probe.active);
        byte[] bytes = new byte[100_000];
        channel.writeAndFlush(Rig.buffer(bytes));
        Rig.awaitTrue(
                "all is the kernel's",
                () -> channel.eventLoop().submit(channel::pendingBytes).join() == 0);
        channel.close().join();
        Rig.assertServed(bystander);
        assertThat(peer.getInputStream().readAllBytes()).isEqualTo(bytes);
    }
}
