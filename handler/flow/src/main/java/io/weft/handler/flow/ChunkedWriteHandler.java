package io.weft.handler.flow;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.Messages;
import io.weft.engine.ChannelOption;
import io.weft.engine.FileRegion;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes [Chunks] as the peer takes them, so that of a content of any size no more than the high
/// watermark is in memory. Other messages that are written behind it wait for it, and count in the
/// channel's writability; 1,024 of them may, and as many bytes as the outbound queue's cap: beyond,
/// a write fails. The promise of a content is told when its last byte is sent, or why it was not. A
/// content of which a piece is lost is not gone on with: the channel is reset, as the peer could
/// take what it has for the whole.
///
/// **Closing** is orderly here too: what was flushed is made and sent first, unless the peer takes
/// nothing of it for as long as [ChannelOption#CLOSE_TIMEOUT]; then the channel is reset.
public final class ChunkedWriteHandler implements ChannelHandler {
    /// Messages that may wait behind a content.
    public static final int MAX_WAITING = 1024;

    /// Bytes, and pieces, that are made before the other channels of the loop have their turn.
    private static final int TURN = 1 << 20;

    private static final int MAX_PIECES = 1024;

    private record Waiting(Object message, @Nullable Promise<Void> promise, long bytes) {
        /// A file takes none.
        long memory() {
            return message instanceof FileRegion ? 0 : bytes;
        }

        /// The bytes of a content are not known, nor those of what is still to be encoded. Both
        /// count, so that the output does not end before them.
        long held() {
            return Math.max(bytes, 1);
        }
    }

    private final ArrayDeque<Waiting> queue = new ArrayDeque<>(0);
    private @Nullable ChannelHandlerContext ctx;

    /// Of `queue`, how many were there at the last flush.
    private int flushed;

    /// Bytes of the messages in `queue`, and one for each that has none yet.
    private long held;

    private long heldMemory;

    /// Bytes that were written from here and are not sent yet; whether they are enough for now.
    private long inFlight;

    private boolean full;

    /// Bytes of the first content were written, and its last are not made yet.
    private boolean begun;

    private boolean writing;
    private boolean scheduled;

