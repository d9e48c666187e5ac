package io.weft.handler.flow;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.InputBoundary;
import java.util.ArrayDeque;

/// Hands on one message for each `read`, where the channel does not read by itself: a decoder before it may make many
/// messages of one read, and they wait here, and the end of the input behind them. Where it does read by itself, messages just
/// pass. Who has it read by itself later calls `read` once, for what waits. At an [InputBoundary] nothing may wait.
public final class FlowControlHandler implements ChannelHandler {
    private final ArrayDeque<Object> waiting = new ArrayDeque<>(0);

    /// Reads that no message has answered yet; more than one at a time are the same as one.
    private boolean asked;

    private boolean delivering;
    private boolean completed;

    /// The input has ended behind what waits.
    private boolean ended;

    public FlowControlHandler() {}

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        completed = false;
        waiting.add(message);
        deliver(ctx);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (waiting.isEmpty()) {
            ctx.fireChannelReadComplete();
        } else {
            completed = true; // told behind the last message of the batch
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        if (waiting.isEmpty() && !delivering) {
            ctx.fireChannelInputClosed();
        } else {
            ended = true;
        }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
        if (event instanceof InputBoundary && !waiting.isEmpty()) {
            int left = waiting.size();
            release();
            throw new IllegalStateException(
                    "messages in front of a boundary of the input: " + left + " (expected: none)");
        }
        ctx.fireUserEventTriggered(event);
    }

    private void release() throws Exception {
        for (Object message; (message = waiting.poll()) != null; ) {
            if (message instanceof AutoCloseable closeable) {
                closeable.close();
            }
        }
    }

    @Override
    public void read(ChannelHandlerContext ctx) {
        asked = true;
        if (waiting.isEmpty()) {
            ctx.read();
        } else {
            deliver(ctx);
        }
    }

    /// Not re-entered: whoever gets a message may read, and is answered by this loop.
    private void deliver(ChannelHandlerContext ctx) {
        if (delivering) {
            return;
        }
        delivering = true;
        try {
            while (!waiting.isEmpty() && (asked || ctx.channel().autoRead()) && !ctx.isRemoved()) {
                asked = false;
                ctx.fireChannelRead(waiting.remove());
                if (!ctx.channel().autoRead() || (completed && waiting.isEmpty())) {
                    completed = false;
                    ctx.fireChannelReadComplete();
                }
            }
        } finally {
            delivering = false;
        }
        if (!waiting.isEmpty() || ctx.isRemoved()) {
            return;
        }
        if (ended) {
            ended = false;
            ctx.fireChannelInputClosed();
        } else if (asked) {
            ctx.read();
        }
    }

    /// What waits travels on at once while the channel is open, and is released otherwise.
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) throws Exception {
        boolean some = !waiting.isEmpty();
        while (ctx.channel().isOpen() && !waiting.isEmpty()) {
            ctx.fireChannelRead(waiting.remove());
        }
        release();
        if (ctx.channel().isOpen()) {
            if (some) {
                ctx.fireChannelReadComplete();
            }
            if (ended) {
                ctx.fireChannelInputClosed();
            }
        }
    }
}
