package io.weft.handler.timeout;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Fires a [ReadTimeoutException] once and closes the channel when nothing is received for a while.
public final class ReadTimeoutHandler implements ChannelHandler {
    private final Duration timeout;
    private final long nanos;
    private @Nullable Timeout timer;
    private long last;
    private boolean reading;

    /// @throws IllegalArgumentException unless `timeout` is positive
    public ReadTimeoutHandler(Duration timeout) {
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: > 0)");
        }
        this.timeout = timeout;
        nanos = TimeUnit.NANOSECONDS.convert(timeout); // at most 292 years
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (ctx.channel().isActive()) {
            start(ctx);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        start(ctx);
        ctx.fireChannelActive();
    }

    private void start(ChannelHandlerContext ctx) {
        if (timer == null) {
            last = ctx.eventLoop().clock().nanoTime();
            arm(ctx, nanos);
        }
    }

    private void arm(ChannelHandlerContext ctx, long nanos) {
        timer = ctx.eventLoop().schedule(() -> due(ctx), nanos, TimeUnit.NANOSECONDS);
    }

    private void due(ChannelHandlerContext ctx) {
        long idle = ctx.eventLoop().clock().nanoTime() - last;
        long left = reading ? nanos : nanos - idle;
        if (left > 0) {
            arm(ctx, left);
            return;
        }
        ctx.fireExceptionCaught(new ReadTimeoutException(timeout));
        ctx.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        reading = true;
        ctx.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        last = ctx.eventLoop().clock().nanoTime();
        ctx.fireChannelReadComplete();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (timer != null) {
            timer.cancel();
        }
    }
}
