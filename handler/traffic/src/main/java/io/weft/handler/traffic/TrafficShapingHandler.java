package io.weft.handler.traffic;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Keeps a channel to its rates. With limits of its own it shapes this channel, with shared ones all that share them, with
/// both each of them and all together.
///
/// Reading pauses for as long as what was read costs, so that the peer's kernel stops its sender. What is written waits
/// here for its turn, in order, up to a limit; then writes fail. It counts in the channel's writability.
public final class TrafficShapingHandler implements ChannelHandler {
    /// Bytes that may wait unless said otherwise.
    public static final long DEFAULT_MAX_HELD = 1L << 20;

    private record Held(Object message, @Nullable Promise<Void> promise, long bytes, long due) {}

    private final List<RateLimit> readLimits;
    private final List<RateLimit> writeLimits;
    private final long maxHeld;
    private final ArrayDeque<Held> queue = new ArrayDeque<>(0);
    private long heldBytes;
    private @Nullable Timeout readTimer;
    private @Nullable Timeout writeTimer;

    public TrafficShapingHandler(List<RateLimit> read, List<RateLimit> write) {
        this(read, write, DEFAULT_MAX_HELD);
    }

    /// @param maxHeld bytes of writes that may wait
    public TrafficShapingHandler(List<RateLimit> read, List<RateLimit> write, long maxHeld) {
        if (maxHeld <= 0) {
            throw new IllegalArgumentException("maxHeld: " + maxHeld + " (expected: > 0)");
        }
        readLimits = List.copyOf(read);
        writeLimits = List.copyOf(write);
        this.maxHeld = maxHeld;
    }

    private static long take(List<RateLimit> limits, long bytes, long now) {
        long wait = 0;
        for (RateLimit limit : limits) {
            wait = Math.max(wait, limit.take(bytes, now));
        }
        return wait;
    }

    /// Bytes of writes that wait. Loop only.
    public long heldBytes() {
        return heldBytes;
    }

    // ---- in ----

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Buffer bytes && !readLimits.isEmpty()) {
            long wait = take(readLimits, bytes.readableBytes(), ctx.eventLoop().clock().nanoTime());
            if (wait > 0) {
                pauseReading(ctx, wait);
            }
        }
        ctx.fireChannelRead(message);
    }

    private void pauseReading(ChannelHandlerContext ctx, long wait) {
        if (readTimer != null) {
            readTimer.cancel();
        } else if (ctx.channel().autoRead()) {
            ctx.channel().autoRead(false);
        } else {
            return; // somebody else decides when to read
        }
        readTimer =
                ctx.eventLoop()
                        .schedule(
                                () -> {
                                    readTimer = null;
                                    ctx.channel().autoRead(true);
                                },
                                wait,
                                TimeUnit.NANOSECONDS);
    }

    // ---- out ----

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise)
            throws Exception {
        long bytes = message instanceof Buffer b ? b.readableBytes() : 0;
        if (heldBytes + bytes > maxHeld && !queue.isEmpty()) {
            TrafficLimitException e = new TrafficLimitException(heldBytes + bytes, maxHeld);
            giveUp(message, promise, e);
            if (promise == null) {
                throw e;
            }
            return;
        }
        long now = ctx.eventLoop().clock().nanoTime();
        // It waits for what was let through before it: its own bytes make the next one wait.
        long wait = take(writeLimits, 0, now);
        take(writeLimits, bytes, now);
        if (wait == 0 && queue.isEmpty()) {
            ctx.write(message, promise);
            return;
        }
        queue.add(new Held(message, promise, bytes, now + wait));
        heldBytes += bytes;
        ctx.holds(heldBytes);
        if (writeTimer == null) {
            arm(ctx, wait);
        }
    }

    private void arm(ChannelHandlerContext ctx, long wait) {
        writeTimer = ctx.eventLoop().schedule(() -> writeDue(ctx), wait, TimeUnit.NANOSECONDS);
    }

    private void writeDue(ChannelHandlerContext ctx) {
        writeTimer = null;
        long now = ctx.eventLoop().clock().nanoTime();
        for (Held first; (first = queue.peek()) != null; ) {
            if (first.due - now > 0) {
                arm(ctx, first.due - now);
                break;
            }
            queue.remove();
            ctx.write(first.message, first.promise);
            heldBytes -= first.bytes;
            ctx.holds(heldBytes);
        }
        // Whether it was flushed when it came is not kept: what has waited long enough goes.
        ctx.flush();
    }

    // ---- the end ----

    /// What waits travels on at once while the channel is open, and is given up otherwise.
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (writeTimer != null) {
            writeTimer.cancel();
        }
        if (readTimer != null) {
            readTimer.cancel();
            ctx.channel().autoRead(true);
        }
        boolean open = ctx.channel().isOpen();
        for (Held held; (held = queue.poll()) != null; ) {
            heldBytes -= held.bytes;
            if (open) {
                ctx.write(held.message, held.promise);
            } else {
                giveUp(held.message, held.promise, new ClosedChannelException());
            }
        }
        if (open) {
            ctx.flush();
        }
    }

    private static void giveUp(Object message, @Nullable Promise<Void> promise, Exception cause) {
        if (message instanceof Buffer buffer) {
            buffer.release();
        } else if (message instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                cause.addSuppressed(e);
            }
        }
        if (promise != null) {
            promise.tryFailure(cause);
        }
    }
}
