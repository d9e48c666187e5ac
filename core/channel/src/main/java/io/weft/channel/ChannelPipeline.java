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
import static io.weft.channel.HandlerMask.USER_EVENT;
import static io.weft.channel.HandlerMask.WRITABILITY;
import static io.weft.channel.HandlerMask.WRITE;

import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.util.ArrayList;
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
/// other.
public final class ChannelPipeline {
    private final Channel channel;
    private @Nullable ChannelHandlerContext first;
    private @Nullable ChannelHandlerContext last;

    /// The channel is closed, and handlers stay no longer.
    private boolean cleared;

    /// Writes, flushes and closes that handlers have begun and not ended, one within the other.
    private int operations;

    /// By a handler's write, while its promise is told.
    private @Nullable Throwable thrown;

    private boolean toldUnread;

    /// Gets what no handler took.
    interface Rest {
        /// A message, to be released.
        void message(Object message);

        /// An exception, which closes the channel.
        void exception(Throwable cause);
    }

    /// Null: messages are released, and exceptions are logged.
    private @Nullable Rest rest;

    ChannelPipeline(Channel channel) {
        this.channel = channel;
    }

    public Channel channel() {
        return channel;
    }

    void rest(Rest taker) {
        rest = taker;
    }

    /// @return true if exceptions are taken by a [Rest]
    boolean tellUnhandled(Throwable cause) {
        if (rest != null) {
            rest.exception(cause);
        }
        return rest != null;
    }

    // ---- handlers ----

    public ChannelPipeline addFirst(String name, ChannelHandler handler) {
        return link(place(unused(name), handler), null, first);
    }

    public ChannelPipeline addLast(ChannelHandler handler) {
        return addLast(nameFor(handler), handler);
    }

    public ChannelPipeline addLast(String name, ChannelHandler handler) {
        return link(place(unused(name), handler), last, null);
    }

    public ChannelPipeline addAfter(ChannelHandler existing, String name, ChannelHandler handler) {
        ChannelHandlerContext at = required(existing);
        return link(place(unused(name), handler), at, at.next);
    }

    public ChannelPipeline addBefore(ChannelHandler existing, String name, ChannelHandler handler) {
        ChannelHandlerContext at = required(existing);
        return link(place(unused(name), handler), at.prev, at);
    }

    /// @throws IllegalArgumentException when it is not in this pipeline
    public ChannelPipeline remove(ChannelHandler handler) {
        unlink(required(handler));
        return this;
    }

    /// @return what was removed
    /// @throws IllegalArgumentException when this pipeline has no handler of that name
    public ChannelHandler remove(String name) {
        ChannelHandlerContext at = required(name);
        unlink(at);
        return at.handler;
    }

    /// Removes the first handler of that type.
    ///
    /// @return what was removed
    /// @throws IllegalArgumentException when this pipeline has none
    public <T extends ChannelHandler> T remove(Class<T> type) {
        ChannelHandlerContext at = required(type);
        unlink(at);
        return type.cast(at.handler);
    }

    /// Puts `by` in the place of `handler`. It is added before `handler` is removed, so that no
    /// event falls between. Where it cannot be added, because its `handlerAdded` throws, `handler`
    /// stays.
    ///
    /// @throws IllegalArgumentException when `handler` is not in this pipeline, or another one has
    ///     that name
    public ChannelPipeline replace(ChannelHandler handler, String name, ChannelHandler by) {
        return replace(required(handler), name, by);
    }

    /// As [#replace(ChannelHandler, String, ChannelHandler)], of the handler called `existing`,
    /// which may lend its name.
    ///
    /// @return what was replaced
    public ChannelHandler replace(String existing, String name, ChannelHandler by) {
        ChannelHandlerContext at = required(existing);
        replace(at, name, by);
        return at.handler;
    }

    /// As [#replace(ChannelHandler, String, ChannelHandler)], of the first handler of that type.
    ///
    /// @return what was replaced
    public <T extends ChannelHandler> T replace(Class<T> type, String name, ChannelHandler by) {
        ChannelHandlerContext at = required(type);
        replace(at, name, by);
        return type.cast(at.handler);
    }

