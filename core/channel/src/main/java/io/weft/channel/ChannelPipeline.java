package io.weft.channel;

import static io.weft.channel.HandlerMask.ACTIVE;
import static io.weft.channel.HandlerMask.ASK;
import static io.weft.channel.HandlerMask.CLOSE;
import static io.weft.channel.HandlerMask.EXCEPTION;
import static io.weft.channel.HandlerMask.FLUSH;
import static io.weft.channel.HandlerMask.INACTIVE;
import static io.weft.channel.HandlerMask.INPUT_CLOSED;
import static io.weft.channel.HandlerMask.READ;
import static io.weft.channel.HandlerMask.READ_COMPLETE;
import static io.weft.channel.HandlerMask.SHUTDOWN;
import static io.weft.channel.HandlerMask.USER_EVENT;
import static io.weft.channel.HandlerMask.WRITABILITY;
import static io.weft.channel.HandlerMask.WRITE;

import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The handlers of a channel, in order: inbound events go from first to last, outbound ones from
/// last to first.
///
/// Handlers may be added, removed and replaced at run time: on the channel's loop, and from other
/// threads by [#change]. A removed handler no longer gets events, not even those in flight. If the
/// channel has closed, an added handler is removed again at once. An exception that a handler
/// throws goes to its own `exceptionCaught`; one that no handler handles closes this channel and no
/// other, but for datagram channels, which go on.
public final class ChannelPipeline {
    private final Channel channel;
    private final HandlerList handlers = new HandlerList(this);

    /// Writes, flushes and closes that handlers have begun and not ended, one within the other.
    private int operations;

    /// By a handler's write, while its promise is told.
    private @Nullable Throwable thrown;

    /// Null: messages are released, and exceptions are logged.
    private Inbound.@Nullable Rest rest;

    ChannelPipeline(Channel channel) {
        this.channel = channel;
    }

    public Channel channel() {
        return channel;
    }

    void rest(Inbound.Rest taker) {
        rest = taker;
    }

    /// @return true if exceptions are taken by a [Inbound.Rest]
    boolean tellUnhandled(Throwable cause) {
        if (rest != null) {
            rest.exception(cause);
        }
        return rest != null;
    }

    // ---- handlers ----

    public ChannelPipeline addFirst(String name, ChannelHandler handler) {
        handlers.addFirst(name, handler);
        return this;
    }

    public ChannelPipeline addLast(ChannelHandler handler) {
        handlers.addLast(null, handler);
        return this;
    }

    public ChannelPipeline addLast(String name, ChannelHandler handler) {
        handlers.addLast(name, handler);
        return this;
    }

    public ChannelPipeline addAfter(ChannelHandler existing, String name, ChannelHandler handler) {
        handlers.addAfter(handlers.required(existing), name, handler);
        return this;
    }

    public ChannelPipeline addBefore(ChannelHandler existing, String name, ChannelHandler handler) {
        handlers.addBefore(handlers.required(existing), name, handler);
        return this;
    }

    /// @throws IllegalArgumentException when it is not in this pipeline
    public ChannelPipeline remove(ChannelHandler handler) {
        handlers.remove(handlers.required(handler));
        return this;
    }

    /// @return what was removed
    /// @throws IllegalArgumentException when this pipeline has no handler of that name
    public ChannelHandler remove(String name) {
        return handlers.take(handlers.required(name));
    }

    /// Removes the first handler of that type.
    ///
    /// @return what was removed
    /// @throws IllegalArgumentException when this pipeline has none
    public <T extends ChannelHandler> T remove(Class<T> type) {
        return type.cast(handlers.take(handlers.required(type)));
    }

    /// Puts `by` in the place of `handler`. It is added before `handler` is removed, so that no
    /// event falls between. Where it cannot be added, because its `handlerAdded` throws, `handler`
    /// stays.
    ///
    /// @throws IllegalArgumentException when `handler` is not in this pipeline, or another one has
    ///     that name
    public ChannelPipeline replace(ChannelHandler handler, String name, ChannelHandler by) {
        var _ = handlers.replace(handlers.required(handler), name, by);
        return this;
    }

    /// As [#replace(ChannelHandler, String, ChannelHandler)], of the handler called `existing`,
    /// which may lend its name.
    ///
    /// @return what was replaced
    public ChannelHandler replace(String existing, String name, ChannelHandler by) {
        return handlers.replace(handlers.required(existing), name, by);
    }

    /// As [#replace(ChannelHandler, String, ChannelHandler)], of the first handler of that type.
    ///
    /// @return what was replaced
    public <T extends ChannelHandler> T replace(Class<T> type, String name, ChannelHandler by) {
        return type.cast(handlers.replace(handlers.required(type), name, by));
    }

