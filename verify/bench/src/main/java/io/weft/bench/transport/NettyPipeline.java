package io.weft.bench.transport;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerAdapter;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import org.jspecify.annotations.Nullable;

/// Netty's pipeline with handlers between two ends, each of which keeps what arrives there.
final class NettyPipeline implements AutoCloseable {
    private static final class End extends ChannelDuplexHandler {
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
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            arrived = message;
        }
    }

    private static final class Passes extends ChannelDuplexHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.fireChannelRead(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            ctx.fireUserEventTriggered(event);
        }

        @Override
        public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
            var _ = ctx.write(message, promise);
        }
    }

    private static final class Ignores extends ChannelHandlerAdapter {}

    private final EmbeddedChannel channel;
    private final End first = new End();
    private final End last = new End();
    private final ChannelHandlerContext atFirst;
    private final ChannelHandlerContext atLast;

    /// @param pass whether the handlers between the ends pass events on, or do not care
    NettyPipeline(boolean pass) {
        channel = new EmbeddedChannel(first);
        for (int i = 0; i < PipelineBenchmark.HANDLERS; i++) {
            channel.pipeline().addLast(pass ? new Passes() : new Ignores());
        }
        channel.pipeline().addLast(last);
        atFirst = channel.pipeline().context(first);
        atLast = channel.pipeline().context(last);
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
        var _ = atLast.write(message, atLast.voidPromise());
        return first.take();
    }

    @Override
    public void close() {
        var _ = channel.close();
    }
}
