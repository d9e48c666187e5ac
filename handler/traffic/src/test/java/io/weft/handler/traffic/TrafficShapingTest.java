package io.weft.handler.traffic;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.EmbeddedChannel;
import io.weft.loop.Promise;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

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
        Promise<Void> first;
        try (EmbeddedChannel channel = new EmbeddedChannel(handler)) {
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
}
