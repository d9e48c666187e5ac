package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Promise;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Writability events and the frames of handlers that write in several pieces.
class WritabilityTest {
    private static final ChannelOptions TIGHT =
            ChannelOptions.DEFAULT
                    .with(
                            ChannelOption.WRITE_BUFFER_WATER_MARK,
                            new WriteBufferWaterMark(1, 2, 1000))
                    .with(ChannelOption.READ_WHILE_UNWRITABLE, false);

    private final List<Boolean> told = new ArrayList<>();

    private static Buffer buffer(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    /// Writes each letter of a text by itself, when it is written, at a flush or at the close.
    private static final class Letters implements ChannelHandler {
        enum At {
            WRITE,
            FLUSH,
            CLOSE
        }

        private final At at;
        private final StringBuilder kept = new StringBuilder();

        Letters(At at) {
            this.at = at;
        }

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            kept.append(message);
            writeKept(ctx, At.WRITE);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            writeKept(ctx, At.FLUSH);
            ctx.flush();
        }

        @Override
        public void close(ChannelHandlerContext ctx) {
            writeKept(ctx, At.CLOSE);
            ctx.flush();
            ctx.close();
        }

        private void writeKept(ChannelHandlerContext ctx, At now) {
            if (at == now) {
                String text = kept.toString();
                kept.setLength(0);
                text.chars().forEach(c -> ctx.write(buffer(Character.toString(c))));
            }
        }
    }

    private final class Speaking implements ChannelHandler {
        private boolean spoken;

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            told.add(ctx.channel().isWritable());
            if (!spoken) {
                spoken = true;
                ctx.channel().writeAndFlush("efgh");
            }
        }
    }

    @Test
    void aWriteFromTheEventDoesNotLandInsideAFrame() {
        for (Letters.At at : Letters.At.values()) {
            try (EmbeddedChannel channel =
                    new EmbeddedChannel(
                            TIGHT,
                            ch -> ch.pipeline().addLast(new Letters(at)).addLast(new Speaking()))) {
                channel.limitWindow(0);
                channel.channel().writeAndFlush("abcd");
                channel.channel().close();
                channel.openWindow(100);
                assertThat(channel.takeOutboundText()).as(at.name()).startsWith("abcd");
            }
        }
    }

    /// As a handler does that encrypts: bytes are held back by a write, and sent by a flush.
    private static final class Holding implements ChannelHandler {
        private int held;

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            held += ((Buffer) message).readableBytes();
            ctx.holds(held);
            ctx.write(message, promise);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            ctx.flush();
            held = 0;
            ctx.holds(0);
        }
    }

    @Test
    void handlerThatStoppedWithinTheEventIsToldAgain() {
        int[] left = {10};
        ChannelHandler sender =
                new ChannelHandler() {
                    @Override
                    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
                        while (left[0] > 0 && ctx.channel().isWritable()) {
                            left[0]--;
                            ctx.write(buffer("abcd"));
                        }
                        ctx.flush();
                    }
                };
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        TIGHT, ch -> ch.pipeline().addLast(new Holding()).addLast(sender))) {
            channel.channel().write(buffer("abcd"));
            channel.channel().flush();
            assertThat(left[0]).isZero();
            assertThat(channel.takeOutboundText()).hasSize(11 * 4);
        }
    }

    @Test
    void aChangeThatIsOverWhenTheWriteReturnsIsNotTold() {
        ChannelHandler atOnce =
                new ChannelHandler() {
                    @Override
                    public void write(
                            ChannelHandlerContext ctx,
                            Object message,
                            @Nullable Promise<Void> promise) {
                        ctx.writeAndFlush(message, promise);
                    }
                };
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        TIGHT, ch -> ch.pipeline().addLast(atOnce).addLast(new Speaking()))) {
            channel.channel().write(buffer("abcd"));
            assertThat(channel.takeOutboundText()).isEqualTo("abcd");
            assertThat(told).isEmpty();
            channel.receive("x");
            assertThat(channel.readInbound()) // it still reads
                    .isInstanceOfSatisfying(Buffer.class, Buffer::close);
        }
    }

    @Test
    void aHandlerThatThrowsHasItsChangesTold() {
        ChannelHandler throwing =
                new ChannelHandler() {
                    @Override
                    public void write(
                            ChannelHandlerContext ctx,
                            Object message,
                            @Nullable Promise<Void> promise) {
                        ctx.write(buffer("abcd"));
                        throw new IllegalStateException("half a frame");
                    }
                };
        ChannelHandler catching =
                new ChannelHandler() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {}

                    @Override
                    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
                        told.add(ctx.channel().isWritable());
                    }
                };
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        TIGHT, ch -> ch.pipeline().addLast(throwing).addLast(catching))) {
            channel.channel().write("x");
            assertThat(told).containsExactly(false);
            channel.channel().flush();
            assertThat(told).containsExactly(false, true);
        }
    }
}
