package io.weft.handler.flow;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.InputBoundary;
import io.weft.channel.Messages;
import java.util.ArrayDeque;

/// Passes on one message for each `read` if the channel does not read by itself. A decoder in front
/// may make many messages of one read; they wait here, and the end of the input waits behind them.
/// If the channel reads by itself, messages are forwarded unchanged, and when that is switched on
/// later, those that wait follow. At an [InputBoundary] nothing may wait.
///
/// **The end.** Where the channel closes with the end of its input, what waits then is handed on at
/// once, without a `read`, so that it comes before the end and can still be answered. Where
/// half-closure is allowed it waits on, and the end behind it.
///
/// **Limits.** So many messages and bytes may wait as one batch of input makes at the most. Beyond
/// that is an `IllegalStateException`, and if no handler takes it, the channel closes; that message
/// and all behind it are dropped.
public final class FlowControlHandler implements ChannelHandler {
    /// Messages that may wait unless said otherwise.
    public static final int DEFAULT_MAX_MESSAGES = 65_536;

    /// Bytes in messages that may wait unless said otherwise.
    public static final long DEFAULT_MAX_BYTES = 4L << 20;

    private final int maxMessages;
    private final long maxBytes;
    private final ArrayDeque<Object> waiting = new ArrayDeque<>(0);
    private long bytes;

    /// Reads that no message has answered yet; more than one at a time are the same as one.
    private boolean asked;

    private boolean delivering;

    /// Messages of a batch arrive, and it is not complete.
    private boolean inBatch;

    /// A message was passed on since the last `channelReadComplete`.
    private boolean incomplete;

    /// The input has ended behind what waits.
    private boolean ended;

    /// A message was dropped, and so are all behind it.
    private boolean failed;

    /// The channel closes with that end.
    private boolean last;

    /// It was asked to close, and does when that end has been told.
    private boolean closes;

    /// With the default limits.
    public FlowControlHandler() {
        this(DEFAULT_MAX_MESSAGES, DEFAULT_MAX_BYTES);
    }

    /// @param maxMessages that may wait
    /// @param maxBytes in messages that may wait, of those that are bytes
    public FlowControlHandler(int maxMessages, long maxBytes) {
        if (maxMessages <= 0 || maxBytes <= 0) {
            throw new IllegalArgumentException(
                    "maxMessages, maxBytes: " + maxMessages + ", " + maxBytes + " (expected: > 0)");
        }
        this.maxMessages = maxMessages;
        this.maxBytes = maxBytes;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) throws Exception {
        if (failed) {
            close(message);
            return;
        }
        inBatch = true;
        long length = Messages.bytes(message);
        if (waiting.size() == maxMessages || (!waiting.isEmpty() && bytes + length > maxBytes)) {
            int messages = waiting.size() + 1;
            long all = bytes + length;
            failed = true;
            close(message);
            throw new IllegalStateException(
                    "messages, bytes that nobody reads: "
                            + messages
                            + ", "
                            + all
                            + " (expected: at most "
                            + maxMessages
                            + ", "
                            + maxBytes
                            + ")");
        }
        waiting.add(message);
        bytes += length;
        deliver(ctx);
    }

    private static void close(Object message) throws Exception {
        if (message instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }

    private Object next() {
        Object message = waiting.remove();
        bytes -= Messages.bytes(message);
        return message;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        inBatch = false;
        if (waiting.isEmpty()) {
            complete(ctx);
        }
    }

    private void complete(ChannelHandlerContext ctx) {
        incomplete = false;
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        last = ctx.channel().closesAtInputEnd();
        if (last && !delivering) {
            deliver(ctx);
        }
        if (waiting.isEmpty() && !delivering) {
            end(ctx);
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
        while (!waiting.isEmpty()) {
            close(next());
        }
    }

    @Override
    public void read(ChannelHandlerContext ctx) {
        asked = true;
        boolean passesOn = waiting.isEmpty() || ctx.channel().autoRead();
        if (!waiting.isEmpty()) {
            deliver(ctx);
        }
        if (passesOn) {
            ctx.read(); // a handler before this one may keep input back, too
        }
    }

    /// Not re-entrant: a handler that gets a message may read, and is answered by this loop.
    private void deliver(ChannelHandlerContext ctx) {
        if (delivering) {
            return;
        }
        delivering = true;
        try {
            while (!waiting.isEmpty() && mayDeliver(ctx) && !ctx.isRemoved()) {
                asked = false;
                incomplete = true;
                ctx.fireChannelRead(next());
                boolean over = !ctx.channel().autoRead() || (waiting.isEmpty() && !inBatch);
                if (over && incomplete) {
                    complete(ctx);
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
            end(ctx);
            if (closes) {
                ctx.close();
            }
        } else if (asked) {
            ctx.read();
        }
    }

    /// With both directions ended the channel closes by itself: what waits comes before that, as it
    /// does where half-closure is not allowed.
    @Override
    public void close(ChannelHandlerContext ctx) {
        boolean lets = ended && ctx.channel().isActive() && ctx.channel().closesAtInputEnd();
        if (!lets) {
            ctx.close();
            return;
        }
        last = true;
        closes = true;
        deliver(ctx);
    }

    private void end(ChannelHandlerContext ctx) {
        if (incomplete) {
            complete(ctx);
        }
        ctx.fireChannelInputClosed();
    }

    private boolean mayDeliver(ChannelHandlerContext ctx) {
        return asked || last || ctx.channel().autoRead();
    }

    /// Passes waiting messages on at once if the channel is open, and releases them otherwise.
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) throws Exception {
        boolean some = !waiting.isEmpty();
        while (ctx.channel().isOpen() && !waiting.isEmpty()) {
            ctx.fireChannelRead(next());
        }
        release();
        if (ctx.channel().isOpen()) {
            if (some || (incomplete && !inBatch)) {
                ctx.fireChannelReadComplete();
            }
            if (ended) {
                ctx.fireChannelInputClosed();
            }
        }
    }
}
