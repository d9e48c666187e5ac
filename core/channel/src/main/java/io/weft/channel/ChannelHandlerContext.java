package io.weft.channel;

import io.weft.eventloop.EventLoop;
import io.weft.loop.Promise;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A handler's place in its pipeline: passes events to the next handler that takes them.
///
/// `fire…` methods throw an [IllegalStateException] elsewhere than on the channel's loop; `write`,
/// `flush`, `read`, `close` and `shutdownOutput` from any thread.
public final class ChannelHandlerContext {
    final ChannelHandler handler;

    /// Of the events that it takes; of none once it is removed.
    int mask;

    private final String name;
    private final ChannelPipeline pipeline;

    /// Links stay as they were when the handler is removed, so that an event it is just passing on
    /// gets through. Of several that are removed at once each leads to the next, as they no longer
    /// take events.
    @Nullable ChannelHandlerContext next;

    @Nullable ChannelHandlerContext prev;
    private boolean removed;

    /// Known to [Placements].
    boolean placed;

    /// Bytes that the handler keeps back.
    private long held;

    private boolean suspendsReading;

    /// A read that was asked for while this handler suspends reading.
    private boolean readWaits;

    ChannelHandlerContext(ChannelPipeline pipeline, String name, ChannelHandler handler) {
        this.pipeline = pipeline;
        this.name = name;
        this.handler = handler;
        this.mask = HandlerMask.of(handler.getClass());
    }

    public String name() {
        return name;
    }

    public ChannelHandler handler() {
        return handler;
    }

    public Channel channel() {
        return pipeline.channel();
    }

    public ChannelPipeline pipeline() {
        return pipeline;
    }

    public EventLoop eventLoop() {
        return pipeline.channel().eventLoop();
    }

    public boolean isRemoved() {
        return removed;
    }

    void removed() {
        removed = true;
        mask = 0;
    }

    /// Tells that the peer has promised to send nothing more, as an HTTP client does with
    /// `Connection: close` (RFC 9112, 9.6), and that all it sent has been handled. The channel's
    /// close then does not wait for the peer's end, unless something comes in before. A peer that
    /// breaks its promise later may be reset, and lose what has not arrived. Loop only.
    ///
    /// Without effect if there is a handler between this one and the channel: it may expect input
    /// of its own, as TLS does. See design document 0018.
    public void expectNoInput() {
        requireLoop("expectNoInput");
        if (pipeline.isFirst(this)) {
            pipeline.channel().inbound().expectNone();
        }
    }

