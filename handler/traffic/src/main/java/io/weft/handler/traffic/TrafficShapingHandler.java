package io.weft.handler.traffic;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.Messages;
import io.weft.engine.FileRegion;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Keeps a channel to its rates. With limits of its own it shapes this channel, with shared ones
/// all that share them, with both each of them and all together.
///
/// Reading pauses for as long as what was read costs, so that the peer's kernel stops its sender.
/// Writes wait here for their turn, in order, up to a limit; then a write fails, with a
/// [TrafficLimitException] that closes a stream if no handler takes it. It counts in the channel's
/// writability. A message, be it a region of a file, is sent as one piece, and what it costs makes
/// those behind it wait: write more than the burst in pieces, as a `ChunkedWriteHandler` behind
/// this one does.
///
/// **Closing** waits for what waits here.
public final class TrafficShapingHandler implements ChannelHandler {
    /// Bytes that may wait unless said otherwise.
    public static final long DEFAULT_MAX_HELD = 1L << 20;

    /// Writes that may wait, however small.
    public static final int MAX_HELD_MESSAGES = 16_384;

    private record Held(Object message, @Nullable Promise<Void> promise, long bytes, long due) {
        /// A file takes none.
        long memory() {
            return message instanceof FileRegion ? 0 : bytes;
        }
    }

    private final List<RateLimit> readLimits;
    private final List<RateLimit> writeLimits;
    private final long maxHeld;
    private final ArrayDeque<Held> queue = new ArrayDeque<>(0);
    private long heldBytes;
    private long heldMemory;
    private @Nullable Timeout readTimer;
    private @Nullable Timeout writeTimer;

    /// True if a close was requested and waits for pending writes.
    private boolean closing;

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
        if (!readLimits.isEmpty()) {
            long wait =
                    take(readLimits, Messages.bytes(message), ctx.eventLoop().clock().nanoTime());
            if (wait > 0) {
                pauseReading(ctx, wait);
            }
        }
        ctx.fireChannelRead(message);
    }

    private void pauseReading(ChannelHandlerContext ctx, long wait) {
        if (readTimer != null) {
            readTimer.cancel();
        }
        ctx.suspendReading();
        readTimer = ctx.eventLoop().schedule(() -> resumeReading(ctx), wait, TimeUnit.NANOSECONDS);
    }

    private void resumeReading(ChannelHandlerContext ctx) {
        readTimer = null;
        ctx.resumeReading();
    }

    // ---- out ----

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise)
            throws Exception {
        if (closing) {
            giveUp(message, promise, new ClosedChannelException());
            return;
        }
        long now = ctx.eventLoop().clock().nanoTime();
        Held held = new Held(message, promise, Messages.bytes(message), 0);
        boolean tooMany = queue.size() == MAX_HELD_MESSAGES;
        if (tooMany || (heldMemory + held.memory() > maxHeld && !queue.isEmpty())) {
            TrafficLimitException e =
                    tooMany
                            ? new TrafficLimitException("writes", queue.size() + 1L, queue.size())
                            : new TrafficLimitException(
                                    "bytes", heldMemory + held.memory(), maxHeld);
            giveUp(message, promise, e);
            throw e; // also where a promise tells it: a stream with a hole is worse than none
        }
        // It waits for what was let through before it: its own bytes make the next one wait.
        long wait = take(writeLimits, 0, now);
        take(writeLimits, held.bytes, now);
        if (wait == 0 && queue.isEmpty()) {
            ctx.write(message, promise);
            return;
        }
        queue.add(new Held(message, promise, held.bytes, now + wait));
        heldMemory += held.memory();
        heldBytes += held.bytes;
        hold(ctx);
        if (writeTimer == null) {
            arm(ctx, wait);
        }
    }

    /// Counts at least one byte a message: the output does not end before one that is still to be
    /// encoded.
    private void hold(ChannelHandlerContext ctx) {
        ctx.holds(Math.max(heldBytes, queue.size()));
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
            remove();
            ctx.write(first.message, first.promise);
            hold(ctx);
        }
        // Whether it was flushed when it came is not kept: what has waited long enough goes.
        ctx.flush();
        if (closing && queue.isEmpty()) {
            ctx.close();
        }
    }

    private void remove() {
        Held first = queue.remove();
        heldBytes -= first.bytes;
        heldMemory -= first.memory();
    }

    @Override
    public void close(ChannelHandlerContext ctx) {
        if (queue.isEmpty()) {
            ctx.close();
        } else {
            closing = true;
        }
    }

    // ---- the end ----

    /// Passes pending writes on at once if the channel is open, and fails them otherwise.
    @Override
    public void handlerRemoved(ChannelHandlerContext ctx) {
        if (writeTimer != null) {
            writeTimer.cancel();
        }
        boolean open = ctx.channel().isOpen();
        if (readTimer != null) {
            readTimer.cancel();
        }
        for (Held held; (held = queue.peek()) != null; ) {
            remove();
            if (open) {
                ctx.write(held.message, held.promise);
            } else {
                giveUp(held.message, held.promise, new ClosedChannelException());
            }
        }
        if (open) {
            hold(ctx);
            ctx.flush();
            if (closing) {
                ctx.close();
            }
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
