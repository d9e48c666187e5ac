package io.weft.channel;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The handlers of one pipeline, as a list of their contexts. Each has a name that no other has.
///
/// A handler is told that it was added when it is in the list, and that it was removed when it is
/// in it no longer; if the first throws, the handler goes again. On the channel's loop.
final class HandlerList {
    private final ChannelPipeline pipeline;
    private @Nullable ChannelHandlerContext first;
    private @Nullable ChannelHandlerContext last;

    HandlerList(ChannelPipeline pipeline) {
        this.pipeline = pipeline;
    }

    @Nullable ChannelHandlerContext first() {
        return first;
    }

    @Nullable ChannelHandlerContext last() {
        return last;
    }

    // ---- changes ----

    void addFirst(String name, ChannelHandler handler) {
        link(place(unused(name), handler), null, first);
    }

    /// @param name null: one after the handler's class
    void addLast(@Nullable String name, ChannelHandler handler) {
        link(place(name == null ? nameFor(handler) : unused(name), handler), last, null);
    }

    void addAfter(ChannelHandlerContext at, String name, ChannelHandler handler) {
        link(place(unused(name), handler), at, at.next);
    }

    void addBefore(ChannelHandlerContext at, String name, ChannelHandler handler) {
        link(place(unused(name), handler), at.prev, at);
    }

    /// Adds `by` behind `at`, and removes that unless `by` could not be added.
    ///
    /// @return what was at `at`
    ChannelHandler replace(ChannelHandlerContext at, String name, ChannelHandler by) {
        String free = at.name().equals(name) ? name : unused(name);
        ChannelHandlerContext added = place(free, by);
        link(added, at, at.next);
        if (!added.isRemoved()) {
            remove(at);
        }
        return at.handler;
    }

    /// @return what is removed
    ChannelHandler take(ChannelHandlerContext ctx) {
        remove(ctx);
        return ctx.handler;
    }

    /// Removes a handler, unless it has been removed before.
    void remove(ChannelHandlerContext ctx) {
        if (ctx.isRemoved()) {
            return;
        }
        ctx.removed();
        ChannelHandlerContext next = ctx.next;
        unlink(ctx);
        try {
            ctx.handler.handlerRemoved(ctx);
        } catch (Throwable cause) {
            pipeline.exception(next, cause, ctx);
        }
        if (ctx.placed) {
            Placements.leave(ctx); // only now: the handler has left with its handlerRemoved
        }
        ctx.gaveUp();
        ctx.resumeReading();
    }

    /// Removes all handlers, first to last; none stays from now on ([Lifecycle#isOver]).
    void clear() {
        for (ChannelHandlerContext ctx; (ctx = first) != null; ) {
            remove(ctx);
        }
    }

    private ChannelHandlerContext place(String name, ChannelHandler handler) {
        requireLoop();
        if (!handler.isSharable() && find(handler) != null) {
            throw new IllegalArgumentException(
                    "handler: " + handler + " (expected: sharable, or not in this pipeline yet)");
        }
        ChannelHandlerContext ctx = new ChannelHandlerContext(pipeline, name, handler);
        if (!handler.isSharable()) {
            ChannelHandlerContext elsewhere = Placements.take(ctx);
            if (elsewhere != null) {
                throw new IllegalArgumentException(
                        "handler: "
                                + Objects.toIdentityString(handler)
                                + " in "
                                + pipeline.channel()
                                + " (expected: sharable, or in one pipeline; it is in that of "
                                + elsewhere.channel()
                                + ")");
            }
            ctx.placed = true;
        }
        return ctx;
    }

    private void link(
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
            remove(ctx);
            pipeline.exception(first, cause, ctx);
        }
        if (pipeline.channel().life().isOver()) {
            remove(ctx); // nothing will ever tell it that the channel is gone
        }
    }

    private void unlink(ChannelHandlerContext ctx) {
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
    }

    // ---- names and keys ----

    List<String> names() {
        List<String> names = new ArrayList<>();
        for (ChannelHandlerContext ctx = first; ctx != null; ctx = ctx.next) {
            names.add(ctx.name());
        }
        return names;
    }

    @Nullable ChannelHandlerContext find(ChannelHandler handler) {
        for (ChannelHandlerContext ctx = first; ctx != null; ctx = ctx.next) {
            if (ctx.handler == handler) {
                return ctx;
            }
        }
        return null;
    }

    @Nullable ChannelHandlerContext find(String name) {
        for (ChannelHandlerContext ctx = first; ctx != null; ctx = ctx.next) {
            if (ctx.name().equals(name)) {
                return ctx;
            }
        }
        return null;
    }

    /// Finds the first handler of that type.
    @Nullable ChannelHandlerContext find(Class<? extends ChannelHandler> type) {
        for (ChannelHandlerContext ctx = first; ctx != null; ctx = ctx.next) {
            if (type.isInstance(ctx.handler)) {
                return ctx;
            }
        }
        return null;
    }

    ChannelHandlerContext required(ChannelHandler handler) {
        requireLoop();
        ChannelHandlerContext ctx = find(handler);
        if (ctx == null) {
            throw new IllegalArgumentException(
                    "handler: " + handler + " (expected: one of this pipeline)");
        }
        return ctx;
    }

    ChannelHandlerContext required(String name) {
        requireLoop();
        ChannelHandlerContext ctx = find(name);
        if (ctx == null) {
            throw new IllegalArgumentException(
                    "name: " + name + " (expected: one of " + names() + ")");
        }
        return ctx;
    }

    ChannelHandlerContext required(Class<? extends ChannelHandler> type) {
        requireLoop();
        ChannelHandlerContext ctx = find(type);
        if (ctx == null) {
            throw new IllegalArgumentException(
                    "type: " + type.getName() + " (expected: one of " + names() + ")");
        }
        return ctx;
    }

    private String unused(String name) {
        if (find(name) != null) {
            throw new IllegalArgumentException(
                    "name: " + name + " (expected: one that this pipeline does not have)");
        }
        return name;
    }

    private String nameFor(ChannelHandler handler) {
        String type = handler.getClass().getSimpleName();
        String name = type;
        for (int i = 1; find(name) != null; i++) {
            name = type + "#" + i;
        }
        return name;
    }

    private void requireLoop() {
        if (!pipeline.channel().eventLoop().inLoop()) {
            throw new IllegalStateException(
                    "changed on "
                            + Thread.currentThread()
                            + " (expected: the channel's loop, or by change(...))");
        }
    }
}
