package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Probe;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// However a connection ends, it ends once, and while it lingers half-dead its loop sleeps.
@EveryTransport
class HalfCloseTest {
    private static final int PENDING_BYTES = 8 << 20;

    private final Rig rig;

    HalfCloseTest(String transport) throws IOException {
        rig = new Rig(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    /// An action of the peer.
    enum Ending {
        FIN,
        RST,
        FIN_THEN_RST,
        DATA_THEN_RST,
        FIN_OF_BOTH;

        boolean resets() {
            return this == RST || this == FIN_THEN_RST || this == DATA_THEN_RST;
        }
    }

    static List<Arguments> matrix() {
        List<Arguments> cases = new ArrayList<>();
        for (Ending ending : Ending.values()) {
            for (boolean paused : new boolean[] {false, true}) {
                for (boolean pendingWrite : new boolean[] {false, true}) {
                    for (boolean halfClosure : new boolean[] {false, true}) {
                        cases.add(Arguments.of(ending, paused, pendingWrite, halfClosure));
                    }
                }
            }
        }
        return cases;
    }

    @ParameterizedTest(name = "{0}, paused {1}, pending write {2}, half-closure {3}")
    @MethodSource("matrix")
    void everyEndingIsToldOnce(
            Ending ending, boolean paused, boolean pendingWrite, boolean halfClosure)
            throws IOException {
        Probe probe = new Probe();
        SocketAddress address = rig.listen(server(probe, paused, halfClosure));
        Socket peer = rig.connect(address, pendingWrite ? 4096 : 0);
        Channel channel = Rig.await(probe.active);
        if (pendingWrite) {
            Rig.onLoop(channel, () -> channel.writeAndFlush(zeros(channel, PENDING_BYTES)));
        }
        if (ending == Ending.FIN_OF_BOTH) {
            Rig.onLoop(channel, channel::shutdownOutput);
        }
        end(peer, ending);
        if (paused) {
            rig.assertIdle(10);
            assertThat(probe.text()).isEmpty();
            Rig.onLoop(channel, () -> channel.autoRead(true));
        }
        if (!ending.resets() && (pendingWrite || !halfClosure || ending == Ending.FIN_OF_BOTH)) {
            int expected = pendingWrite ? PENDING_BYTES : 0;
            if (halfClosure && ending == Ending.FIN) {
                assertThat(peer.getInputStream().readNBytes(expected)).hasSize(expected);
            } else {
                assertThat(peer.getInputStream().readAllBytes()).hasSize(expected);
            }
        }
        if (halfClosure && !ending.resets()) {
            Rig.await(probe.inputClosed);
            rig.assertIdle(10);
        }
        if (halfClosure && ending != Ending.FIN_OF_BOTH) {
            channel.close(); // what the channel cannot know, or need not act upon
        }
        assertThat(Rig.await(probe.ended)).isSameAs(channel);
        channel.closeFuture().join();
        rig.assertIdle(10);
        assertThat(probe.inactives).hasValue(1);
        assertThat(probe.inputCloses.get()).isLessThanOrEqualTo(1);
    }

    private ServerBootstrap server(Probe probe, boolean paused, boolean halfClosure) {
        return rig.server(ch -> ch.pipeline().addLast(probe))
                .childOption(ChannelOption.AUTO_READ, !paused)
                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, halfClosure)
                // Nothing here is about watermarks; and a channel that is not writable would not
                // read.
                .childOption(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(1 << 25, 1 << 26, 1 << 27));
    }

    private static Buffer zeros(Channel channel, int length) {
        return channel.allocator().allocate(length).writeBytes(new byte[length]);
    }

    private static void end(Socket peer, Ending ending) throws IOException {
        switch (ending) {
            case FIN, FIN_OF_BOTH -> peer.shutdownOutput();
            case RST -> Rig.reset(peer);
            case FIN_THEN_RST -> {
                peer.shutdownOutput();
                Rig.reset(peer);
            }
            case DATA_THEN_RST -> {
                Rig.send(peer, "last words");
                Rig.reset(peer);
            }
        }
    }

    @Test
    void aPeerThatHasFinishedSendingIsAnswered() throws IOException {
        ChannelHandler answerAtTheEnd =
                new ChannelHandler() {
                    private final StringBuilder question = new StringBuilder();

                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        try (Buffer buffer = (Buffer) message) {
                            question.append(
                                    buffer.readString(java.nio.charset.StandardCharsets.UTF_8));
                        }
                    }

                    @Override
                    public void channelInputClosed(ChannelHandlerContext ctx) {
                        ctx.writeAndFlush(Rig.buffer(question + "!"));
                        ctx.channel().shutdownOutput();
                        ctx.close();
                    }
                };
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(answerAtTheEnd))
                                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true));
        Socket peer = rig.connect(address);
        Rig.send(peer, "hello");
        peer.shutdownOutput();
        assertThat(Rig.receiveAll(peer)).isEqualTo("hello!");
    }

    /// A selector tells nothing of a connection whose input has ended: NIO hears of the reset with
    /// the next send.
    @Test
    void aResetAfterTheEndOfInputIsNoticed() throws IOException {
        assumeFalse(rig.transport().equals("nio"), "a selector does not tell");
        Probe probe = new Probe();
        SocketAddress address = rig.listen(server(probe, false, true));
        Socket peer = rig.connect(address);
        peer.shutdownOutput();
        Rig.await(probe.inputClosed);
        rig.assertIdle(10); // it is waiting for the reset
        Rig.reset(peer);
        Rig.await(probe.ended);
        assertThat(probe.failures).hasSize(1).first().isInstanceOf(SocketException.class);
    }

    @Test
    void whatCameBeforeTheEndIsReadAfterAPause() throws IOException {
        Probe probe = new Probe();
        SocketAddress address = rig.listen(server(probe, true, false));
        Socket peer = rig.connect(address);
        Channel channel = Rig.await(probe.active);
        Rig.send(peer, "first ");
        Rig.send(peer, "and last");
        peer.shutdownOutput();
        rig.assertIdle(10);
        assertThat(probe.texts).isEmpty();
        Rig.onLoop(channel, () -> channel.autoRead(true));
        Rig.await(probe.ended);
        assertThat(probe.text()).isEqualTo("first and last");
        assertThat(peer.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void aHundredResetsAtAnyMomentLeaveNothing() throws IOException {
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(new Echo()));
        for (int i = 0; i < 100; i++) {
            Socket peer = rig.connect(address);
            switch (i % 3) {
                case 0 -> {}
                case 1 -> Rig.send(peer, "unheard");
                default -> Rig.assertServed(peer);
            }
            Rig.reset(peer);
        }
        Rig.assertServed(rig.connect(address));
    }
}
