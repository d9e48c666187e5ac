package io.weft.conformance.rig;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// Writes down all events of a handler and passes them on; one of them it may throw in instead.
public class Recorder implements ChannelHandler {
    /// The callbacks of a handler.
    public enum Callback {
        ADDED,
        ACTIVE,
        READ,
        READ_COMPLETE,
        INPUT_CLOSED,
        WRITABILITY_CHANGED,
        USER_EVENT,
        EXCEPTION,
        WRITE,
        FLUSH,
        ASK,
        CLOSE,
        INACTIVE,
        REMOVED
    }

    /// Events and exceptions so far; any thread may read them.
    public final List<Callback> seen = new CopyOnWriteArrayList<>();

    public final List<Throwable> caught = new CopyOnWriteArrayList<>();
    private final @Nullable Callback bad;
    private final @Nullable Throwable thrown;

    public Recorder() {
        this(null, null);
    }

    /// @param bad the callback that throws `thrown`, the first time that it is called
    public Recorder(@Nullable Callback bad, @Nullable Throwable thrown) {
        this.bad = bad;
        this.thrown = thrown;
    }

    public boolean has(Callback callback) {
        return seen.contains(callback);
    }

    private void saw(Callback callback) {
        boolean first = !has(callback);
        seen.add(callback);
        if (callback == bad && first && thrown != null) {
            Recorder.<RuntimeException>sneak(thrown);
        }
    }

    /// Releases what is not passed on.
    private void sawMessage(Callback callback, Object message) {
        try {
            saw(callback);
        } catch (Throwable t) {
            ((Buffer) message).release();
            throw t;
        }
    }

    @SuppressWarnings("unchecked") // nothing is cast where it is erased
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        saw(Callback.ADDED);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        saw(Callback.REMOVED);
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        saw(Callback.ACTIVE);
        ctx.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        saw(Callback.INACTIVE);
        ctx.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        sawMessage(Callback.READ, message);
        ctx.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        saw(Callback.READ_COMPLETE);
        ctx.fireChannelReadComplete();
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        saw(Callback.INPUT_CLOSED);
        ctx.fireChannelInputClosed();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        saw(Callback.WRITABILITY_CHANGED);
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        saw(Callback.USER_EVENT);
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        caught.add(cause);
        saw(Callback.EXCEPTION);
        ctx.fireExceptionCaught(cause);
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        sawMessage(Callback.WRITE, message);
        ctx.write(message, promise);
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        saw(Callback.FLUSH);
        ctx.flush();
    }

    @Override
    public void read(ChannelHandlerContext ctx) {
        saw(Callback.ASK);
        ctx.read();
    }

    @Override
    public void close(ChannelHandlerContext ctx) {
        saw(Callback.CLOSE);
        ctx.close();
    }
}