    /// Tells how many bytes this handler keeps back that were written and are to be sent: they
    /// count in the channel's writability as if they were in the outbound queue; what bounds them
    /// is the handler's affair. When it has written some of them on it tells that it holds fewer,
    /// also within its `handlerRemoved`: bytes that it holds after that are lost. An output that is
    /// to end behind them is reset. Loop only.
    ///
    /// @throws IllegalArgumentException when `bytes` is negative
    public void holds(long bytes) {
        requireLoop("holds");
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: >= 0)");
        }
        long more = bytes - held;
        held = bytes;
        if (more != 0) {
            pipeline.channel().outbound().held(more);
        }
    }

    /// The handler has left: it has lost what it still holds.
    void gaveUp() {
        if (held > 0) {
            OutputEnd.lost(pipeline.channel().outbound());
            holds(0);
        }
    }

    /// Suspends reading on behalf of this handler. Until [#resumeReading] the channel does not read
    /// by itself, whatever [Channel#autoRead] says, and reads that handlers behind this one ask for
    /// wait here; those of handlers before it pass. A read that is outstanding is still answered.
    /// Idempotent; ends when the handler is removed.
    ///
    /// Thread: the channel's loop.
    public void suspendReading() {
        requireLoop("suspendReading");
        if (!suspendsReading && !removed) {
            suspendsReading = true;
            channel().inbound().suspend();
        }
    }

    /// Ends this handler's [#suspendReading]; of no effect without one.
    ///
    /// Thread: the channel's loop.
    public void resumeReading() {
        requireLoop("resumeReading");
        if (suspendsReading) {
            suspendsReading = false;
            channel().inbound().resume();
            if (readWaits) {
                readWaits = false;
                pipeline.ask(prev);
            }
        }
    }

    /// Tells if this handler suspends reading.
    public boolean suspendsReading() {
        return suspendsReading;
    }

    /// Keeps a read while this handler suspends reading.
    boolean keepsRead() {
        readWaits |= suspendsReading;
        return suspendsReading;
    }

    private void requireLoop(String operation) {
        eventLoop().requireLoop(operation);
    }

    // ---- inbound ----

    public void fireChannelActive() {
        requireLoop("fireChannelActive");
        pipeline.active(next);
    }

    public void fireChannelInactive() {
        requireLoop("fireChannelInactive");
        pipeline.inactive(next);
    }

    public void fireChannelRead(Object message) {
        requireLoop("fireChannelRead");
        pipeline.read(next, message);
    }

    public void fireChannelReadComplete() {
        requireLoop("fireChannelReadComplete");
        pipeline.readComplete(next);
    }

    public void fireChannelInputClosed() {
        requireLoop("fireChannelInputClosed");
        pipeline.inputClosed(next);
    }

    public void fireChannelWritabilityChanged() {
        requireLoop("fireChannelWritabilityChanged");
        pipeline.writabilityChanged(next);
    }

    public void fireUserEventTriggered(Object event) {
        requireLoop("fireUserEventTriggered");
        pipeline.userEvent(next, event);
    }

    public void fireExceptionCaught(Throwable cause) {
        requireLoop("fireExceptionCaught");
        pipeline.exception(next, cause);
    }

    /// Fires the failure of a write whose writer gave no promise, for a handler that put one of its
    /// own in its place. Without effect where handlers hear of it otherwise: what a handler threw,
    /// or that the connection is broken.
    ///
    /// Thread: the channel's loop.
    public void fireWriteFailed(Throwable cause) {
        if (!(cause instanceof IOException) && !pipeline.isTold(cause)) {
            pipeline.exception(next, cause);
        }
    }

    // ---- outbound ----

    /// Writes without asking for the outcome, which allocates no promise.
    public void write(Object message) {
        write(message, null);
    }

    public void write(Object message, @Nullable Promise<Void> promise) {
        if (eventLoop().inLoop()) {
            pipeline.write(prev, message, promise);
        } else {
            QueuedWrite.queue(channel(), this, message, promise, false);
        }
    }

    public void flush() {
        if (eventLoop().inLoop()) {
            pipeline.flush(prev);
        } else {
            eventLoop().execute(() -> pipeline.flush(prev));
        }
    }

    public void writeAndFlush(Object message) {
        writeAndFlush(message, null);
    }

    public void writeAndFlush(Object message, @Nullable Promise<Void> promise) {
        if (eventLoop().inLoop()) {
            pipeline.write(prev, message, promise);
            pipeline.flush(prev);
        } else {
            QueuedWrite.queue(channel(), this, message, promise, true);
        }
    }

    public void read() {
        if (eventLoop().inLoop()) {
            pipeline.ask(prev);
        } else {
            eventLoop().execute(() -> pipeline.ask(prev));
        }
    }

    public void close() {
        if (eventLoop().inLoop()) {
            pipeline.close(prev);
        } else {
            eventLoop().engine().close(() -> pipeline.close(prev));
        }
    }

    /// Ends the output from this handler on, toward the channel.
    public void shutdownOutput() {
        if (eventLoop().inLoop()) {
            pipeline.shutdownOutput(prev);
        } else {
            eventLoop().engine().close(() -> pipeline.shutdownOutput(prev));
        }
    }

    @Override
    public String toString() {
        return name + " of " + channel();
    }
}