    private ChannelPipeline replace(ChannelHandlerContext at, String name, ChannelHandler by) {
        String free = at.name().equals(name) ? name : unused(name);
        ChannelHandlerContext added = place(free, by);
        link(added, at, at.next);
        if (!added.isRemoved()) {
            unlink(at);
        }
        return this;
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

    /// The names of the handlers, first to last.
    public List<String> names() {
        List<String> names = new ArrayList<>();
        for (ChannelHandlerContext ctx = first; ctx != null; ctx = ctx.next) {
            names.add(ctx.name());
        }
        return names;
    }

    public @Nullable ChannelHandlerContext context(ChannelHandler handler) {
        for (ChannelHandlerContext ctx = first; ctx != null; ctx = ctx.next) {
            if (ctx.handler == handler) {
                return ctx;
            }
        }
        return null;
    }

    public @Nullable ChannelHandlerContext context(String name) {
        for (ChannelHandlerContext ctx = first; ctx != null; ctx = ctx.next) {
            if (ctx.name().equals(name)) {
                return ctx;
            }
        }
        return null;
    }

    /// The first handler of that type.
    public <T extends ChannelHandler> @Nullable T get(Class<T> type) {
        ChannelHandlerContext ctx = context(type);
        return ctx == null ? null : type.cast(ctx.handler);
    }

    /// Of the first handler of that type.
    public @Nullable ChannelHandlerContext context(Class<? extends ChannelHandler> type) {
        for (ChannelHandlerContext ctx = first; ctx != null; ctx = ctx.next) {
            if (type.isInstance(ctx.handler)) {
                return ctx;
            }
        }
        return null;
    }

    private ChannelHandlerContext required(Class<? extends ChannelHandler> type) {
        requireLoop();
        ChannelHandlerContext ctx = context(type);
        if (ctx == null) {
            throw new IllegalArgumentException(
                    "type: " + type.getName() + " (expected: one of " + names() + ")");
        }
        return ctx;
    }

    private ChannelHandlerContext required(String name) {
        requireLoop();
        ChannelHandlerContext ctx = context(name);
        if (ctx == null) {
            throw new IllegalArgumentException(
                    "name: " + name + " (expected: one of " + names() + ")");
        }
        return ctx;
    }

    private ChannelHandlerContext required(ChannelHandler handler) {
        requireLoop();
        ChannelHandlerContext ctx = context(handler);
        if (ctx == null) {
            throw new IllegalArgumentException(
                    "handler: " + handler + " (expected: one of this pipeline)");
        }
        return ctx;
    }

    private ChannelHandlerContext place(String name, ChannelHandler handler) {
        requireLoop();
        if (!handler.isSharable() && context(handler) != null) {
            throw new IllegalArgumentException(
                    "handler: " + handler + " (expected: sharable, or not in this pipeline yet)");
        }
        ChannelHandlerContext ctx = new ChannelHandlerContext(this, name, handler);
        if (!handler.isSharable()) {
            ChannelHandlerContext elsewhere = Placements.take(ctx);
            if (elsewhere != null) {
                throw new IllegalArgumentException(
                        "handler: "
                                + Objects.toIdentityString(handler)
                                + " in "
                                + channel
                                + " (expected: sharable, or in one pipeline; it is in that of "
                                + elsewhere.channel()
                                + ")");
            }
            ctx.placed = true;
        }
        return ctx;
    }

    private String unused(String name) {
        if (context(name) != null) {
            throw new IllegalArgumentException(
                    "name: " + name + " (expected: one that this pipeline does not have)");
        }
        return name;
    }

    private String nameFor(ChannelHandler handler) {
        String type = handler.getClass().getSimpleName();
        String name = type;
        for (int i = 1; context(name) != null; i++) {
            name = type + "#" + i;
        }
        return name;
    }

    private void requireLoop() {
        if (!channel.eventLoop().inLoop()) {
            throw new IllegalStateException(
                    "changed on "
                            + Thread.currentThread()
                            + " (expected: the channel's loop, or by change(...))");
        }
    }

    private ChannelPipeline link(
            ChannelHandlerContext ctx,
            @Nullable ChannelHandlerContext prev,
            @Nullable ChannelHandlerContext next) {
        ctx.prev = prev;
        ctx.next = next;
        if (prev == null) {
            first = ctx;
        } else {
            prev.next = ctx;
        }
        if (next == null) {
            last = ctx;
        } else {
            next.prev = ctx;
        }
        try {
            ctx.handler.handlerAdded(ctx);
        } catch (Throwable cause) {
            unlink(ctx);
            exception(first, cause, ctx);
        }
        if (cleared) {
            unlink(ctx); // nothing will ever tell it that the channel is gone
        }
        return this;
    }

    private void unlink(ChannelHandlerContext ctx) {
        if (ctx.isRemoved()) {
            return;
        }
        ctx.removed();
        ChannelHandlerContext prev = ctx.prev;
        ChannelHandlerContext next = ctx.next;
        if (prev == null) {
            first = next;
        } else {
            prev.next = next;
        }
        if (next == null) {
            last = prev;
        } else {
            next.prev = prev;
        }
        try {
            ctx.handler.handlerRemoved(ctx);
        } catch (Throwable cause) {
            exception(next, cause, ctx);
        }
        if (ctx.placed) {
            Placements.leave(ctx); // only now: the handler has left with its handlerRemoved
        }
        ctx.holds(0);
        ctx.resumeReading();
    }

    /// Removes all handlers, first to last, when the channel is closed.
    void clear() {
        cleared = true;
        for (ChannelHandlerContext ctx; (ctx = first) != null; ) {
            unlink(ctx);
        }
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
        userEvent(first, event);
    }

    void fireActive() {
        active(first);
    }

    void fireInactive() {
        inactive(first);
    }

    void fireRead(Object message) {
        read(first, message);
    }

    void fireReadComplete() {
        readComplete(first);
    }

    void fireInputClosed() {
        inputClosed(first);
    }

    void fireWritabilityChanged() {
        writabilityChanged(first);
    }

    void fireException(Throwable cause) {
        exception(first, cause);
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
                tellUnread(message);
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

    private void exception(
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

    /// Once a pipeline: a handler is missing, or in the wrong place.
    private void tellUnread(Object message) {
        if (!toldUnread) {
            toldUnread = true;
            UnreadMessages.tell(message, channel);
        }
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
        write(last, message, promise);
    }

    void flush() {
        flush(last);
    }

    void read() {
        ask(last);
    }

    void close() {
        close(last);
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
}