    /// True if a close was requested and waits for flushed messages.
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
            refuse(waiting, "writes", MAX_WAITING + 1L, MAX_WAITING);
        } else if (heldMemory + waiting.memory() > waterMark(ctx).cap()) {
            refuse(waiting, "bytes", heldMemory + waiting.memory(), waterMark(ctx).cap());
        } else {
            queue.add(waiting);
            heldMemory += waiting.memory();
            hold(ctx, waiting.held());
        }
    }

    private static void refuse(Waiting waiting, String what, long all, long most) {
        var e =
                new IllegalStateException(
                        what + " behind a content: " + all + " (expected: at most " + most + ")");
        giveUp(waiting, e);
        throw e;
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
            cancelTimer();
            failAll(new ClosedChannelException());
            ctx.close();
        }
    }

    private void goOnLater(ChannelHandlerContext ctx) {
        if (!scheduled) {
            scheduled = true;
            ctx.eventLoop()
                    .executeUnbounded(
                            () -> {
                                scheduled = false;
                                writeQueued(ctx);
                            });
        }
    }

    /// One piece is let through however much of others' waits: when it is sent, there is room
    /// again.
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
            hold(ctx, -first.held());
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
        } catch (Throwable e) { // an Error of a content would stall it, and those behind it
            if (piece != null) {
                piece.release();
            }
            fail(ctx, first, e);
            return true;
        }
        if (end) {
            remove();
            close(chunks);
        }
        if (piece != null) {
            writePiece(ctx, first, piece, end);
        } else if (end && first.promise != null) {
            first.promise.trySuccess(null);
        }
        if (end) {
            begun = false;
            hold(ctx, -first.held());
        }
        return end || piece != null;
    }

    private void write(
            ChannelHandlerContext ctx,
            Object message,
            long bytes,
            @Nullable Promise<Void> promise) {
        Promise<Void> sent = promise == null ? ctx.channel().newPromise() : promise;
        begin(ctx, bytes);
        sent.addListener(
                outcome -> {
                    Throwable cause = outcome.cause();
                    if (promise == null && cause != null) {
                        ctx.fireWriteFailed(cause);
                    }
                    sent(ctx, bytes);
                });
        ctx.write(message, sent);
    }

    /// The promise of a content is told of its first piece that fails, or of its last.
    private void writePiece(ChannelHandlerContext ctx, Waiting content, Buffer piece, boolean end) {
        Promise<Void> sent = ctx.channel().newPromise();
        int bytes = piece.readableBytes();
        begin(ctx, bytes);
        begun |= bytes > 0;
        sent.addListener(
                outcome -> {
                    Throwable cause = outcome.cause();
                    if (cause != null) {
                        fail(ctx, content, cause);
                    } else if (end && content.promise != null) {
                        content.promise.trySuccess(null);
                    }
                    sent(ctx, bytes);
                });
        ctx.write(piece, sent);
    }

    private void begin(ChannelHandlerContext ctx, long bytes) {
        written += bytes;
        inFlight += bytes;
        full = inFlight > waterMark(ctx).high();
    }

    /// Ends a content of which a piece is missing, and the channel: the peer cannot know of the
    /// hole, and what is written behind it would be taken for the rest.
    private void fail(ChannelHandlerContext ctx, Waiting content, Throwable cause) {
        if (queue.peek() == content) {
            remove();
        }
        giveUp(content, cause);
        if (ctx.channel().isOpen()) {
            failAll(new ClosedChannelException());
            ctx.fireExceptionCaught(cause);
            ctx.channel().abort();
        }
    }

    private void sent(ChannelHandlerContext ctx, long bytes) {
        inFlight -= bytes;
        full &= inFlight > waterMark(ctx).low();
        if (!full && flushed > 0 && ctx.channel().isOpen()) {
            writeQueued(ctx);
        }
    }

    private void remove() {
        heldMemory -= queue.remove().memory();
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
                Waiting last = queue.removeLast();
                heldMemory -= last.memory();
                giveUp(last, new ClosedChannelException());
            }
            watch(ctx);
        }
    }

    private void watch(ChannelHandlerContext ctx) {
        long before = written - ctx.channel().pendingBytes();
        Duration patience = ctx.channel().options().get(ChannelOption.CLOSE_TIMEOUT);
        long timeout = TimeUnit.NANOSECONDS.convert(patience); // 292 years at most
        closeTimer =
                ctx.eventLoop()
                        .schedule(
                                () -> {
                                    if (written - ctx.channel().pendingBytes() == before) {
                                        giveUp(ctx, new ClosedChannelException());
                                    } else {
                                        watch(ctx);
                                    }
                                },
                                timeout,
                                TimeUnit.NANOSECONDS);
    }

    /// Gives up what waits. A content that is cut off has no orderly end, nor has one that a close
    /// waits for.
    private void giveUp(ChannelHandlerContext ctx, Exception cause) {
        cancelTimer();
        boolean cut = ctx.channel().isOpen() && (begun || (closing && !queue.isEmpty()));
        failAll(cause);
        if (cut) {
            ctx.channel().abort();
        }
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

    /// Fails all pending writes: the rest of a content cannot go elsewhere, and later messages must
    /// not overtake it. If a content has begun, or a close or the end of the output waits, the
    /// channel is reset.
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        giveUp(
                ctx,
                ctx.channel().isOpen()
                        ? new IllegalStateException("removed before its end (expected: after)")
                        : new ClosedChannelException());
    }

    private void failAll(Exception cause) {
        flushed = 0;
        heldMemory = 0;
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
        } catch (Throwable e) { // what is behind it is given up too
            System.getLogger(ChunkedWriteHandler.class.getName())
                    .log(System.Logger.Level.WARNING, "a content failed to close", e);
        }
    }
}
