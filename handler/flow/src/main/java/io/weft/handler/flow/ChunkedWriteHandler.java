package io.weft.handler.flow;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ChannelOption;
import io.weft.channel.Messages;
import io.weft.channel.WriteBufferWaterMark;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes [Chunks] as the peer takes them, so that of a content of any size no more than the high watermark is in memory. Other
/// messages that are written behind it wait for it, and count in the channel's writability. The promise of a content is told when
/// its last byte is sent, or why it was not.
///
/// **Closing** is orderly here too: what was flushed is made and sent first, unless the peer takes nothing of it for as long as
/// [ChannelOption#CLOSE_TIMEOUT].
public final class ChunkedWriteHandler implements ChannelHandler {
    /// What may wait behind a content.
    public static final int MAX_WAITING = 1024;

    /// Bytes, and pieces, that are made before the other channels of the loop have their turn.
    private static final int TURN = 1 << 20;

    private static final int MAX_PIECES = 1024;

    private record Waiting(Object message, @Nullable Promise<Void> promise, long bytes) {}

    private final ArrayDeque<Waiting> queue = new ArrayDeque<>(0);
    private @Nullable ChannelHandlerContext ctx;

    /// Of `queue`, how many were there at the last flush.
    private int flushed;

    /// Bytes of the messages in `queue`, but not of contents.
    private long held;

    /// Bytes that were written from here and are not sent yet; whether they are enough for now.
    private long inFlight;

    private boolean full;
    private boolean writing;
    private boolean scheduled;

    /// Somebody asked to close, and waits for what was flushed.
    private boolean closing;

    private @Nullable Timeout closeTimer;

    /// Bytes so far.
    private long written;

    public ChunkedWriteHandler() {}

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    /// A content that had nothing ready has something now. Loop only.
    public void resume() {
        if (ctx != null) {
            writeQueued(ctx);
        }
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise)
            throws Exception {
        Waiting waiting = new Waiting(message, promise, Messages.bytes(message));
        if (closing) {
            giveUp(waiting, new ClosedChannelException());
        } else if (queue.isEmpty() && !(message instanceof Chunks)) {
            ctx.write(message, promise);
        } else if (queue.size() == MAX_WAITING) {
            var e =
                    new IllegalStateException(
                            "writes behind a content: over "
                                    + MAX_WAITING
                                    + " (expected: at most "
                                    + MAX_WAITING
                                    + ")");
            giveUp(waiting, e);
            throw e;
        } else {
            queue.add(waiting);
            hold(ctx, waiting.bytes);
        }
    }

