package io.weft.handler.tls;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.Messages;
import io.weft.loop.Promise;
import io.weft.tls.machine.TlsException.LimitReached;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Messages that handlers wrote before it was known what protects the connection, in order. Sent at
/// once they would go out in the clear.
final class EarlyWrites {
    /// Writes of any size: those without bytes take memory, too.
    static final int MAX_WRITES = 1024;

    private record Write(Object message, @Nullable Promise<Void> promise) {}

    private final ArrayDeque<Write> queue = new ArrayDeque<>(0);
    private long bytes;
    private boolean flush;

    /// Takes over `message`.
    ///
    /// @return why it is refused; null when it waits
    @Nullable LimitReached add(
            ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (bytes >= TlsHandler.MAX_PENDING || queue.size() >= MAX_WRITES) {
            var full =
                    new LimitReached(
                            "writes that wait for the first bytes: "
                                    + queue.size()
                                    + " of "
                                    + bytes
                                    + " bytes (expected: below "
                                    + MAX_WRITES
                                    + " and "
                                    + TlsHandler.MAX_PENDING
                                    + ")");
            refuse(new Write(message, promise), full);
            return full;
        }
        queue.add(new Write(message, promise));
        bytes += Messages.bytes(message);
        ctx.holds(bytes);
        return null;
    }

    void flush() {
        flush = !queue.isEmpty();
    }

    /// Passes them on through handlers that `decide` adds directly behind `ctx`'s; if it throws,
    /// they wait on.
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
            if (behind != null) {
                send(ctx, behind);
            }
        } finally {
            if (behind != null && !behind.isRemoved()) {
                ctx.pipeline().remove(mark);
            }
        }
    }

    private void send(ChannelHandlerContext ctx, ChannelHandlerContext behind) {
        for (Write next; !behind.isRemoved() && (next = queue.poll()) != null; ) {
            behind.write(next.message, next.promise);
        }
        bytes = 0;
        ctx.holds(0);
        if (flush && !behind.isRemoved()) {
            behind.flush();
        }
    }

    /// Gives up all that waits.
    void fail(Throwable cause) {
        bytes = 0;
        for (Write next; (next = queue.poll()) != null; ) {
            refuse(next, cause);
        }
    }

    private static void refuse(Write write, Throwable cause) {
        Foreign.refuse(write.message);
        if (write.promise != null) {
            write.promise.tryFailure(cause);
        }
    }
}
