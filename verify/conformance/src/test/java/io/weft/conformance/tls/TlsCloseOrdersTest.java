package io.weft.conformance.tls;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.conformance.rig.Rig;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.tls.TlsEvent;
import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsProtocol;
import io.weft.transport.sim.Fault;
import io.weft.transport.sim.Faults;
import io.weft.transport.sim.SimHost;
import io.weft.transport.sim.Simulation;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The orders of up to four events around the close of a connection with TLS: flushed messages
/// arrive, then close_notify, then the end, whichever side closes, within the handshake or behind
/// it. Each reset destroys what has not been read.
class TlsCloseOrdersTest {
    private enum Event {
        FLUSH,
        CLOSE,
        /// The peer sends data.
        DATA,
        /// The peer closes.
        END
    }

    private enum Manner {
        WITHIN_HANDSHAKE,
        AT_ONCE,
        SETTLED
    }

    private static final int LONGEST = 4;
    private static final Duration SETTLING = Duration.ofMillis(200);
    private static final Faults FAULTS =
            Faults.none()
                    .with(Fault.RESET_OVERTAKES, 1)
                    .with(Fault.PARTIAL_SEND, 0.2)
                    .with(Fault.PARTIAL_RECEIVE, 0.2)
                    .with(Fault.DEFERRED_SEND, 0.5)
                    .with(Fault.REORDER, 0.5)
                    .with(Fault.LATE_CLOSE, 0.3);

    /// One end of a connection, and what it has seen.
    private static final class Side implements ChannelHandler {
        final Channel channel;
        final StringBuilder text = new StringBuilder();
        final List<Throwable> failures = new ArrayList<>();
        boolean closeNotify;

        Side(Channel channel) {
            this.channel = channel;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer in = (Buffer) message) {
                text.append(in.readString(StandardCharsets.ISO_8859_1));
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            closeNotify |= event instanceof TlsEvent.CloseNotify;
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            failures.add(cause);
            ctx.close();
        }
    }

    private final long seed = Simulation.seed();
    private final List<String> broken = new ArrayList<>();
    private final List<Side> sides = new ArrayList<>();
    private int runs;

    @ParameterizedTest
    @EnumSource
    void flushedMessagesArriveInEveryOrderOfEvents(TlsProtocol protocol) throws Exception {
        try (Simulation sim = new Simulation(seed, FAULTS);
                TlsContext clients =
                        TlsContext.client()
                                .trust(TlsRig.ROOT.certificate())
                                .protocols(protocol)
                                .tasks(Runnable::run)
                                .build();
                TlsContext servers =
                        TlsContext.server(TlsRig.SERVER)
                                .protocols(protocol)
                                .tasks(Runnable::run)
                                .build()) {
            SimHost server = sim.host("server");
            InetSocketAddress address = server.address(443);
            sim.await(
                    new ServerBootstrap(server.group(1))
                            .childHandler(ch -> add(ch, TlsHandler.server(servers)))
                            .bind(address));
            EventLoopGroup group = sim.host("client").group(1);
            extend(
                    new ArrayList<>(),
                    order -> {
                        for (Manner manner : Manner.values()) {
                            for (boolean clientCloses : new boolean[] {true, false}) {
                                sides.clear();
                                var _ =
                                        new Bootstrap(group)
                                                .handler(
                                                        ch ->
                                                                add(
                                                                        ch,
                                                                        TlsHandler.client(
                                                                                clients,
                                                                                "localhost",
                                                                                443)))
                                                .connect(address);
                                assertThat(
                                                sim.runUntil(
                                                        () -> sides.size() == 2,
                                                        Duration.ofSeconds(1)))
                                        .isTrue();
                                boolean first =
                                        Objects.equals(
                                                sides.get(0).channel.remoteAddress(), address);
                                Side one = sides.get(first == clientCloses ? 0 : 1);
                                Side other = sides.get(first == clientCloses ? 1 : 0);
                                check(sim, order, manner, one, other, clientCloses);
                            }
                        }
                    });
            assertThat(server.descriptors()).isEqualTo(1);
        }
        System.out.println("connections: " + runs);
        assertThat(broken).as("seed %d", seed).isEmpty();
    }

    private void add(Channel channel, TlsHandler tls) {
        Side side = new Side(channel);
        sides.add(side);
        channel.pipeline().addLast(tls).addLast(side);
    }

    private interface Check {
        void check(List<Event> order);
    }

    private static void extend(List<Event> order, Check check) {
        if (order.contains(Event.CLOSE)) {
            check.check(order);
        }
        if (order.size() == LONGEST) {
            return;
        }
        for (Event next : Event.values()) {
            boolean peerSpeaks = next == Event.DATA || next == Event.END;
            boolean vain =
                    peerSpeaks
                            ? order.contains(Event.END)
                            : next == Event.FLUSH && order.contains(Event.CLOSE);
            if (!vain) {
                order.add(next);
                extend(order, check);
                order.removeLast();
            }
        }
    }

    private void check(
            Simulation sim,
            List<Event> order,
            Manner manner,
            Side one,
            Side other,
            boolean clientCloses) {
        runs++;
        if (manner != Manner.WITHIN_HANDSHAKE) {
            sim.run(SETTLING);
        }
        StringBuilder flushed = new StringBuilder();
        for (Event event : order) {
            switch (event) {
                case FLUSH -> {
                    String message = "message " + flushed.length() + ";";
                    flushed.append(message);
                    one.channel.writeAndFlush(Rig.buffer(message));
                }
                case CLOSE -> one.channel.close();
                case DATA -> other.channel.writeAndFlush(Rig.buffer("data"));
                case END -> other.channel.close();
            }
            if (manner == Manner.SETTLED) {
                sim.run(SETTLING);
            }
        }
        boolean closed =
                sim.runUntil(
                        () -> isClosed(one) && isClosed(other),
                        Duration.ofSeconds(1)); // nobody waits for a time-out
        String what = null;
        if (!closed) {
            what = "still open";
        } else if (!flushed.toString().startsWith(other.text.toString())) {
            what = "received " + other.text;
        } else if (!order.contains(Event.END) && !flushed.isEmpty()) {
            if (!flushed.toString().contentEquals(other.text)) {
                what = "received " + other.text + " (expected: " + flushed + ")";
            } else if (!other.failures.isEmpty() || !other.closeNotify) {
                what = "close_notify: " + other.closeNotify + ", failures: " + other.failures;
            }
        }
        if (what != null && broken.size() < 20) {
            broken.add(order + ", " + manner + ", client closes: " + clientCloses + ": " + what);
        }
        one.channel.abort();
        other.channel.abort();
        sim.run(SETTLING);
    }

    private static boolean isClosed(Side side) {
        return side.channel.closeFuture().isDone();
    }
}
