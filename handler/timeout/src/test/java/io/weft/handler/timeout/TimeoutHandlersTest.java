package io.weft.handler.timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.loop.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TimeoutHandlersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration ALMOST = SECOND.minusNanos(1);
    private final List<Object> events = new ArrayList<>();

    private final class Seeing implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ((Buffer) message).release();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            events.add(event);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            events.add(cause.getClass().getSimpleName());
        }
    }

    private EmbeddedChannel channel(ChannelHandler handler) {
        return new EmbeddedChannel(handler, new Seeing());
    }

    private static Buffer bytes() {
        return BufferAllocator.pooled().allocate(4).writeInt(1);
    }

    private static IdleState idle(IdleState.Kind kind, boolean first) {
        return new IdleState(kind, first);
    }

    @Test
    void aReaderIsIdleExactlyAfterItsTimeAndAgainWhileItLasts() {
        var handler = new IdleStateHandler(SECOND, Duration.ZERO, Duration.ZERO);
        try (EmbeddedChannel channel = channel(handler)) {
            channel.advance(ALMOST);
            assertThat(events).isEmpty();
            channel.receive("x").advance(ALMOST);
            assertThat(events).isEmpty();
            channel.advance(Duration.ofNanos(1)).advance(SECOND);
            assertThat(events)
                    .containsExactly(
                            idle(IdleState.Kind.READER, true), idle(IdleState.Kind.READER, false));
            channel.receive("x").advance(SECOND);
            assertThat(events).endsWith(idle(IdleState.Kind.READER, true));
        }
    }

    @Test
    void aWriterIsIdleUntilThePeerTakesSomething() {
        var handler = new IdleStateHandler(Duration.ZERO, SECOND, Duration.ZERO);
        try (EmbeddedChannel channel = channel(handler).limitWindow(0)) {
            channel.advance(ALMOST);
            channel.channel().writeAndFlush(bytes());
            channel.advance(Duration.ofNanos(1));
            assertThat(events).containsExactly(idle(IdleState.Kind.WRITER, true));
            channel.openWindow(100).advance(ALMOST);
            assertThat(events).hasSize(1);
        }
    }

    @Test
    void aPeerThatTakesALargeWriteSlowlyIsNotIdleWhereThatIsObserved() {
        for (boolean observe : new boolean[] {false, true}) {
            events.clear();
            var handler = new IdleStateHandler(Duration.ZERO, SECOND, Duration.ZERO, observe);
            try (EmbeddedChannel channel = channel(handler).limitWindow(0)) {
                channel.channel().writeAndFlush(BufferAllocator.pooled().allocate(9).writeLong(1));
                for (int i = 0; i < 5; i++) {
                    channel.openWindow(1).advance(SECOND);
                }
                assertThat(events).hasSize(observe ? 0 : 5);
                channel.channel().write(bytes()); // which is no sending
                channel.advance(SECOND).advance(SECOND);
                assertThat(events.getLast()).isEqualTo(idle(IdleState.Kind.WRITER, false));
            }
        }
    }

    @Test
    void aProtocolMaySayThatSomethingHappened() {
        var handler = new IdleStateHandler(SECOND, SECOND, SECOND);
        try (EmbeddedChannel channel = channel(handler)) {
            channel.advance(ALMOST);
            handler.reset(IdleState.Kind.WRITER);
            channel.advance(Duration.ofNanos(1));
            assertThat(events).containsExactly(idle(IdleState.Kind.READER, true));
            handler.reset(IdleState.Kind.ALL);
            channel.advance(ALMOST);
            assertThat(events).hasSize(1);
        }
    }

    @Test
    void allIsIdleWhenNeitherHappens() {
        var handler = new IdleStateHandler(Duration.ZERO, Duration.ZERO, SECOND);
        try (EmbeddedChannel channel = channel(handler)) {
            channel.advance(ALMOST).receive("x").advance(ALMOST);
            channel.channel().writeAndFlush(bytes());
            channel.advance(ALMOST);
            assertThat(events).isEmpty();
            channel.advance(Duration.ofNanos(1));
            assertThat(events).containsExactly(idle(IdleState.Kind.ALL, true));
        }
    }

    @Test
    void aRemovedHandlerFiresNothing() {
        var handler = new IdleStateHandler(SECOND, SECOND, SECOND);
        try (EmbeddedChannel channel = channel(handler)) {
            channel.pipeline().remove(handler);
            channel.advance(SECOND.multipliedBy(3));
            assertThat(events).isEmpty();
        }
    }

    @Test
    void aReadTimeoutIsSaidAndTheChannelCloses() {
        try (EmbeddedChannel channel = channel(new ReadTimeoutHandler(SECOND))) {
            channel.advance(ALMOST).receive("x").advance(ALMOST);
            assertThat(channel.isClosed()).isFalse();
            channel.advance(Duration.ofNanos(1)).advance(SECOND);
            assertThat(events).containsExactly("ReadTimeoutException");
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void aWriteThatThePeerDoesNotTakeTimesOut() {
        try (EmbeddedChannel channel = channel(new WriteTimeoutHandler(SECOND))) {
            channel.channel().writeAndFlush(bytes());
            channel.limitWindow(2).advance(ALMOST);
            channel.channel().writeAndFlush(bytes());
            channel.advance(ALMOST);
            assertThat(channel.isClosed()).isFalse();
            channel.advance(Duration.ofNanos(1));
            assertThat(events).containsExactly("WriteTimeoutException");
            assertThat(channel.isReset()).isTrue();
        }
    }

    @Test
    void writesThatAreTakenInTimeDoNotTimeOut() {
        try (EmbeddedChannel channel = channel(new WriteTimeoutHandler(SECOND)).limitWindow(2)) {
            for (int i = 0; i < 5; i++) {
                channel.channel().writeAndFlush(bytes());
                channel.advance(ALMOST).openWindow(4);
            }
            channel.openWindow(100).advance(SECOND.multipliedBy(5));
            assertThat(events).isEmpty();
            assertThat(channel.isClosed()).isFalse();
        }
    }

    @Test
    void timesHaveToBePositive() {
        assertThatThrownBy(() -> new ReadTimeoutHandler(Duration.ZERO))
                .hasMessage("timeout: PT0S (expected: > 0)");
        assertThatThrownBy(() -> new WriteTimeoutHandler(Duration.ofSeconds(-1)))
                .hasMessage("timeout: PT-1S (expected: > 0)");
        assertThatThrownBy(() -> new IdleStateHandler(SECOND, Duration.ofNanos(-1), Duration.ZERO))
                .hasMessageContaining("WRITER");
    }

    @Test
    void aWriteThatFailsIsHeardOfAsWithoutTheHandler() {
        ChannelHandler throwing =
                new ChannelHandler() {
                    @Override
                    public void write(
                            ChannelHandlerContext ctx,
                            Object message,
                            @Nullable Promise<Void> promise) {
                        if (message instanceof Integer) {
                            throw new IllegalStateException("cannot be encoded");
                        }
                        ctx.write(message, promise);
                    }
                };
        for (ChannelHandler handler :
                List.of(
                        new WriteTimeoutHandler(SECOND),
                        new IdleStateHandler(Duration.ZERO, SECOND, Duration.ZERO))) {
            events.clear();
            try (EmbeddedChannel channel = new EmbeddedChannel(throwing, handler, new Seeing())) {
                channel.channel().write("no buffer");
                channel.channel().write("no buffer", channel.channel().newPromise());
                channel.channel().write(1);
                channel.channel().abort();
                channel.channel().write(bytes());
            }
            assertThat(events).containsExactly("IllegalArgumentException", "IllegalStateException");
        }
    }

    @Test
    void timesBeyondTheClocksRangeNeverPass() {
        for (Duration time :
                List.of(Duration.ofDays(200_000), Duration.ofSeconds(Long.MAX_VALUE))) {
            for (ChannelHandler handler :
                    List.of(
                            new ReadTimeoutHandler(time),
                            new WriteTimeoutHandler(time),
                            new IdleStateHandler(time, time, time))) {
                try (EmbeddedChannel channel = channel(handler).limitWindow(0)) {
                    channel.receive("x");
                    channel.channel().writeAndFlush(bytes());
                    // Beyond the longest delay of a timer.
                    channel.advance(Duration.ofDays(30_000)).advance(Duration.ofDays(30_000));
                    channel.checkException();
                    assertThat(events).isEmpty();
                    assertThat(channel.isClosed()).isFalse();
                }
            }
        }
    }
}
