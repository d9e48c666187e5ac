package io.weft.transport.sim;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Promise;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Connections on which events happen in a given order, and what their ends see of it.
final class CloseOrder {
    /// Of the channel under test: [#WRITE] to [#SHUT]. Of its peer: [#DATA] to [#RESET]. Of the
    /// network: [#CUT].
    enum Event {
        WRITE,
        FLUSH,
        CLOSE,
        ABORT,
        /// Shuts the output down.
        SHUT,
        DATA,
        END,
        RESET,
        /// Nothing arrives anywhere for [#CUT_TIME].
        CUT
    }

    /// @param settles whether each event has reached the other side before the next, or all happen
    ///     at once
    /// @param readsLate whether the peer reads only a second after the last event
    /// @param ends whether the peer ends when it sees the end
    record Manner(boolean settles, boolean readsLate, boolean ends) {}

    /// A completion comes up to 20 ms late.
    private static final Duration SETTLED = Duration.ofMillis(25);

    private static final Duration LATE = Duration.ofSeconds(1);
    private static final Duration CUT_TIME = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(4);
    private static final Duration MARGIN = Duration.ofMillis(100);

    private final Simulation sim;
    private final SimHost here;
    private final SimHost there;
    private final EventLoopGroup peers;
    private final InetSocketAddress address;
    private @Nullable Channel accepted;

    CloseOrder(Simulation sim) {
        this.sim = sim;
        here = sim.host("here");
        there = sim.host("there");
        peers = there.group(1);
        address = here.address(7);
        sim.await(
                new ServerBootstrap(here.group(1))
                        .childHandler(
                                ch -> {
                                    accepted = ch;
                                    ch.pipeline().addLast(new Drop());
                                })
                        .bind(address));
    }

