package io.weft.handler.flow;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;

/// Makes one flush of many, for handlers that flush after each message: while a batch is read, and
/// if wanted outside of one too, flushes wait for its end, or for a number of them. A flush that
/// has waited sends what was written since, too.
public final class FlushConsolidationHandler implements ChannelHandler {
    /// Flushes that one takes the place of.
    public static final int DEFAULT_MAX = 256;

    private final int max;
    private final boolean whenIdle;
    private boolean reading;
    private int pending;
    private boolean scheduled;

    /// Up to 256 flushes, within a batch.
    public FlushConsolidationHandler() {
        this(DEFAULT_MAX, false);
    }

    /// @param max flushes that may wait
    /// @param whenIdle whether to wait outside of a batch too, for the tasks that the loop has now
    public FlushConsolidationHandler(int max, boolean whenIdle) {
        if (max <= 0) {
            throw new IllegalArgumentException("max: " + max + " (expected: > 0)");
        }
        this.max = max;
        this.whenIdle = whenIdle;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        reading = true;
        ctx.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        // Handlers behind this one may flush in it: those are of this batch.
        ctx.fireChannelReadComplete();
        reading = false;
        flushNow(ctx);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        if (++pending >= max || (!reading && !whenIdle)) {
            flushNow(ctx);
        } else if (!reading && !scheduled) {
            scheduled = true;
            ctx.eventLoop()
                    .executeUnbounded(
                            () -> {
                                scheduled = false;
                                flushNow(ctx);
                            });
        }
    }

    private void flushNow(ChannelHandlerContext ctx) {
        if (pending > 0) {
            pending = 0;
            ctx.flush();
        }
    }

    @Override
    public void close(ChannelHandlerContext ctx) {
        flushNow(ctx);
        ctx.close();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (!ctx.channel().isWritable()) {
            flushNow(ctx); // nothing gets better by waiting
        }
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        flushNow(ctx);
        ctx.fireExceptionCaught(cause);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        flushNow(ctx);
    }
}
