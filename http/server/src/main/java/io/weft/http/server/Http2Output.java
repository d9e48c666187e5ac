package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.http2.FrameOutput;
import io.weft.http.http2.OutgoingFrames;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The frames that a connection sends: gathered while a batch of events is handled, and sent by one
/// write behind it. Thread: the channel's loop.
final class Http2Output {
    private final Runnable flush;
    private @Nullable ChannelHandlerContext ctx;
    private final OutgoingFrames frames;

    /// Writes to the channel.
    private @Nullable Consumer<Buffer> write;

    /// The machine is on the stack, or streams are being served: a flush follows by itself.
    private boolean busy;

    private boolean flushQueued;

    /// Frames were written to the channel, and not flushed.
    private boolean unflushed;

    /// @param flush lets streams send, and calls [#flush()]
    /// @param allocator returns that of the channel
    Http2Output(Runnable flush, Supplier<BufferAllocator> allocator) {
        this.flush = flush;
        this.frames = new OutgoingFrames(allocator);
    }

    void attach(ChannelHandlerContext context) {
        ctx = context;
        write = context::write;
    }

    /// Returns where the machine writes its frames.
    FrameOutput frames() {
        return frames;
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
        if (frames.bytes() >= OutgoingFrames.FULL) {
            unflushed |= write();
        }
    }

    /// Writes what is gathered, and flushes.
    void flush() {
        if ((write() || unflushed) && ctx != null) {
            unflushed = false;
            ctx.flush();
        }
    }

    private boolean write() {
        return write != null && frames.drainTo(write);
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
        frames.release();
    }
}