    private void hold(ChannelHandlerContext ctx, long more) {
        if (more != 0) {
            held += more;
            ctx.holds(held);
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        flushed = queue.size();
        if (flushed == 0) {
            ctx.flush();
        } else {
            writeQueued(ctx);
        }
    }

    /// Not re-entered: flushing may make room, which this loop then sees.
    private void writeQueued(ChannelHandlerContext ctx) {
        if (writing) {
            return;
        }
        writing = true;
        long before = written;
        int pieces = 0;
        try {
            while (flushed > 0 && hasRoom(ctx) && writeFirst(ctx)) {
                // In pieces, so that the kernel gets something to do while the next is made.
                ctx.flush();
                if (written - before >= TURN || ++pieces == MAX_PIECES) {
                    goOnLater(ctx);
                    break;
                }
            }
        } finally {
            writing = false;
        }
        ctx.flush();
        if (closing && flushed == 0) {
            closeNow(ctx);
        }
    }

    private void goOnLater(ChannelHandlerContext ctx) {
        if (!scheduled) {
            scheduled = true;
            ctx.eventLoop()
                    .execute(
                            () -> {
                                scheduled = false;
                                writeQueued(ctx);
                            });
        }
    }

    /// One piece is let through however much of others' waits: when it is sent, there is room again.
    private boolean hasRoom(ChannelHandlerContext ctx) {
        long waiting = ctx.channel().pendingBytes() - held;
        return inFlight == 0 || (!full && waiting <= waterMark(ctx).high());
    }

    private static WriteBufferWaterMark waterMark(ChannelHandlerContext ctx) {
        return ctx.channel().options().get(ChannelOption.WRITE_BUFFER_WATER_MARK);
    }

    /// Writes one message, or one piece; false when there is nothing to write yet.
    private boolean writeFirst(ChannelHandlerContext ctx) {
        Waiting first = queue.element();
        if (!(first.message instanceof Chunks chunks)) {
            remove();
            write(ctx, first.message, first.bytes, first.promise);
            hold(ctx, -first.bytes);
            return true;
        }
        Buffer piece = null;
        boolean end;
        try {
            end = chunks.isEnd();
            if (!end) {
                piece = chunks.next();
                end = piece != null && chunks.isEnd();
            }
        } catch (IOException | RuntimeException e) {
            remove();
            if (piece != null) {
                piece.release();
            }
            giveUp(first, e);
            ctx.fireExceptionCaught(e); // half a content was sent: the peer cannot know
            return true;
        }
        if (end) {
            remove();
            close(chunks);
        }
        if (piece != null) {
            write(ctx, piece, piece.readableBytes(), end ? first.promise : null);
        } else if (end && first.promise != null) {
            first.promise.trySuccess(null);
        }
        return end || piece != null;
    }

    private void write(
            ChannelHandlerContext ctx,
            Object message,
            long bytes,
            @Nullable Promise<Void> promise) {
        Promise<Void> sent = promise == null ? ctx.channel().newPromise() : promise;
        written += bytes;
        inFlight += bytes;
        full = inFlight > waterMark(ctx).high();
        sent.addListener(_ -> sent(ctx, bytes));
        ctx.write(message, sent);
    }

    private void sent(ChannelHandlerContext ctx, long bytes) {
        inFlight -= bytes;
        full &= inFlight > waterMark(ctx).low();
        if (!full && flushed > 0 && ctx.channel().isOpen()) {
            writeQueued(ctx);
        }
    }

    private void remove() {
        queue.remove();
        flushed--;
    }

    // ---- the end ----

    @Override
    public void close(ChannelHandlerContext ctx) {
        if (flushed == 0) {
            ctx.close();
        } else if (!closing) {
            closing = true;
            while (queue.size() > flushed) {
                giveUp(queue.removeLast(), new ClosedChannelException());
            }
            watch(ctx);
        }
    }

    private void watch(ChannelHandlerContext ctx) {
        long before = written - ctx.channel().pendingBytes();
        long timeout = ctx.channel().options().get(ChannelOption.CLOSE_TIMEOUT).toNanos();
        closeTimer =
                ctx.eventLoop()
                        .schedule(
                                () -> {
                                    if (written - ctx.channel().pendingBytes() == before) {
                                        closeNow(ctx);
                                    } else {
                                        watch(ctx);
                                    }
                                },
                                timeout,
                                TimeUnit.NANOSECONDS);
    }

    private void closeNow(ChannelHandlerContext ctx) {
        cancelTimer();
        failAll(new ClosedChannelException());
        ctx.close();
    }

    private void cancelTimer() {
        if (closeTimer != null) {
            closeTimer.cancel();
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        cancelTimer();
        failAll(new ClosedChannelException());
        ctx.fireChannelInactive();
    }

    /// What waits fails: the rest of a content cannot go elsewhere, nor what is behind it go before it.
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        cancelTimer();
        boolean open = ctx.channel().isOpen();
        failAll(
                open
                        ? new IllegalStateException("removed before its end (expected: after)")
                        : new ClosedChannelException());
        if (open && closing) {
            ctx.close();
        }
    }

    private void failAll(Exception cause) {
        flushed = 0;
        for (Waiting w; (w = queue.poll()) != null; ) {
            giveUp(w, cause);
        }
    }

    private static void giveUp(Waiting waiting, Throwable cause) {
        if (waiting.message instanceof AutoCloseable closeable) {
            close(closeable);
        }
        if (waiting.promise != null) {
            waiting.promise.tryFailure(cause);
        }
    }

    private static void close(AutoCloseable closeable) {
        try {
            closeable.close();
        } catch (Exception e) {
            System.getLogger(ChunkedWriteHandler.class.getName())
                    .log(System.Logger.Level.WARNING, "a content failed to close", e);
        }
    }
}