    private static final class Drop implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((Buffer) message).release();
        }
    }

    /// Records the bytes and the end that the peer sees.
    private static final class Peer implements ChannelHandler {
        final StringBuilder text = new StringBuilder();
        boolean ends;
        boolean end;
        boolean broken;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer bytes = (Buffer) message) {
                byte[] copy = new byte[bytes.readableBytes()];
                bytes.readBytes(copy);
                text.append(new String(copy, StandardCharsets.US_ASCII));
            }
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            end = true;
            if (ends) {
                ctx.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            broken = true;
            ctx.channel().abort();
        }
    }

    /// Has the events happen on a new connection.
    ///
    /// @return what a guarantee was broken by; null when all hold
    @Nullable String broken(List<Event> order, Manner manner) {
        return new Run(order, manner).broken();
    }

    private static Buffer text(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    private final class Run {
        private final List<Event> order;
        private final Manner manner;
        private final Peer seen = new Peer();
        private final Channel peer;
        private final Channel channel;
        private final List<Promise<Void>> writes = new ArrayList<>();
        private final StringBuilder written = new StringBuilder();

        /// Flushed while the channel was open.
        private String flushed = "";

        private int flushedWrites;
        private boolean shut;
        private boolean resets;

        Run(List<Event> order, Manner manner) {
            this.order = order;
            this.manner = manner;
            seen.ends = manner.ends();
            accepted = null;
            peer =
                    sim.await(
                            new Bootstrap(peers)
                                    .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                                    .option(ChannelOption.CLOSE_WHEN_SHUT, false)
                                    .option(ChannelOption.LINGER_TIMEOUT, Duration.ZERO)
                                    .option(ChannelOption.AUTO_READ, !manner.readsLate())
                                    .handler(ch -> ch.pipeline().addLast(seen))
                                    .connect(address));
            sim.run(SETTLED);
            channel = Objects.requireNonNull(accepted);
        }

        @Nullable String broken() {
            for (Event event : order) {
                happen(event);
                if (manner.settles()) {
                    sim.run(SETTLED);
                }
            }
            Duration last = sim.elapsed();
            if (manner.readsLate()) {
                sim.run(LATE);
                on(peer, () -> peer.autoRead(true));
            }
            boolean closed = sim.runUntil(() -> channel.closeFuture().isDone(), PATIENCE);
            Duration took = sim.elapsed().minus(last);
            sim.run(has(Event.CUT) ? CUT_TIME.plus(SETTLED) : SETTLED);
            String broken = judge(closed, took);
            peer.abort();
            channel.abort();
            sim.run(SETTLED);
            if (broken == null && !writes.stream().allMatch(Promise::isDone)) {
                broken = "a write without an outcome";
            }
            if (broken == null && (here.descriptors() != 1 || there.descriptors() != 0)) {
                broken = "descriptors left: " + here.descriptors() + ", " + there.descriptors();
            }
            return broken;
        }

        private void happen(Event event) {
            switch (event) {
                case WRITE -> on(channel, this::write);
                case FLUSH -> on(channel, () -> flush(channel::flush));
                case SHUT ->
                        on(
                                channel,
                                () -> {
                                    flush(channel::shutdownOutput);
                                    shut = true;
                                });
                case CLOSE -> on(channel, channel::close);
                case ABORT ->
                        on(
                                channel,
                                () -> {
                                    resets = channel.isOpen() && !shut;
                                    channel.abort();
                                });
                case DATA -> on(peer, () -> peer.writeAndFlush(text("data")));
                case END -> on(peer, peer::shutdownOutput);
                case RESET -> on(peer, peer::abort);
                case CUT -> {
                    sim.network().partition(here, there);
                    sim.after(CUT_TIME, () -> sim.network().heal(here, there));
                }
            }
        }

        private void write() {
            Promise<Void> promise = channel.newPromise();
            String message = "message " + writes.size() + ";";
            if (channel.isOpen() && !shut) {
                written.append(message);
            }
            writes.add(promise);
            channel.write(text(message), promise);
        }

        private void flush(Runnable flush) {
            if (channel.isOpen() && !shut) {
                flushed = written.toString();
                flushedWrites = writes.size();
            }
            flush.run();
        }

        // ---- what must hold ----

        private @Nullable String judge(boolean closed, Duration took) {
            if (!flushed.startsWith(seen.text.toString())) {
                return "received " + seen.text + " (expected: a beginning of " + flushed + ")";
            }
            if (closed != closes() && !(has(Event.RESET) && has(Event.CUT))) {
                return closed ? "closed" : "still open";
            }
            if (closed && took.compareTo(mostTime()) > 0) {
                return "closed after " + took + " (expected: " + mostTime() + " at most)";
            }
            if (has(Event.ABORT)) {
                boolean heard = seen.broken && !seen.end;
                return resets && !has(Event.RESET) && !has(Event.CUT) && !heard
                        ? "an abort was no reset"
                        : null;
            }
            return has(Event.RESET) ? null : judgeOrderly(closed);
        }

        private boolean closes() {
            return has(Event.CLOSE)
                    || has(Event.ABORT)
                    || has(Event.END)
                    || has(Event.RESET)
                    || (has(Event.SHUT) && manner.ends());
        }

        private Duration mostTime() {
            boolean soon = manner.ends() && !has(Event.CUT);
            Duration most = soon ? Duration.ZERO : ChannelOption.LINGER_TIMEOUT.defaultValue();
            return (manner.readsLate() && soon ? LATE : most).plus(MARGIN);
        }

        /// Neither side has aborted.
        private @Nullable String judgeOrderly(boolean closed) {
            if (!flushed.contentEquals(seen.text)) {
                return "received " + seen.text + " (expected: " + flushed + ")";
            }
            for (int i = 0; i < writes.size(); i++) {
                boolean expected = i < flushedWrites;
                if (closed && writes.get(i).isSuccess() != expected) {
                    return "write " + i + " succeeded: " + !expected;
                }
            }
            if (flushed.isEmpty() && has(Event.DATA)) {
                return null; // nothing to lose: the end may be a reset
            }
            boolean ended = closed || shut;
            if (seen.broken || seen.end != ended) {
                return "reset: "
                        + seen.broken
                        + ", end: "
                        + seen.end
                        + " (expected: "
                        + ended
                        + ")";
            }
            return null;
        }

        private boolean has(Event event) {
            return order.contains(event);
        }

        private static void on(Channel channel, Runnable action) {
            channel.eventLoop().execute(action);
        }
    }
}
