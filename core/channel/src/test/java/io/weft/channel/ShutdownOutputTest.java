package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.eventloop.EventLoop;
import io.weft.loop.ManualClock;
import io.weft.loop.Promise;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The end of the output on its way through the handlers.
class ShutdownOutputTest {
    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Says goodbye, as a protocol does that has an end of its own.
    private static final class Polite implements ChannelHandler {
        final List<String> told = new ArrayList<>();

        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            told.add("active");
            ctx.fireChannelActive();
        }

        @Override
        public void shutdownOutput(ChannelHandlerContext ctx) {
            told.add("shutdown");
            ctx.writeAndFlush(text("bye"));
            ctx.shutdownOutput();
        }
    }

    /// Keeps messages until it is flushed for the second time.
    private static class Slow implements ChannelHandler {
        final ArrayDeque<Buffer> kept = new ArrayDeque<>();
        int flushes;

        /// Messages that wait for one flush more.
        int rest;

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            kept.add((Buffer) message);
            hold(ctx);
        }

        private void hold(ChannelHandlerContext ctx) {
            ctx.holds(kept.stream().mapToLong(Buffer::readableBytes).sum());
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            kept.forEach(Buffer::release);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            if (++flushes > 1) {
                while (kept.size() > rest) {
                    ctx.write(kept.remove());
                }
                rest = 0;
                hold(ctx);
            }
            ctx.flush();
        }
    }

    private static Buffer text(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    private static EmbeddedChannel halfClosing(ChannelHandler... handlers) {
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true),
                channel -> {
                    for (ChannelHandler handler : handlers) {
                        channel.pipeline().addLast(handler);
                    }
                });
    }

    @Test
    void handlersMaySendAnEndOfTheirOwn() {
        try (EmbeddedChannel embedded = halfClosing(new Polite())) {
            embedded.channel().write(text("data,"));
            embedded.channel().shutdownOutput();
            assertThat(embedded.takeOutboundText()).isEqualTo("data,bye");
            assertThat(embedded.isOutputShutdown()).isTrue();
            assertThat(embedded.isClosed()).isFalse();
        }
    }

    @Test
    void handlersHearOfItBehindWhatThoseBehindThemHold() {
        Slow slow = new Slow();
        try (EmbeddedChannel embedded = halfClosing(new Polite(), slow)) {
            embedded.channel().writeAndFlush(text("data,"));
            embedded.channel().shutdownOutput();
            assertThat(embedded.takeOutboundText()).isEmpty();
            assertThat(embedded.isOutputShutdown()).isFalse();
            embedded.runPending();
            assertThat(embedded.takeOutboundText()).isEqualTo("data,bye");
            assertThat(embedded.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void theEndWaitsForWhatAHandlerBeforeThemHolds() {
        Slow slow = new Slow();
        try (EmbeddedChannel embedded = halfClosing(slow, new Polite())) {
            embedded.channel().shutdownOutput(); // the goodbye is kept back, and flushed once
            assertThat(embedded.isOutputShutdown()).isFalse();
            embedded.runPending();
            assertThat(embedded.takeOutboundText()).isEqualTo("bye");
            assertThat(embedded.isOutputShutdown()).isTrue();
        }
    }

    /// Otherwise what was sent would look whole.
    @Test
    void anExceptionWhileHandlersHoldBytesIsAReset() {
        for (boolean ends : new boolean[] {true, false}) {
            var failing =
                    new ChannelHandler() {
                        @Override
                        public void channelReadComplete(ChannelHandlerContext ctx)
                                throws IOException {
                            throw new IOException("of an application");
                        }
                    };
            try (EmbeddedChannel embedded = halfClosing(new Slow(), failing)) {
                embedded.channel().writeAndFlush(text("held"));
                if (ends) {
                    embedded.channel().shutdownOutput();
                }
                embedded.receive("x");
                assertThat(embedded.isReset()).as("ends %s", ends).isTrue();
            }
        }
    }

    /// It holds bytes while the end waits for it, or that come behind an end that has passed it.
    @Test
    void aHandlerThatIsRemovedWithBytesIsAReset() {
        for (boolean passed : new boolean[] {true, false}) {
            Slow slow = new Slow();
            List<Runnable> tasks = new ArrayList<>();
            ChannelHandler later =
                    new ChannelHandler() {
                        @Override
                        public void shutdownOutput(ChannelHandlerContext ctx) {
                            tasks.add(ctx::shutdownOutput);
                        }
                    };
            try (EmbeddedChannel embedded = halfClosing(slow, later)) {
                if (passed) {
                    embedded.channel().shutdownOutput();
                    assertThat(tasks).hasSize(1);
                }
                embedded.channel().writeAndFlush(text("held"));
                embedded.channel().shutdownOutput();
                embedded.pipeline().remove(slow);
                tasks.forEach(Runnable::run);
                embedded.runPending();
                assertThat(embedded.isReset()).as("passed %s", passed).isTrue();
                assertThat(embedded.isOutputShutdown()).as("passed %s", passed).isFalse();
            }
        }
    }

    @Test
    void aHandlerThatPassesItsBytesOnWhenItIsRemovedIsNoReset() {
        Slow slow =
                new Slow() {
                    @Override
                    public void handlerRemoved(ChannelHandlerContext ctx) {
                        flushes = 1;
                        flush(ctx);
                    }
                };
        try (EmbeddedChannel embedded = halfClosing(slow)) {
            embedded.channel().writeAndFlush(text("held"));
            embedded.channel().shutdownOutput();
            embedded.pipeline().remove(slow);
            embedded.runPending();
            assertThat(embedded.takeOutboundText()).isEqualTo("held");
            assertThat(embedded.isOutputShutdown()).isTrue();
            assertThat(embedded.isReset()).isFalse();
        }
    }

    @Test
    void writesWithoutAFlushBehindTheEndGoOutBeforeIt() {
        Slow slow = new Slow();
        try (EmbeddedChannel embedded = halfClosing(slow)) {
            embedded.channel().writeAndFlush(text("first,"));
            embedded.channel().shutdownOutput();
            slow.rest = 1;
            embedded.channel().write(text("second"));
            embedded.runPending();
            assertThat(embedded.takeOutboundText()).isEqualTo("first,second");
            assertThat(embedded.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void aHandlerMayPutItOff() {
        var later =
                new ChannelHandler() {
                    @Nullable ChannelHandlerContext at;

                    @Override
                    public void shutdownOutput(ChannelHandlerContext ctx) {
                        at = ctx;
                    }
                };
        try (EmbeddedChannel embedded = halfClosing(later)) {
            embedded.channel().shutdownOutput();
            assertThat(embedded.isOutputShutdown()).isFalse();
            Objects.requireNonNull(later.at).shutdownOutput();
            assertThat(embedded.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void anExceptionGoesToTheHandlerThatThrewIt() {
        List<Throwable> caught = new ArrayList<>();
        var throwing =
                new ChannelHandler() {
                    @Override
                    public void shutdownOutput(ChannelHandlerContext ctx) {
                        throw new IllegalStateException("no");
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        caught.add(cause);
                    }
                };
        try (EmbeddedChannel embedded = halfClosing(throwing)) {
            embedded.channel().shutdownOutput();
            assertThat(caught).singleElement().isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void handlersHearOfItBehindTheBeginningIfTheChannelWasConnecting() {
        Polite polite = new Polite();
        EventLoop loop = new EventLoop(new EmbeddedEngine(), new ManualClock());
        EmbeddedPeer peer = new EmbeddedPeer();
        Channel channel = new Channel(loop, ChannelOptions.DEFAULT);
        channel.life().attach(peer.handle(new StreamSide(channel)));
        channel.shutdownOutput();
        assertThat(channel.life().activate(c -> c.pipeline().addLast(polite))).isNull();
        assertThat(polite.told).containsExactly("active", "shutdown");
        assertThat(peer.outputShutdown).isTrue();
        channel.abort();
    }
}
