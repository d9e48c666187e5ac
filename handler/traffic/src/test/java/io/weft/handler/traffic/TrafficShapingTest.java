package io.weft.handler.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.CompositeBuffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.FileRegion;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrafficShapingTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static Buffer bytes(int length) {
        return BufferAllocator.pooled().allocate(length).writeAscii("x".repeat(length));
    }

    private static int received(EmbeddedChannel channel) {
        int n = 0;
        for (Object message; (message = channel.readInbound()) != null; ) {
            n += ((Buffer) message).readableBytes();
            ((Buffer) message).release();
        }
        return n;
    }

    @Test
    void writesKeepToTheRate() {
        var limit = RateLimit.of(1000, 1000);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(new TrafficShapingHandler(List.of(), List.of(limit)))) {
            channel.advance(SECOND);
            for (int i = 0; i < 50; i++) {
                channel.channel().writeAndFlush(bytes(100));
            }
            assertThat(channel.takeOutbound().length).isBetween(1000, 1100);
            for (int second = 0; second < 3; second++) {
                channel.advance(SECOND);
                assertThat(channel.takeOutbound()).hasSize(1000);
            }
            channel.advance(SECOND.multipliedBy(10));
            assertThat(limit.total()).isEqualTo(5000);
        }
    }

    @Test
    void outputEndsBehindDelayedWrites() {
        var limit = RateLimit.of(1000, 0);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(new TrafficShapingHandler(List.of(), List.of(limit)))) {
            channel.channel().writeAndFlush(bytes(1000));
            Promise<Void> last = channel.channel().newPromise();
            channel.channel().writeAndFlush(bytes(500), last);
            channel.channel().shutdownOutput();
            channel.runPending();
            assertThat(channel.isOutputShutdown()).isFalse();
            channel.advance(SECOND.multipliedBy(2));
            assertThat(last.isSuccess()).isTrue();
            assertThat(channel.takeOutbound()).hasSize(1500);
            assertThat(channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void outputEndsBehindWritesThatARemovedHandlerPassesOn() {
        var handler = new TrafficShapingHandler(List.of(), List.of(RateLimit.of(1000, 0)));
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            channel.channel().writeAndFlush(bytes(1000));
            channel.channel().writeAndFlush(bytes(500));
            channel.channel().shutdownOutput();
            channel.pipeline().remove(handler);
            channel.runPending();
            assertThat(channel.takeOutbound()).hasSize(1500);
            assertThat(channel.isOutputShutdown()).isTrue();
            assertThat(channel.isReset()).isFalse();
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
        var limit = RateLimit.of(1000, 0);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        encoder(), new TrafficShapingHandler(List.of(), List.of(limit)))) {
            channel.channel().writeAndFlush(bytes(1000));
            Promise<Void> last = channel.channel().newPromise();
            channel.channel().writeAndFlush("last", last);
            channel.channel().shutdownOutput();
            channel.runPending();
            channel.advance(SECOND.multipliedBy(2));
            assertThat(last.isSuccess()).isTrue();
            assertThat(channel.takeOutbound()).hasSize(1004);
            assertThat(channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void readsKeepToTheRate() {
        var limit = RateLimit.of(1000, 0);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(new TrafficShapingHandler(List.of(limit), List.of()))) {
            for (int i = 0; i < 20; i++) {
                channel.receive(bytes(500));
            }
            assertThat(received(channel)).isEqualTo(500);
            channel.advance(SECOND);
            assertThat(received(channel)).isEqualTo(1000);
            channel.advance(SECOND.multipliedBy(4));
            assertThat(received(channel)).isEqualTo(4000);
        }
    }

    @Test
    void channelsThatShareALimitShareItsRate() {
        var global = RateLimit.of(1000, 0);
        try (EmbeddedChannel a = shaped(global);
                EmbeddedChannel b = shaped(global)) {
            for (int i = 0; i < 20; i++) {
                a.channel().writeAndFlush(bytes(100));
                b.channel().writeAndFlush(bytes(100));
            }
            a.advance(SECOND);
            b.advance(SECOND);
            int sent = a.takeOutbound().length + b.takeOutbound().length;
            assertThat(sent).isBetween(1000, 1300);
        }
    }

    private static EmbeddedChannel shaped(RateLimit global) {
        return new EmbeddedChannel(
                new TrafficShapingHandler(List.of(), List.of(global, RateLimit.of(800, 0))));
    }

    @Test
    void whatWaitsHasALimit() {
        var handler = new TrafficShapingHandler(List.of(), List.of(RateLimit.of(10, 0)), 1000);
        ChannelHandler forgiving =
                new ChannelHandler() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        assertThat(cause).isInstanceOf(TrafficLimitException.class);
                    }
                };
        Promise<Void> first;
        try (EmbeddedChannel channel = new EmbeddedChannel(handler, forgiving)) {
            channel.channel().write(bytes(10));
            first = channel.channel().newPromise();
            channel.channel().write(bytes(900), first);
            Promise<Void> second = channel.channel().newPromise();
            channel.channel().write(bytes(101), second);
            assertThat(second.cause())
                    .isInstanceOf(TrafficLimitException.class)
                    .hasMessage("bytes held back: 1001 (expected: at most 1000)");
            assertThat(handler.heldBytes()).isEqualTo(900);
        }
        assertThat(first.isDone()).isTrue();
        assertThat(handler.heldBytes()).isZero();
    }

    @Test
    void whatWaitsCountsInWritability() {
        var handler = new TrafficShapingHandler(List.of(), List.of(RateLimit.of(100_000, 0)));
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            channel.channel().write(bytes(50_000));
            channel.channel().write(bytes(50_000));
            assertThat(channel.channel().isWritable()).isFalse();
            channel.advance(SECOND);
            assertThat(channel.takeOutbound()).hasSize(100_000);
            assertThat(channel.channel().isWritable()).isTrue();
            assertThat(channel.channel().pendingBytes()).isZero();
        }
    }

    @Test
    void aRemovedHandlerLetsEverythingThrough() {
        var handler =
                new TrafficShapingHandler(List.of(RateLimit.of(1, 0)), List.of(RateLimit.of(1, 0)));
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            channel.channel().write(bytes(10));
            channel.channel().write(bytes(10));
            channel.receive("x").receive("y");
            channel.pipeline().remove(handler);
            assertThat(channel.takeOutbound()).hasSize(20);
            assertThat(received(channel)).isEqualTo(2);
        }
    }

    @Test
    void aCloseWaitsForWhatWaits() {
        var handler = new TrafficShapingHandler(List.of(), List.of(RateLimit.of(1000, 0)));
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            for (int i = 0; i < 5; i++) {
                channel.channel().writeAndFlush(bytes(1000));
            }
            channel.channel().close();
            Promise<Void> late = channel.channel().newPromise();
            channel.channel().writeAndFlush(bytes(1), late);
            assertThat(late.cause()).isInstanceOf(ClosedChannelException.class);
            channel.advance(SECOND.multipliedBy(3));
            assertThat(channel.isClosed()).isFalse();
            channel.advance(SECOND);
            assertThat(channel.takeOutbound()).hasSize(5000);
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isFalse();
        }
    }

    @Test
    void whoDecidesHimselfWhenToReadKeepsToTheRateToo() {
        var handler = new TrafficShapingHandler(List.of(RateLimit.of(1000, 0)), List.of());
        ChannelOptions manual = ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(manual, ch -> ch.pipeline().addLast(handler))) {
            for (int i = 0; i < 4; i++) {
                channel.receive(bytes(500));
            }
            channel.channel().read();
            assertThat(received(channel)).isEqualTo(500);
            for (int i = 0; i < 3; i++) {
                channel.channel().read();
                channel.advance(Duration.ofMillis(499));
                assertThat(received(channel)).isZero();
                channel.advance(Duration.ofMillis(1));
                assertThat(received(channel)).isEqualTo(500);
            }
            assertThat(channel.channel().autoRead()).isFalse();
        }
    }

    /// Each used to resume the channel that the other one had stopped.
    @Test
    void theSlowerOfTwoSetsTheRate() {
        for (boolean slowFirst : new boolean[] {true, false}) {
            var slow = new TrafficShapingHandler(List.of(RateLimit.of(1000, 0)), List.of());
            var fast = new TrafficShapingHandler(List.of(RateLimit.of(20_000, 0)), List.of());
            try (EmbeddedChannel channel =
                    slowFirst ? new EmbeddedChannel(slow, fast) : new EmbeddedChannel(fast, slow)) {
                for (int i = 0; i < 100; i++) {
                    channel.receive(bytes(500));
                }
                channel.advance(Duration.ofSeconds(10));
                assertThat(received(channel)).isBetween(10_000, 10_500);
            }
        }
    }

    @Test
    void filesAndGatheredBuffersCostWhatTheyHold(@TempDir Path directory) throws IOException {
        Path file = Files.write(directory.resolve("file"), new byte[2000]);
        var limit = RateLimit.of(1000, 0);
        var handler = new TrafficShapingHandler(List.of(), List.of(limit), 100);
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            channel.channel().writeAndFlush(FileRegion.open(file));
            channel.channel()
                    .writeAndFlush(
                            new CompositeBuffer(BufferAllocator.pooled())
                                    .add(bytes(30))
                                    .add(bytes(20)));
            channel.channel().writeAndFlush(FileRegion.open(file));
            channel.channel().writeAndFlush(bytes(50));
            assertThat(limit.total()).isEqualTo(4100);
            assertThat(handler.heldBytes()).isEqualTo(2100);
            channel.advance(SECOND.multipliedBy(2));
            assertThat(handler.heldBytes()).isEqualTo(2050);
            channel.advance(Duration.ofMillis(50));
            assertThat(handler.heldBytes()).isEqualTo(50);
            channel.advance(SECOND.multipliedBy(2));
            assertThat(channel.takeOutbound()).hasSize(4100);
        }
    }

    @Test
    void smallWritesAreCountedToo() {
        var handler = new TrafficShapingHandler(List.of(), List.of(RateLimit.of(1, 0)));
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            for (int i = 0; i <= TrafficShapingHandler.MAX_HELD_MESSAGES; i++) {
                channel.channel().write(bytes(1));
            }
            Promise<Void> more = channel.channel().newPromise();
            channel.channel().write(bytes(1), more);
            assertThat(more.cause())
                    .isInstanceOf(TrafficLimitException.class)
                    .hasMessage("writes held back: 16385 (expected: at most 16384)");
        }
    }

    @Test
    void theRateIsExactOverAnyTime() {
        var limit = RateLimit.of(3000, 0);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(new TrafficShapingHandler(List.of(), List.of(limit)))) {
            for (int i = 0; i < 1000; i++) {
                channel.channel().writeAndFlush(bytes(7));
            }
            int sent = 0;
            for (int tenth = 1; tenth <= 20; tenth++) {
                channel.advance(Duration.ofMillis(100));
                sent += channel.takeOutbound().length;
                // The first one goes at once, the last one whole.
                assertThat(sent).isBetween(300 * tenth, 300 * tenth + 7);
            }
        }
    }

    @Test
    void aWriteThatIsRefusedEndsTheStream() {
        var handler = new TrafficShapingHandler(List.of(), List.of(RateLimit.of(10, 0)), 1000);
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
            channel.channel().write(bytes(10));
            channel.channel().write(bytes(900));
            channel.channel().write(bytes(101), channel.channel().newPromise());
            Promise<Void> behind = channel.channel().newPromise();
            channel.channel().write(bytes(1), behind);
            assertThat(behind.isDone() && !behind.isSuccess()).isTrue();
            assertThat(channel.takeException()).isInstanceOf(TrafficLimitException.class);
            assertThat(channel.isReset()).isTrue();
        }
    }
}
