package io.weft.channel;

import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;

/// A handler's place in its pipeline: passes events to the next handler that takes them.
///
/// `fire…` methods are called on the channel's loop; `write`, `flush`, `read` and `close` from any thread.
public final class ChannelHandlerContext {
    final ChannelHandler handler;

    /// Of the events that it takes; of none once it is removed.
    int mask;

    private final String name;
    private final ChannelPipeline pipeline;

    /// Links stay as they were when the handler is removed, so that an event it is just passing on gets through. Of several that
    /// are removed at once each leads to the next, as none of them takes events any more.
    @Nullable ChannelHandlerContext next;

    @Nullable ChannelHandlerContext prev;
    private boolean removed;

    /// Bytes that the handler keeps back.
    private long held;

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

    /// Tells how many bytes this handler keeps back that were written and are to be sent: they count in the channel's
    /// writability as if they were in the outbound queue; what bounds them is the handler's affair. When it has written some
    /// of them on it tells that it holds fewer; once it is removed it holds none. Loop only.
    ///
    /// @throws IllegalArgumentException when `bytes` is negative
    public void holds(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: >= 0)");
        }
        long more = bytes - held;
        held = bytes;
        if (more != 0) {
            pipeline.channel().outbound().held(more);
        }
    }

    // ---- inbound ----

    public void fireChannelActive() {
        pipeline.active(next);
    }

    public void fireChannelInactive() {
        pipeline.inactive(next);
    }

    public void fireChannelRead(Object message) {
        pipeline.read(next, message);
    }

    public void fireChannelReadComplete() {
        pipeline.readComplete(next);
    }

    public void fireChannelInputClosed() {
        pipeline.inputClosed(next);
    }

    public void fireChannelWritabilityChanged() {
        pipeline.writabilityChanged(next);
    }

    public void fireUserEventTriggered(Object event) {
        pipeline.userEvent(next, event);
    }

    public void fireExceptionCaught(Throwable cause) {
        pipeline.exception(next, cause);
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
            channel().onLoop(() -> pipeline.write(prev, message, promise), message, promise);
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
            channel().onLoop(() -> writeAndFlush(message, promise), message, promise);
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
            eventLoop().executeClose(() -> pipeline.close(prev));
        }
    }

    @Override
    public String toString() {
        return name + " of " + channel();
    }
}
