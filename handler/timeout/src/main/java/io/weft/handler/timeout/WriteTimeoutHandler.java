package io.weft.handler.timeout;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Fires a [WriteTimeoutException] once and aborts the channel when a write has not been sent in
/// time. Time counts from the write, so what is never flushed is late too.
///
/// One timer, for the oldest write: they are sent in order.
public final class WriteTimeoutHandler implements ChannelHandler {
    private final Duration timeout;
    private final long nanos;

    /// When each write that is not sent yet was made.
    private final ArrayDeque<Write> pending = new ArrayDeque<>(2);

    private @Nullable Timeout timer;
    private boolean late;

    private static final class Write {
        final long since;
        boolean done;

        Write(long since) {
            this.since = since;
        }
    }

    /// @throws IllegalArgumentException unless `timeout` is positive
    public WriteTimeoutHandler(Duration timeout) {
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: > 0)");
        }
        this.timeout = timeout;
        nanos = TimeUnit.NANOSECONDS.convert(timeout); // at most 292 years
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        Promise<Void> sent = promise == null ? ctx.channel().newPromise() : promise;
        Write write = new Write(ctx.eventLoop().clock().nanoTime());
        pending.add(write);
        sent.addListener(
                outcome -> {
                    sent(write);
                    Throwable cause = outcome.cause();
                    if (promise == null && cause != null) {
                        ctx.fireWriteFailed(cause);
                    }
                });
        if (timer == null && !late) {
            arm(ctx, nanos);
        }
        ctx.write(message, sent);
    }

    private void sent(Write write) {
        write.done = true;
        for (Write first; (first = pending.peek()) != null && first.done; ) {
            pending.remove();
        }
    }

    private void arm(ChannelHandlerContext ctx, long nanos) {
        timer = ctx.eventLoop().schedule(() -> due(ctx), nanos, TimeUnit.NANOSECONDS);
    }

    private void due(ChannelHandlerContext ctx) {
        timer = null;
        Write oldest = pending.peek();
        if (oldest == null || late) {
            return;
        }
        long left = nanos - (ctx.eventLoop().clock().nanoTime() - oldest.since);
        if (left > 0) {
            arm(ctx, left);
            return;
        }
        late = true;
        ctx.fireExceptionCaught(new WriteTimeoutException(timeout));
        ctx.channel().abort();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        late = true;
        if (timer != null) {
            timer.cancel();
        }
    }
}
