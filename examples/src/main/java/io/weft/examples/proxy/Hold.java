package io.weft.examples.proxy;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.util.ArrayDeque;

/// Suspends reading as long as it is in the pipeline, or from the first batch on, and keeps what
/// was received before; both end when it is removed.
final class Hold implements ChannelHandler {
    private final ArrayDeque<Object> held = new ArrayDeque<>(2);
    private final boolean takesOneBatch;
    private boolean ended;

    Hold() {
        this(false);
    }

    private Hold(boolean takesOneBatch) {
        this.takesOneBatch = takesOneBatch;
    }

    /// Returns one that suspends reading when something came. Bytes that come at once, as of most
    /// clients, then change no interest of the channel in input.
    static Hold behindFirstBatch() {
        return new Hold(true);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        if (!takesOneBatch) {
            ctx.suspendReading();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        held.add(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.suspendReading();
        // The event comes with the messages, when this handler goes.
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        ended = true;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        boolean some = !held.isEmpty();
        for (Object next; (next = held.poll()) != null; ) {
            if (ctx.channel().isOpen()) {
                ctx.fireChannelRead(next);
            } else if (next instanceof Buffer buffer) {
                buffer.release();
            }
        }
        if (some) {
            ctx.fireChannelReadComplete();
        }
        if (ended) {
            ctx.fireChannelInputClosed();
        }
    }
}