    /// Changes this pipeline from any thread: runs `change` on the channel's loop.
    ///
    /// @return fails with what it throws, or with a `RejectedExecutionException`
    public Future<Void> change(Consumer<? super ChannelPipeline> change) {
        Promise<Void> done = channel.newPromise();
        if (channel.eventLoop().inLoop()) {
            change(change, done);
            return done;
        }
        try {
            channel.eventLoop().execute(() -> change(change, done));
        } catch (RejectedExecutionException e) {
            done.tryFailure(e);
        }
        return done;
    }

    private void change(Consumer<? super ChannelPipeline> change, Promise<Void> done) {
        try {
            change.accept(this);
            done.trySuccess(null);
        } catch (Throwable t) {
            done.tryFailure(t);
        }
    }

    boolean isFirst(ChannelHandlerContext ctx) {
        return handlers.first() == ctx;
    }

    /// The names of the handlers, first to last.
    public List<String> names() {
        return handlers.names();
    }

    public @Nullable ChannelHandlerContext context(ChannelHandler handler) {
        return handlers.find(handler);
    }

    public @Nullable ChannelHandlerContext context(String name) {
        return handlers.find(name);
    }

    /// The first handler of that type.
    public <T extends ChannelHandler> @Nullable T get(Class<T> type) {
        ChannelHandlerContext ctx = handlers.find(type);
        return ctx == null ? null : type.cast(ctx.handler);
    }

    /// Of the first handler of that type.
    public @Nullable ChannelHandlerContext context(Class<? extends ChannelHandler> type) {
        return handlers.find(type);
    }

    /// Removes all handlers, first to last, when the channel is closed.
    void clear() {
        handlers.clear();
    }

    // ---- inbound: from ctx on, the first that takes the event ----

    private static @Nullable ChannelHandlerContext forward(
            @Nullable ChannelHandlerContext ctx, int event) {
        while (ctx != null && (ctx.mask & event) == 0) {
            ctx = ctx.next;
        }
        return ctx;
    }

    /// Thread: the channel's loop.
    ///
    /// @throws IllegalStateException elsewhere
    public void fireUserEventTriggered(Object event) {
        channel.eventLoop().requireLoop("fireUserEventTriggered");
        userEvent(handlers.first(), event);
    }

    void fireActive() {
        active(handlers.first());
    }

    void fireInactive() {
        inactive(handlers.first());
    }

    void fireRead(Object message) {
        read(handlers.first(), message);
    }

    void fireReadComplete() {
        readComplete(handlers.first());
    }

    void fireInputClosed() {
        inputClosed(handlers.first());
    }

    void fireWritabilityChanged() {
        writabilityChanged(handlers.first());
    }

    void fireException(Throwable cause) {
        exception(handlers.first(), cause);
    }

    void active(@Nullable ChannelHandlerContext from) {
        ChannelHandlerContext ctx = forward(from, ACTIVE);
        if (ctx != null) {
            try {
                ctx.handler.channelActive(ctx);
            } catch (Throwable cause) {
                failed(ctx, cause);
            }
        }
    }

    void inactive(@Nullable ChannelHandlerContext from) {
        ChannelHandlerContext ctx = forward(from, INACTIVE);
        if (ctx != null) {
            try {
                ctx.handler.channelInactive(ctx);
            } catch (Throwable cause) {
                failed(ctx, cause);
            }
        }
    }

    void read(@Nullable ChannelHandlerContext from, Object message) {
        ChannelHandlerContext ctx = forward(from, READ);
        if (ctx == null) {
            if (rest != null) {
                rest.message(message);
            } else {
                channel.inbound().tellUnread(message);
                Messages.release(message);
            }
            return;
        }
        try {
            ctx.handler.channelRead(ctx, message);
        } catch (Throwable cause) {
            failed(ctx, cause);
        }
    }

    void readComplete(@Nullable ChannelHandlerContext from) {
        ChannelHandlerContext ctx = forward(from, READ_COMPLETE);
        if (ctx != null) {
            try {
                ctx.handler.channelReadComplete(ctx);
            } catch (Throwable cause) {
                failed(ctx, cause);
            }
        }
    }

    void inputClosed(@Nullable ChannelHandlerContext from) {
        ChannelHandlerContext ctx = forward(from, INPUT_CLOSED);
        if (ctx != null) {
            try {
                ctx.handler.channelInputClosed(ctx);
            } catch (Throwable cause) {
                failed(ctx, cause);
            }
        }
    }

    void writabilityChanged(@Nullable ChannelHandlerContext from) {
        ChannelHandlerContext ctx = forward(from, WRITABILITY);
        if (ctx != null) {
            try {
                ctx.handler.channelWritabilityChanged(ctx);
            } catch (Throwable cause) {
                failed(ctx, cause);
            }
        }
    }

