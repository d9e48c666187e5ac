package io.weft.bench.transport;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;

/// Weft's pipeline with handlers between two ends, each of which keeps what arrives there.
final class WeftPipeline implements AutoCloseable {
    private static final class End implements ChannelHandler {
        @Nullable Object arrived;

        @Nullable Object take() {
            Object taken = arrived;
            arrived = null;
            return taken;
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            arrived = message;
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            arrived = event;
        }

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            arrived = message;
        }
    }

    private static final class Passes implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.fireChannelRead(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            ctx.fireUserEventTriggered(event);
        }

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            ctx.write(message, promise);
        }
    }

    private static final class Ignores implements ChannelHandler {}

    private final EmbeddedChannel channel;
    private final End first = new End();
    private final End last = new End();
    private final ChannelHandlerContext atFirst;
    private final ChannelHandlerContext atLast;

    /// @param pass whether the handlers between the ends pass events on, or do not care
    WeftPipeline(boolean pass) {
        channel = new EmbeddedChannel(first);
        for (int i = 0; i < PipelineBenchmark.HANDLERS; i++) {
            channel.pipeline().addLast(pass ? new Passes() : new Ignores());
        }
        channel.pipeline().addLast(last);
        atFirst = context(first);
        atLast = context(last);
    }

    private ChannelHandlerContext context(ChannelHandler handler) {
        ChannelHandlerContext context = channel.pipeline().context(handler);
        if (context == null) {
            throw new IllegalStateException(handler + " is not there");
        }
        return context;
    }

    @Nullable Object read(Object message) {
        atFirst.fireChannelRead(message);
        return last.take();
    }

    @Nullable Object userEvent(Object event) {
        atFirst.fireUserEventTriggered(event);
        return last.take();
    }

    @Nullable Object write(Object message) {
        atLast.write(message);
        return first.take();
    }

    @Override
    public void close() {
        channel.close();
    }
}
