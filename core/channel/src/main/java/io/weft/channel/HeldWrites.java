package io.weft.channel;

import io.weft.loop.Promise;
import java.util.ArrayDeque;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Messages that a handler holds back until it is known which handlers are to encode them, in the
/// order in which they were written: for handlers that look at the first bytes of a connection.
/// Sent at once they might go out in the clear, or in another protocol.
///
/// Held bytes count in the channel's writability ([ChannelHandlerContext#holds]). Thread: the
/// channel's loop.
public final class HeldWrites {
    /// Messages of any size: those without bytes take memory, too.
    public static final int MAX_MESSAGES = 1024;

    private record Write(Object message, @Nullable Promise<Void> promise) {}

    private final ArrayDeque<Write> queue = new ArrayDeque<>(0);
    private final long maxBytes;
    private long bytes;
    private boolean flush;
    private boolean end;

    /// @param maxBytes held at which no more messages are taken
    public HeldWrites(long maxBytes) {
        this.maxBytes = maxBytes;
    }

    /// Takes over `message`, unless [#MAX_MESSAGES] or the bytes are reached. Then the message is
    /// released, and `promise` fails with what `refusal` makes of a description of the limit.
    ///
    /// @return null, or the refusal
    public <X extends Throwable> @Nullable X add(
            ChannelHandlerContext ctx,
            Object message,
            @Nullable Promise<Void> promise,
            Function<String, X> refusal) {
        if (bytes >= maxBytes || queue.size() >= MAX_MESSAGES) {
            X full =
                    refusal.apply(
                            "held writes: "
                                    + queue.size()
                                    + " of "
                                    + bytes
                                    + " bytes (expected: below "
                                    + MAX_MESSAGES
                                    + " and "
                                    + maxBytes
                                    + ")");
            refuse(new Write(message, promise), full);
            return full;
        }
        queue.add(new Write(message, promise));
        bytes += Messages.bytes(message);
        ctx.holds(bytes);
        return null;
    }

    /// Remembers a flush of what is held.
    public void flush() {
        flush = !queue.isEmpty();
    }

    /// Remembers the end of the output, which follows the messages.
    public void shutdownOutput() {
        end = true;
    }

    /// Runs `decide`, then passes the messages on through the handlers that it has added directly
    /// behind that of `ctx`. If it throws, they wait on. They come past the handler of `ctx`, too,
    /// unless `decide` has removed it: what it takes back then waits on.
    public void passOn(ChannelHandlerContext ctx, Runnable decide) {
        if (queue.isEmpty() && !end) {
            decide.run();
            return;
        }
        ChannelHandler mark = new ChannelHandler() {};
        ctx.pipeline().addAfter(ctx.handler(), ctx.name() + "-early", mark);
        ChannelHandlerContext behind = ctx.pipeline().context(mark);
        try {
            decide.run();
            if (behind != null) {
                // A write may close the channel, and what is left fails with its handler. One that
                // is taken back is at the end of the queue, and is not passed on again.
                int left = queue.size();
                while (left > 0 && !behind.isRemoved() && writeNext(behind)) {
                    left--;
                }
                passed(ctx, behind);
            }
        } finally {
            if (behind != null && !behind.isRemoved()) {
                ctx.pipeline().remove(mark);
            }
        }
    }

    private void passed(ChannelHandlerContext ctx, ChannelHandlerContext behind) {
        if (!ctx.isRemoved()) {
            ctx.holds(bytes);
        }
        if (flush && !behind.isRemoved()) {
            flush = false;
            behind.flush();
        }
        if (!behind.isRemoved()) {
            passOnEnd(behind);
        }
    }

    /// Passes the messages on, from `ctx` towards the channel.
    public void send(ChannelHandlerContext ctx) {
        while (writeNext(ctx)) {
            // until none is left
        }
        ctx.holds(bytes);
        if (flush) {
            flush = false;
            ctx.flush();
        }
        passOnEnd(ctx);
    }

    private void passOnEnd(ChannelHandlerContext ctx) {
        if (end) {
            end = false;
            ctx.shutdownOutput();
        }
    }

    private boolean writeNext(ChannelHandlerContext from) {
        Write next = queue.poll();
        if (next == null) {
            return false;
        }
        bytes -= Messages.bytes(next.message);
        from.write(next.message, next.promise);
        return true;
    }

    /// Gives up everything that is held, when the handler of `ctx` is removed: as [#fail], and an
    /// end of the output goes on without it. If messages were held, that is a reset.
    public void removed(ChannelHandlerContext ctx, Throwable cause) {
        ctx.holds(Math.max(bytes, queue.size())); // those without bytes are lost, too
        fail(ctx, cause);
        passOnEnd(ctx);
    }

    /// Gives up everything that is held: messages are released, and their promises fail.
    public void fail(ChannelHandlerContext ctx, Throwable cause) {
        for (Write next; (next = queue.poll()) != null; ) {
            refuse(next, cause);
        }
        bytes = 0;
        if (!ctx.isRemoved()) {
            ctx.holds(0);
        }
    }

    private static void refuse(Write write, Throwable cause) {
        Messages.release(write.message, cause);
        if (write.promise != null) {
            write.promise.tryFailure(cause);
        }
    }
}
