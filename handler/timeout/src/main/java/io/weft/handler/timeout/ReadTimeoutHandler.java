package io.weft.handler.timeout;

import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Fires a [ReadTimeoutException] once and closes the channel when nothing is received for a while.
///
/// **Pauses.** Time does not count while a handler suspends reading, or auto-read is off and no
/// read is outstanding: the peer cannot help that. If the end of such a pause is not noticed at
/// once, the time counts from the next look at it, at most the time-out later. A channel that does
/// not read because the peer takes nothing of what is written is not such a pause.
public final class ReadTimeoutHandler implements ChannelHandler {
    private final Duration timeout;
    private final long nanos;
    private @Nullable Timeout timer;
    private long last;
    private boolean reading;

    /// A read was asked for, and nothing has come since.
    private boolean asked;

    /// The channel did not read when last looked at.
    private boolean paused;

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
            asked = !ctx.channel().autoRead(); // perhaps, before this handler was there
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
            paused = !reads(ctx);
            arm(ctx, nanos);
        }
    }

    private boolean reads(ChannelHandlerContext ctx) {
        Channel channel = ctx.channel();
        return !channel.isReadingSuspended() && (asked || channel.autoRead());
    }

    private void arm(ChannelHandlerContext ctx, long nanos) {
        timer = ctx.eventLoop().schedule(() -> due(ctx), nanos, TimeUnit.NANOSECONDS);
    }

    private void due(ChannelHandlerContext ctx) {
        long now = ctx.eventLoop().clock().nanoTime();
        boolean was = paused;
        paused = !reads(ctx);
        if (was || paused) {
            last = now; // it has not read for all that time
        }
        long left = reading ? nanos : nanos - (now - last);
        if (left > 0) {
            arm(ctx, left);
            return;
        }
        ctx.fireExceptionCaught(new ReadTimeoutException(timeout));
        ctx.close();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!reading) {
            reading = true;
            asked = false; // the batch answers it; a read from now on is for the next
        }
        ctx.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        reading = false;
        last = ctx.eventLoop().clock().nanoTime();
        ctx.fireChannelReadComplete();
        paused = !reads(ctx);
    }

    /// Hears also of auto-read that is switched on.
    @Override
    public void read(ChannelHandlerContext ctx) {
        asked |= !ctx.channel().autoRead();
        if (paused && reads(ctx)) {
            paused = false;
            last = ctx.eventLoop().clock().nanoTime();
        }
        ctx.read();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (timer != null) {
            timer.cancel();
        }
    }
}
