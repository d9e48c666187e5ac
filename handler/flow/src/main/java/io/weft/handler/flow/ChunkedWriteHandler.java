package io.weft.handler.flow;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Writes [Chunks] while the channel is writable, so that of a content of any size no more than the high watermark is in
/// memory. Other messages that are written behind it wait for it. The promise of a content is told when its last byte is
/// sent, or why it was not.
public final class ChunkedWriteHandler implements ChannelHandler {
    /// What may wait behind a content.
    public static final int MAX_WAITING = 1024;

    private record Waiting(Object message, @Nullable Promise<Void> promise) {}

    private final ArrayDeque<Waiting> queue = new ArrayDeque<>(0);
    private @Nullable ChannelHandlerContext ctx;

    /// Of `queue`, how many were there at the last flush.
    private int flushed;

    private boolean writing;

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
        if (queue.isEmpty() && !(message instanceof Chunks)) {
            ctx.write(message, promise);
        } else if (queue.size() == MAX_WAITING) {
            var e =
                    new IllegalStateException(
                            "writes behind a content: over "
                                    + MAX_WAITING
                                    + " (expected: at most "
                                    + MAX_WAITING
                                    + ")");
            giveUp(new Waiting(message, promise), e);
            throw e;
        } else {
            queue.add(new Waiting(message, promise));
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

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable()) {
            writeQueued(ctx);
        }
        ctx.fireChannelWritabilityChanged();
    }

    /// Not re-entered: flushing may make the channel writable again, which this loop then sees.
    private void writeQueued(ChannelHandlerContext ctx) {
        if (writing) {
            return;
        }
        writing = true;
        try {
            while (flushed > 0 && ctx.channel().isWritable() && writeFirst(ctx)) {
                // In pieces, so that the kernel gets something to do while the next is made.
                ctx.flush();
            }
        } finally {
            writing = false;
        }
        ctx.flush();
    }

    /// Writes one message, or one piece; false when there is nothing to write yet.
    private boolean writeFirst(ChannelHandlerContext ctx) {
        Waiting first = queue.element();
        if (!(first.message instanceof Chunks chunks)) {
            remove();
            ctx.write(first.message, first.promise);
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
            ctx.write(piece, end ? first.promise : null);
        } else if (end && first.promise != null) {
            first.promise.trySuccess(null);
        }
        return end || piece != null;
    }

    private void remove() {
        queue.remove();
        flushed--;
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        failAll();
        ctx.fireChannelInactive();
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        failAll();
    }

    private void failAll() {
        flushed = 0;
        for (Waiting w; (w = queue.poll()) != null; ) {
            giveUp(w, new ClosedChannelException());
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
