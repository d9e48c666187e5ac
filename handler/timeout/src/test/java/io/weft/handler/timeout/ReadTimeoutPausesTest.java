package io.weft.handler.timeout;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.WriteBufferWaterMark;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Time in which the channel does not read, which the peer cannot help.
class ReadTimeoutPausesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration ALMOST = SECOND.minusNanos(1);
    private static final Duration NANO = Duration.ofNanos(1);

    /// Takes what comes, and may suspend reading.
    private static final class Taking implements ChannelHandler {
        private @Nullable ChannelHandlerContext context;

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            context = ctx;
        }

        ChannelHandlerContext context() {
            return Objects.requireNonNull(context);
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((Buffer) message).release();
        }
    }

    private final Taking taking = new Taking();

    private EmbeddedChannel channel(ChannelOptions options) {
        return new EmbeddedChannel(
                options,
                ch -> ch.pipeline().addLast(new ReadTimeoutHandler(SECOND)).addLast(taking));
    }

    private static void advance(EmbeddedChannel channel, Duration time, int times) {
        for (int i = 0; i < times; i++) {
            channel.advance(time);
        }
    }

    @Test
    void suspendedReadingDoesNotTimeOut() {
        try (EmbeddedChannel channel = channel(ChannelOptions.DEFAULT)) {
            channel.advance(ALMOST);
            taking.context().suspendReading();
            advance(channel, SECOND, 5);
            assertThat(channel.isClosed()).isFalse();
            taking.context().resumeReading();
            channel.advance(ALMOST);
            assertThat(channel.isClosed()).isFalse();
            advance(channel, SECOND, 2);
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void pauseThatEndsBeforeTheTimeOutDoesNotCount() {
        try (EmbeddedChannel channel = channel(ChannelOptions.DEFAULT)) {
            channel.pipeline()
                    .addFirst(
                            "pausing",
                            new ChannelHandler() {
                                @Override
                                public void channelRead(ChannelHandlerContext ctx, Object message) {
                                    taking.context().suspendReading();
                                    ctx.fireChannelRead(message);
                                }
                            });
            channel.receive("x").advance(ALMOST);
            taking.context().resumeReading();
            channel.advance(ALMOST);
            assertThat(channel.isClosed()).isFalse();
            channel.advance(SECOND);
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void timeCountsFromAutoReadOn() {
        try (EmbeddedChannel channel = channel(ChannelOptions.DEFAULT)) {
            channel.channel().autoRead(false);
            advance(channel, SECOND, 5);
            channel.advance(ALMOST);
            channel.channel().autoRead(true);
            channel.advance(ALMOST);
            assertThat(channel.isClosed()).isFalse();
            channel.advance(NANO);
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void timeCountsWhileAReadIsOutstanding() {
        ChannelOptions manual = ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false);
        try (EmbeddedChannel channel = channel(manual)) {
            channel.channel().read();
            channel.receive("x");
            advance(channel, SECOND, 5);
            assertThat(channel.isClosed()).isFalse();
            channel.channel().read();
            channel.advance(ALMOST);
            channel.channel().read(); // is the same one
            assertThat(channel.isClosed()).isFalse();
            channel.advance(NANO);
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void peerThatTakesNothingTimesOut() {
        ChannelOptions tight =
                ChannelOptions.DEFAULT.with(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(0, 1, 1 << 20));
        try (EmbeddedChannel channel = channel(tight).limitWindow(0)) {
            channel.channel().writeAndFlush(BufferAllocator.pooled().allocate(4).writeInt(1));
            assertThat(channel.channel().readsByItself()).isFalse();
            channel.advance(SECOND);
            assertThat(channel.isClosed()).isTrue();
        }
    }
}
