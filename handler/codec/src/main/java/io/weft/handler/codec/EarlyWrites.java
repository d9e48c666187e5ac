package io.weft.handler.codec;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.Messages;
import io.weft.loop.Promise;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Messages that were written before a protocol was found, in order.
final class EarlyWrites {
    static final int MAX_WRITES = 1024;
    static final long MAX_BYTES = 64 << 10;

    private record Write(Object message, @Nullable Promise<Void> promise) {}

    private final ArrayDeque<Write> queue = new ArrayDeque<>(0);
    private long bytes;
    private boolean flush;

    /// Takes over `message`.
    ///
    /// @throws IllegalStateException when as many wait as may; the message is released then
    void add(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (bytes >= MAX_BYTES || queue.size() >= MAX_WRITES) {
            release(message);
            throw new IllegalStateException(
                    "writes that wait for a protocol to be found: "
                            + queue.size()
                            + " of "
                            + bytes
                            + " bytes (expected: below "
                            + MAX_WRITES
                            + " and "
                            + MAX_BYTES
                            + ")");
        }
        queue.add(new Write(message, promise));
        bytes += Messages.bytes(message);
        ctx.holds(bytes);
    }

    void flush() {
        flush = !queue.isEmpty();
    }

    /// Runs `decide`, then passes the messages on through the handlers that it has added directly
    /// behind that of `ctx`. If it throws, they wait on.
    void passOn(ChannelHandlerContext ctx, Runnable decide) {
        if (queue.isEmpty()) {
            decide.run();
            return;
        }
        ChannelHandler mark = new ChannelHandler() {};
        ctx.pipeline().addAfter(ctx.handler(), ctx.name() + "-early", mark);
        ChannelHandlerContext behind = ctx.pipeline().context(mark);
        try {
            decide.run();
            if (behind != null && !behind.isRemoved()) {
                send(behind);
            }
        } finally {
            if (behind != null && !behind.isRemoved()) {
                ctx.pipeline().remove(mark);
            }
        }
        if (!ctx.isRemoved()) {
            ctx.holds(bytes);
        }
    }

    /// Passes the messages on, from `from` towards the channel.
    void send(ChannelHandlerContext from) {
        bytes = 0;
        for (Write next; (next = queue.poll()) != null; ) {
            from.write(next.message, next.promise);
        }
        if (flush) {
            flush = false;
            from.flush();
        }
    }

    /// Gives up all that waits.
    void fail(ChannelHandlerContext ctx, Throwable cause) {
        bytes = 0;
        for (Write next; (next = queue.poll()) != null; ) {
            release(next.message);
            if (next.promise != null) {
                next.promise.tryFailure(cause);
            }
        }
        if (!ctx.isRemoved()) {
            ctx.holds(0);
        }
    }

    private static void release(Object message) {
        if (message instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                throw new IllegalArgumentException("message: does not close", e);
            }
        }
    }
}
