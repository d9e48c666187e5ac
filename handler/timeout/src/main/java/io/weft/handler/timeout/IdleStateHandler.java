package io.weft.handler.timeout;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.handler.timeout.IdleState.Kind;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Fires [IdleState] when a channel receives or sends nothing for a while. A read counts when it
/// ends, a write when the kernel has taken all of it, or, if wanted, any byte of it: a peer that
/// takes a large content slowly is not idle then.
///
/// A timer is armed once a period, not once an event, so a busy channel pays for nothing but the
/// time of its last event.
public final class IdleStateHandler implements ChannelHandler {
    private final Map<Kind, Idle> kinds = new EnumMap<>(Kind.class);
    private @Nullable ChannelHandlerContext ctx;
    private final boolean observeOutput;
    private boolean reading;

    /// Bytes that waited to be sent when last looked at; fewer mean that some were sent.
    private long pending;

    private static final class Idle {
        final long nanos;
        long last;
        boolean first = true;
        @Nullable Timeout timer;

        Idle(Duration time) {
            nanos = TimeUnit.NANOSECONDS.convert(time); // at most 292 years
        }
    }

    /// @param reader without a byte received; zero: never
    /// @param writer without a byte sent; zero: never
    /// @param all without either; zero: never
    public IdleStateHandler(Duration reader, Duration writer, Duration all) {
        this(reader, writer, all, false);
    }

    /// @param observeOutput whether bytes of a write that is not all sent yet count; they are
    ///     looked at when time is up, and then count as if they were sent at that moment
    public IdleStateHandler(Duration reader, Duration writer, Duration all, boolean observeOutput) {
        this.observeOutput = observeOutput;
        add(Kind.READER, reader);
        add(Kind.WRITER, writer);
        add(Kind.ALL, all);
    }

    private void add(Kind kind, Duration time) {
        if (time.isNegative()) {
            throw new IllegalArgumentException(kind + ": " + time + " (expected: >= 0)");
        }
        if (!time.isZero()) {
            kinds.put(kind, new Idle(time));
        }
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        this.ctx = ctx;
        if (ctx.channel().isActive()) {
            start(ctx);
        }
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        start(ctx);
        ctx.fireChannelActive();
    }

    private void start(ChannelHandlerContext ctx) {
        for (Map.Entry<Kind, Idle> entry : kinds.entrySet()) {
            Idle idle = entry.getValue();
            if (idle.timer == null) {
                idle.last = ctx.eventLoop().clock().nanoTime();
                arm(ctx, entry.getKey(), idle, idle.nanos);
            }
        }
    }

    private void arm(ChannelHandlerContext ctx, Kind kind, Idle idle, long nanos) {
        idle.timer =
                ctx.eventLoop().schedule(() -> due(ctx, kind, idle), nanos, TimeUnit.NANOSECONDS);
    }

    private void due(ChannelHandlerContext ctx, Kind kind, Idle idle) {
        observe(ctx);
        long now = ctx.eventLoop().clock().nanoTime();
        boolean busy = reading && kind != Kind.WRITER;
        long left = busy ? idle.nanos : idle.nanos - (now - idle.last);
        if (left > 0) {
            arm(ctx, kind, idle, left);
            return;
        }
        arm(ctx, kind, idle, idle.nanos);
        boolean first = idle.first;
        idle.first = false;
        ctx.fireUserEventTriggered(new IdleState(kind, first));
    }

    private void observe(ChannelHandlerContext ctx) {
        if (observeOutput) {
            long before = pending;
            pending = ctx.channel().pendingBytes();
            if (pending < before) {
                happened(Kind.WRITER);
            }
        }
    }

    /// Counts as if something were received, sent, or both at this moment: for a protocol that
    /// knows better. Loop only.
    public void reset(Kind kind) {
        if (kind != Kind.WRITER) {
            happened(Kind.READER);
        }
        if (kind != Kind.READER) {
            happened(Kind.WRITER);
        }
    }

    private void happened(Kind kind) {
        ChannelHandlerContext c = ctx;
        if (c != null) {
            long now = c.eventLoop().clock().nanoTime();
            touch(kinds.get(kind), now);
            touch(kinds.get(Kind.ALL), now);
        }
    }

    private static void touch(@Nullable Idle idle, long now) {
        if (idle != null) {
            idle.last = now;
            idle.first = true;
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        reading = true;
        ctx.fireChannelRead(message);
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        if (reading) {
            reading = false;
            happened(Kind.READER);
        }
        ctx.fireChannelReadComplete();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (!kinds.containsKey(Kind.WRITER) && !kinds.containsKey(Kind.ALL)) {
            ctx.write(message, promise);
            return;
        }
        Promise<Void> sent = promise == null ? ctx.channel().newPromise() : promise;
        sent.addListener(
                outcome -> {
                    Throwable cause = outcome.cause();
                    if (cause == null) {
                        happened(Kind.WRITER);
                    } else if (promise == null) {
                        ctx.fireWriteFailed(cause);
                    }
                });
        observe(ctx);
        ctx.write(message, sent);
        pending = observeOutput ? ctx.channel().pendingBytes() : 0;
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        for (Idle idle : kinds.values()) {
            if (idle.timer != null) {
                idle.timer.cancel();
            }
        }
    }
}
