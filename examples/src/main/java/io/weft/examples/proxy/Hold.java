package io.weft.examples.proxy;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import java.util.ArrayDeque;

/// Suspends reading as long as it is in the pipeline, or from the first batch on, and keeps what
/// was received before; both end when it is removed. If it [reads on][#readOn], it suspends reading
/// when it has much.
final class Hold implements ChannelHandler {
    private final ArrayDeque<Object> held = new ArrayDeque<>(2);
    private final boolean takesOneBatch;
    private int room;
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

    /// Takes `bytes` before it suspends reading again, so that an end of input is noticed. To be
    /// called on the loop.
    void readOn(Channel channel, int bytes) {
        room = bytes;
        ChannelHandlerContext ctx = channel.pipeline().context(this);
        if (ctx != null) {
            ctx.resumeReading();
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        held.add(message);
        room -= message instanceof Buffer buffer ? buffer.readableBytes() : 1;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (room <= 0) {
            ctx.suspendReading();
        }
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