    void userEvent(@Nullable ChannelHandlerContext from, Object event) {
        ChannelHandlerContext ctx = forward(from, USER_EVENT);
        if (ctx != null) {
            try {
                ctx.handler.userEventTriggered(ctx, event);
            } catch (Throwable cause) {
                failed(ctx, cause);
            }
        }
    }

    void exception(@Nullable ChannelHandlerContext from, Throwable cause) {
        exception(from, cause, null);
    }

    /// @param thrower the handler that threw; null if the exception was fired
    void exception(
            @Nullable ChannelHandlerContext from,
            Throwable cause,
            @Nullable ChannelHandlerContext thrower) {
        ChannelHandlerContext ctx = forward(from, EXCEPTION);
        if (ctx == null) {
            channel.life().unhandled(thrower, cause);
            return;
        }
        try {
            ctx.handler.exceptionCaught(ctx, cause);
        } catch (Throwable again) {
            if (again != cause) {
                again.addSuppressed(cause);
            }
            channel.life().unhandled(ctx, again);
        }
    }

    /// A handler threw: its own `exceptionCaught` is asked first.
    private void failed(ChannelHandlerContext ctx, Throwable cause) {
        exception(ctx, cause, ctx);
    }

    // ---- outbound: from ctx back, the first that takes the event; then the channel ----

    private static @Nullable ChannelHandlerContext backward(
            @Nullable ChannelHandlerContext ctx, int event) {
        while (ctx != null && (ctx.mask & event) == 0) {
            ctx = ctx.prev;
        }
        return ctx;
    }

    void write(Object message, @Nullable Promise<Void> promise) {
        write(handlers.last(), message, promise);
    }

    void flush() {
        flush(handlers.last());
    }

    void read() {
        ask(handlers.last());
    }

    void close() {
        close(handlers.last());
    }

    void shutdownOutput() {
        shutdownOutput(handlers.last());
    }

    void write(
            @Nullable ChannelHandlerContext from, Object message, @Nullable Promise<Void> promise) {
        Objects.requireNonNull(message, "message");
        ChannelHandlerContext ctx = backward(from, WRITE);
        if (ctx == null) {
            channel.outbound().enqueue(message, promise);
            return;
        }
        operations++;
        try {
            ctx.handler.write(ctx, message, promise);
        } catch (Throwable cause) {
            if (promise != null) {
                thrown = cause;
                promise.tryFailure(cause);
                thrown = null;
            }
            failed(ctx, cause);
        } finally {
            end();
        }
    }

    /// Ends a write, flush or close. What happened to writability meanwhile is told behind the
    /// outermost one: a handler writes one message in several pieces, and nothing that an event
    /// brings about may land between them.
    private void end() {
        if (--operations == 0) {
            channel.outbound().tellChanges();
        }
    }

    boolean isWithinOperation() {
        return operations > 0;
    }

    /// Tells if handlers learn of `cause` without an event for the failed write.
    boolean isTold(Throwable cause) {
        return cause == thrown || cause instanceof OutboundLimitException;
    }

    void flush(@Nullable ChannelHandlerContext from) {
        ChannelHandlerContext ctx = backward(from, FLUSH);
        if (ctx == null) {
            channel.outbound().flush();
            return;
        }
        operations++;
        try {
            ctx.handler.flush(ctx);
        } catch (Throwable cause) {
            failed(ctx, cause);
        } finally {
            end();
        }
    }

    void ask(@Nullable ChannelHandlerContext from) {
        ChannelHandlerContext ctx = from;
        while (ctx != null && (ctx.mask & ASK) == 0) {
            if (ctx.keepsRead()) {
                return;
            }
            ctx = ctx.prev;
        }
        if (ctx == null) {
            channel.inbound().receive();
            return;
        }
        if (ctx.keepsRead()) {
            return;
        }
        try {
            ctx.handler.read(ctx);
        } catch (Throwable cause) {
            failed(ctx, cause);
        }
    }

    void close(@Nullable ChannelHandlerContext from) {
        ChannelHandlerContext ctx = backward(from, CLOSE);
        if (ctx == null) {
            channel.life().closeOrderly();
            return;
        }
        operations++;
        try {
            ctx.handler.close(ctx);
        } catch (Throwable cause) {
            failed(ctx, cause);
        } finally {
            end();
        }
    }

    void shutdownOutput(@Nullable ChannelHandlerContext from) {
        ChannelHandlerContext ctx = backward(from, SHUTDOWN);
        if (ctx == null) {
            OutputEnd.begin(channel.outbound());
            return;
        }
        operations++;
        try {
            ctx.handler.shutdownOutput(ctx);
        } catch (Throwable cause) {
            failed(ctx, cause);
        } finally {
            end();
        }
    }
}
