package io.weft.handler.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ChunkedWriteTest {
    private static final int PIECE = 8192;
    private final ChunkedWriteHandler handler = new ChunkedWriteHandler();
    private final Content content = new Content(100);

    /// So many pieces.
    private static final class Content implements Chunks {
        private final int pieces;
        int made;
        boolean closed;

        Content(int pieces) {
            this.pieces = pieces;
        }

        @Override
        public boolean isEnd() {
            return made == pieces;
        }

        @Override
        public Buffer next() throws IOException {
            made++;
            return bytes(PIECE);
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static Buffer bytes(int length) {
        return BufferAllocator.pooled().allocate(length).writeAscii("x".repeat(length));
    }

    /// The iterator of a stream makes a piece when it is asked if there is one.
    @Test
    void abortReleasesThePieceThatAnIteratorHasMadeAhead() {
        Iterator<Buffer> pieces = IntStream.range(0, 100).mapToObj(_ -> bytes(PIECE)).iterator();
        try (EmbeddedChannel channel = new EmbeddedChannel(handler).limitWindow(0)) {
            channel.channel().writeAndFlush(Chunks.of(pieces));
            channel.channel().abort();
            assertThat(channel.isReset()).isTrue();
        } // and nothing is left in the ledger
    }

    @Test
    void contentThatThrowsAnErrorFails() {
        List<Throwable> caught = new ArrayList<>();
        ChannelHandler catching =
                new ChannelHandler() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        caught.add(cause);
                    }
                };
        Chunks broken =
                new Chunks() {
                    @Override
                    public boolean isEnd() {
                        return false;
                    }

                    @Override
                    public Buffer next() {
                        throw new StackOverflowError("of the content");
                    }

                    @Override
                    public void close() {}
                };
        try (EmbeddedChannel channel = new EmbeddedChannel(handler, catching)) {
            Promise<Void> sent = channel.channel().newPromise();
            Promise<Void> behind = channel.channel().newPromise();
            channel.channel().write(broken, sent);
            channel.channel().write(bytes(5), behind);
            channel.channel().flush();
            assertThat(sent.cause()).isInstanceOf(StackOverflowError.class);
            assertThat(caught).containsExactly(sent.cause());
            assertThat(behind.cause()).isInstanceOf(ClosedChannelException.class);
            assertThat(channel.isReset()).isTrue();
        }
    }

    @Test
    void aCloseWaitsForAContentThatWasFlushed() {
        try (EmbeddedChannel channel = new EmbeddedChannel(handler).limitWindow(0)) {
            Promise<Void> sent = channel.channel().newPromise();
            channel.channel().writeAndFlush(content, sent);
            channel.channel().writeAndFlush(bytes(5));
            Promise<Void> unflushed = channel.channel().newPromise();
            channel.channel().write(bytes(5), unflushed);
            channel.channel().close();
            Promise<Void> late = channel.channel().newPromise();
            channel.channel().writeAndFlush(bytes(5), late);
            assertThat(unflushed.cause()).isInstanceOf(ClosedChannelException.class);
            assertThat(late.cause()).isInstanceOf(ClosedChannelException.class);
            channel.openWindow(50 * PIECE);
            assertThat(channel.isClosed()).isFalse();
            channel.openWindow(50 * PIECE + 5);
            assertThat(sent.isSuccess()).isTrue();
            assertThat(channel.takeOutbound()).hasSize(100 * PIECE + 5);
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isFalse();
        }
        assertThat(content.closed).isTrue();
    }

    @Test
    void aPeerThatOnlyEndsItsInputGetsTheWholeContent() {
        try (EmbeddedChannel channel = new EmbeddedChannel(handler).limitWindow(PIECE)) {
            channel.channel().writeAndFlush(content);
            channel.receiveEnd();
            channel.openWindow(100 * PIECE);
            assertThat(channel.takeOutbound()).hasSize(100 * PIECE);
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void closesWithPatienceOfAnyLength() {
        ChannelOptions options =
                ChannelOptions.DEFAULT.with(
                        ChannelOption.CLOSE_TIMEOUT, Duration.ofSeconds(Long.MAX_VALUE));
        try (EmbeddedChannel channel =
                new EmbeddedChannel(options, ch -> ch.pipeline().addLast(handler)).limitWindow(0)) {
            channel.channel().writeAndFlush(content);
            channel.channel().close();
            channel.openWindow(100 * PIECE);
            assertThat(channel.takeOutbound()).hasSize(100 * PIECE);
        }
    }

    @Test
    void outputEndsBehindAContent() {
        try (EmbeddedChannel channel = new EmbeddedChannel(handler).limitWindow(PIECE)) {
            Promise<Void> sent = channel.channel().newPromise();
            channel.channel().writeAndFlush(content, sent);
            channel.channel().shutdownOutput();
            channel.runPending();
            assertThat(channel.isOutputShutdown()).isFalse();
            channel.openWindow(100 * PIECE);
            channel.runPending();
            assertThat(sent.isSuccess()).isTrue();
            assertThat(channel.takeOutbound()).hasSize(100 * PIECE);
            assertThat(channel.isOutputShutdown()).isTrue();
        }
    }

    /// Has text encoded behind the handler: how many bytes it is is not known before.
    private static ChannelHandler encoder() {
        return new ChannelHandler() {
            @Override
            public void write(
                    ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
                if (message instanceof String text) {
                    Buffer bytes = ctx.channel().allocator().allocate(text.length());
                    ctx.write(bytes.writeAscii(text), promise);
                } else {
                    ctx.write(message, promise);
                }
            }
        };
    }

    @Test
    void outputEndsBehindAMessageThatIsStillToBeEncoded() {
        try (EmbeddedChannel channel = new EmbeddedChannel(encoder(), handler).limitWindow(PIECE)) {
            channel.channel().write(content);
            Promise<Void> last = channel.channel().newPromise();
            channel.channel().writeAndFlush("last", last);
            channel.channel().shutdownOutput();
            channel.openWindow(100 * PIECE);
            channel.runPending();
            assertThat(last.isSuccess()).isTrue();
            assertThat(channel.takeOutbound()).hasSize(100 * PIECE + 4);
            assertThat(channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void aCloseDoesNotWaitForAPeerThatTakesNothing() {
        Duration timeout = Duration.ofSeconds(3);
        ChannelOptions options = ChannelOptions.DEFAULT.with(ChannelOption.CLOSE_TIMEOUT, timeout);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(options, ch -> ch.pipeline().addLast(handler)).limitWindow(0)) {
            Promise<Void> sent = channel.channel().newPromise();
            channel.channel().writeAndFlush(content, sent);
            channel.channel().close();
            for (int i = 0; i < 5; i++) {
                channel.advance(timeout.minusNanos(1)).openWindow(1);
            }
            assertThat(channel.isClosed()).isFalse();
            channel.advance(timeout.multipliedBy(3));
            assertThat(sent.cause()).isInstanceOf(ClosedChannelException.class);
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isTrue();
        }
        assertThat(content.closed).isTrue();
    }

    /// It takes what was sent while the channel was closing, when the content is given up already.
    @Test
    void aContentThatAPeerTakesTooLateIsAReset() {
        Duration timeout = Duration.ofSeconds(3);
        ChannelOptions options = ChannelOptions.DEFAULT.with(ChannelOption.CLOSE_TIMEOUT, timeout);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(options, ch -> ch.pipeline().addLast(handler)).limitWindow(0)) {
            channel.channel().writeAndFlush(content);
            channel.channel().close();
            channel.advance(timeout).openWindow(100 * PIECE);
            assertThat(channel.isReset()).isTrue();
        }
    }

    @Test
    void whatWaitsBehindAContentCountsInWritability() {
        try (EmbeddedChannel channel = new EmbeddedChannel(handler).limitWindow(0)) {
            channel.channel().writeAndFlush(content);
            for (int i = 0; i < 10; i++) {
                channel.channel().writeAndFlush(bytes(100_000));
            }
            assertThat(channel.channel().isWritable()).isFalse();
            assertThat(channel.channel().pendingBytes()).isGreaterThan(1_000_000);
            channel.openWindow(100 * PIECE + 1_000_000);
            assertThat(channel.takeOutbound()).hasSize(100 * PIECE + 1_000_000);
            assertThat(channel.channel().isWritable()).isTrue();
            assertThat(channel.channel().pendingBytes()).isZero();
        }
    }

    @Test
    void noMoreThanTheHighWatermarkIsMadeAhead() {
        ChannelOptions options =
                ChannelOptions.DEFAULT.with(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(0, 2 * PIECE, 1 << 20));
        try (EmbeddedChannel channel =
                new EmbeddedChannel(options, ch -> ch.pipeline().addLast(handler)).limitWindow(0)) {
            channel.channel().writeAndFlush(content);
            assertThat(content.made).isLessThanOrEqualTo(3);
            for (int i = 1; i < 100; i++) {
                channel.openWindow(PIECE);
                assertThat(content.made).isLessThanOrEqualTo(i + 3);
            }
            channel.openWindow(PIECE);
            assertThat(channel.takeOutbound()).hasSize(100 * PIECE);
        }
    }

    @Test
    void aPeerThatTakesEverythingLeavesTheLoopToOthersNowAndThen() {
        Content large = new Content(1000);
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            channel.channel().writeAndFlush(large);
            assertThat(large.made).isBetween(100, 200);
            channel.runPending();
            assertThat(channel.takeOutbound()).hasSize(1000 * PIECE);
        }
    }

    @Test
    void aContentOfNothingDoesNotHoldTheLoop() {
        int[] made = new int[1];
        Iterator<Buffer> nothing =
                new Iterator<>() {
                    @Override
                    public boolean hasNext() {
                        return true;
                    }

                    @Override
                    public Buffer next() {
                        made[0]++;
                        return bytes(0);
                    }
                };
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            channel.channel().writeAndFlush(Chunks.of(nothing));
            assertThat(made[0]).isBetween(1, 2000);
            channel.pipeline().remove(handler);
        }
    }

    @Test
    void aHandlerThatIsRemovedFailsWhatWaits() {
        try (EmbeddedChannel channel = new EmbeddedChannel(handler).limitWindow(0)) {
            Promise<Void> sent = channel.channel().newPromise();
            channel.channel().writeAndFlush(content, sent);
            channel.pipeline().remove(handler);
            assertThat(sent.cause()).isInstanceOf(IllegalStateException.class);
        }
        assertThat(content.closed).isTrue();
    }

    /// The peer must not take what it has for the whole.
    @Test
    void aHandlerThatIsRemovedAmidAContentEndsTheChannelByAReset() {
        for (String then : new String[] {"", "shutdownOutput", "close"}) {
            ChunkedWriteHandler removed = new ChunkedWriteHandler();
            try (EmbeddedChannel channel = new EmbeddedChannel(removed).limitWindow(PIECE)) {
                Promise<Void> sent = channel.channel().newPromise();
                channel.channel().writeAndFlush(new Content(100), sent);
                switch (then) {
                    case "shutdownOutput" -> channel.channel().shutdownOutput();
                    case "close" -> channel.channel().close();
                    default -> {}
                }
                channel.pipeline().remove(removed);
                channel.openWindow(100 * PIECE);
                channel.runPending();
                assertThat(sent.cause()).isInstanceOf(IllegalStateException.class);
                assertThat(channel.isReset()).as(then).isTrue();
                assertThat(channel.isOutputShutdown()).as(then).isFalse();
            }
        }
    }

    @Test
    void aHandlerThatIsRemovedBeforeAContentBeginsLeavesTheChannelOpen() {
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            Promise<Void> sent = channel.channel().newPromise();
            channel.channel().write(content, sent);
            channel.pipeline().remove(handler);
            assertThat(sent.cause()).isInstanceOf(IllegalStateException.class);
            channel.channel().writeAndFlush(bytes(5));
            assertThat(channel.takeOutbound()).hasSize(5);
        }
    }

    @Test
    void bytesBehindAContentAreLimitedByTheCap() {
        try (EmbeddedChannel channel = new EmbeddedChannel(handler).limitWindow(0)) {
            channel.channel().writeAndFlush(content);
            channel.channel().writeAndFlush(bytes(1_000_000));
            Promise<Void> beyond = channel.channel().newPromise();
            channel.channel().writeAndFlush(bytes(48_577), beyond);
            assertThat(beyond.cause())
                    .hasMessage("bytes behind a content: 1048577 (expected: at most 1048576)");
            assertThat(channel.takeException()).isSameAs(beyond.cause());
            assertThat(channel.isClosed()).isTrue();
        }
    }

    /// Refuses the `nth` write.
    private static final class Refusing implements ChannelHandler {
        private int left;

        Refusing(int nth) {
            left = nth;
        }

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            if (--left != 0) {
                ctx.write(message, promise);
                return;
            }
            ((Buffer) message).release();
            if (promise != null) {
                promise.tryFailure(new IllegalStateException("refused"));
            }
        }
    }

    @Test
    void aPieceThatFailsEndsTheContentAndTheChannel() {
        for (int nth : new int[] {1, 3, 100}) {
            Content whole = new Content(100);
            try (EmbeddedChannel channel = new EmbeddedChannel(new Refusing(nth), handler())) {
                Promise<Void> sent = channel.channel().newPromise();
                Promise<Void> behind = channel.channel().newPromise();
                channel.channel().write(whole, sent);
                channel.channel().write(new Content(1), behind);
                channel.channel().flush();
                channel.runPending();
                assertThat(sent.cause()).hasMessage("refused");
                assertThat(behind.isDone() && !behind.isSuccess()).isTrue();
                assertThat(channel.takeException()).hasMessage("refused");
                assertThat(channel.isReset()).isTrue();
                assertThat(channel.takeOutbound()).hasSize((nth - 1) * PIECE);
            }
            assertThat(whole.closed).isTrue();
        }
    }

    private static ChunkedWriteHandler handler() {
        return new ChunkedWriteHandler();
    }

    @Test
    void aContentIsWholeAlsoWhenItsPromiseIsCancelled() {
        try (EmbeddedChannel channel = new EmbeddedChannel(handler).limitWindow(PIECE)) {
            Promise<Void> sent = channel.channel().newPromise();
            channel.channel().writeAndFlush(content, sent);
            sent.cancel();
            channel.openWindow(100 * PIECE);
            assertThat(channel.takeOutbound()).hasSize(100 * PIECE);
            assertThat(channel.isClosed()).isFalse();
        }
    }

    @Test
    void aMessageBehindAContentThatCannotBeSentIsHeardOf() {
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            channel.channel().write(new Content(1));
            channel.channel().write("no buffer");
            channel.channel().flush();
            assertThat(channel.takeException()).hasMessageContaining("is an encoder missing?");
        }
    }

    @Test
    void theEndOfTheInputComesBehindMessagesThatWait() {
        List<Object> events = new ArrayList<>();
        ChannelHandler letters =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ((Buffer) message).release();
                        ctx.fireChannelRead("a");
                        ctx.fireChannelRead("b");
                        ctx.fireChannelInputClosed();
                    }
                };
        ChannelHandler hearing =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        events.add(message);
                    }

                    @Override
                    public void channelInputClosed(ChannelHandlerContext ctx) {
                        events.add("end");
                    }
                };
        ChannelOptions manual =
                ChannelOptions.DEFAULT
                        .with(ChannelOption.AUTO_READ, false)
                        .with(ChannelOption.ALLOW_HALF_CLOSURE, true);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        manual,
                        ch ->
                                ch.pipeline()
                                        .addLast(letters)
                                        .addLast(new FlowControlHandler())
                                        .addLast(hearing))) {
            channel.channel().read();
            channel.receive("x");
            assertThat(events).containsExactly("a");
            channel.channel().read();
            assertThat(events).containsExactly("a", "b", "end");
        }
    }
}
