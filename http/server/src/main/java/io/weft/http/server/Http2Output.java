package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The frames that a connection sends: gathered while a batch of events is handled, and sent by one
/// write behind it. Thread: the channel's loop.
final class Http2Output {
    private final Runnable flush;
    private @Nullable ChannelHandlerContext ctx;
    private @Nullable Responses gathered;

    /// The machine is on the stack, or streams are being served: a flush follows by itself.
    private boolean busy;

    private boolean flushQueued;

    /// Frames were written to the channel, and not flushed.
    private boolean unflushed;

    /// @param flush lets streams send, and calls [#flush()]
    Http2Output(Runnable flush) {
        this.flush = flush;
    }

    void attach(ChannelHandlerContext context) {
        ctx = context;
        gathered = new Responses(context);
    }

    /// Returns the buffer that frames are written to.
    Buffer buffer() {
        return gathered().out();
    }

    private Responses gathered() {
        if (gathered == null) {
            throw new IllegalStateException("not in a pipeline");
        }
        return gathered;
    }

    /// Runs something that may write frames; they are flushed behind it.
    void run(Runnable task) {
        boolean nested = busy;
        busy = true;
        try {
            task.run();
        } finally {
            busy = nested;
        }
    }

    boolean isBusy() {
        return busy;
    }

    /// Writes what is gathered to the channel if it is much.
    void wrote() {
        if (gathered().isFull()) {
            unflushed |= gathered().write();
        }
    }

    /// Writes what is gathered, and flushes.
    void flush() {
        if ((gathered().write() || unflushed) && ctx != null) {
            unflushed = false;
            ctx.flush();
        }
    }

    /// Flushes what was written; within a batch of events, behind it.
    void flushSoon() {
        if (busy || flushQueued || ctx == null) {
            return;
        }
        flushQueued = true;
        try {
            ctx.eventLoop().executeUnbounded(this::flushNow);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and the connection with it.
        }
    }

    private void flushNow() {
        flushQueued = false;
        flush.run();
    }

    /// Gives up what was gathered: the connection has ended.
    void release() {
        if (gathered != null) {
            gathered.release();
        }
    }
}
