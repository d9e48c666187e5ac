package io.weft.client.pipelined;

import io.weft.buffer.Buffer;
import io.weft.buffer.MemoryLimitException;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Output;
import io.weft.engine.ChannelOption;
import io.weft.loop.EventExecutor;
import io.weft.loop.Timeout;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Calls of one connection that are sent and not answered, oldest first, and those that wait
/// behind them. What is written in one turn of the loop is sent with one flush. On the loop.
///
/// @param <C> calls of one protocol
public final class CallsInFlight<C extends PipelinedCall<?>> {
    /// The protocol's side of writing.
    ///
    /// @param <C> its calls
    public interface Writer<C> {
        /// Writes the request of a call.
        void write(C call, Output out);

        /// Returns a call that goes directly before another one; null for none.
        default @Nullable C before(C call, EventExecutor executor) {
            return null;
        }
    }

    private final PipelineLimits limits;
    private final CallErrors errors;
    private final Writer<C> writer;
    private final Output out = new Output();
    private final ArrayDeque<C> inFlight = new ArrayDeque<>();
    private final ArrayDeque<C> waiting = new ArrayDeque<>();
    private boolean flushing;

    /// The channel closes when all calls are on their way.
    private boolean closing;

    /// Ends a close that a peer holds up; null before one.
    private @Nullable Timeout closeTimer;

    /// Bytes that the channel was given.
    private long written;

    /// For the call in flight that ends first: behind one of the greeting comes one that has waited
    /// for the connection, and ends earlier. Null before the first call.
    private @Nullable EarliestTimer timer;

    /// Tells calls in flight why the connection has ended.
    private String reason = "the connection is closed";

    private Throwable failure;

    public CallsInFlight(PipelineLimits limits, CallErrors errors, Writer<C> writer) {
        this.limits = limits;
        this.errors = errors;
        this.writer = writer;
        failure = errors.disconnected(true, reason);
    }

    /// Sends a call, or has it wait.
    public void write(ChannelHandlerContext ctx, C call) {
        PipelinedCall.dropDone(waiting);
        if (closing || !ctx.channel().isOpen()) {
            call.close();
        } else if (call.isFirst() || (inFlight.size() < limits.inFlight() && waiting.isEmpty())) {
            send(ctx, call);
        } else if (waiting.size() < limits.waiting()) {
            waiting.add(call);
        } else {
            call.fail(errors.overloaded(waiting.size()));
        }
    }

    private void send(ChannelHandlerContext ctx, C call) {
        if (!call.promise().setUncancellable()) {
            call.close(); // cancelled while it waited
            return;
        }
        C before = writer.before(call, ctx.eventLoop());
        Output.Mark mark = out.mark();
        if (before != null) {
            inFlight.add(before);
        }
        inFlight.add(call); // fails with the connection, whichever write ends it
        try {
            if (before != null) {
                writer.write(before, out);
            }
            writer.write(call, out);
        } catch (MemoryLimitException e) {
            out.rollback(mark);
            failUnwritten(before, call, e);
            return;
        }
        if (!flushing) {
            flushing = true;
            ctx.eventLoop().executeUnbounded(() -> flushAll(ctx));
        }
        timer(ctx).arm(call.deadline);
    }

    /// Fails the last calls, of which nothing was written, and no others: there may be memory for
    /// the next one.
    private void failUnwritten(@Nullable C before, C call, MemoryLimitException cause) {
        inFlight.removeLast();
        if (before != null) {
            inFlight.removeLast();
            before.fail(cause);
        }
        call.fail(cause); // a listener may make calls
    }

    private void flushAll(ChannelHandlerContext ctx) {
        flushing = false;
        if (!ctx.isRemoved()) {
            // The rest waits here: more than the channel takes would end it.
            for (Buffer next; ctx.channel().isWritable() && (next = out.next()) != null; ) {
                written += next.readableBytes();
                ctx.write(next);
            }
            ctx.flush();
            closeIfAllIsWritten(ctx);
        }
    }

    /// Goes on where the channel takes more.
    public void writabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable() && out.size() > 0) {
            flushAll(ctx);
        }
    }

    private EarliestTimer timer(ChannelHandlerContext ctx) {
        if (timer == null) {
            timer = new EarliestTimer(ctx.eventLoop(), () -> expire(ctx));
        }
        return timer;
    }

    private void expire(ChannelHandlerContext ctx) {
        timer(ctx).ran();
        C oldest = inFlight.peek();
        if (oldest == null || ctx.isRemoved()) {
            return;
        }
        if (oldest.deadline - ctx.eventLoop().clock().nanoTime() > 0) {
            timer(ctx).arm(oldest.deadline);
            return;
        }
        Throwable late = errors.timedOut(true, limits.timeout(), null);
        inFlight.remove().fail(late);
        reason = "no answer to another after " + limits.timeout();
        failure = late;
        ctx.channel().abort();
    }

    /// Returns the call whose answer comes next; null without one.
    public @Nullable C oldest() {
        return inFlight.peek();
    }

    /// Removes the oldest call, whose answer has come. Its promise is completed after that, so that
    /// a listener that makes a call finds the place free.
    public void finish() {
        var _ = inFlight.remove();
    }

    /// Sends calls that waited for the answers of this read.
    public void readComplete(ChannelHandlerContext ctx) {
        while (!waiting.isEmpty() && inFlight.size() < limits.inFlight()) {
            send(ctx, waiting.remove());
        }
        closeIfAllIsWritten(ctx);
    }

    /// Closes the channel when all calls are on their way, those that wait too: answers that come
    /// before are taken. A peer that takes nothing for as long as [ChannelOption#CLOSE_TIMEOUT]
    /// ends that.
    public void closeWhenWritten(ChannelHandlerContext ctx) {
        if (closing) {
            return;
        }
        closing = true;
        flushAll(ctx);
        if (ctx.channel().isOpen()) {
            watch(ctx);
        }
    }

    private void closeIfAllIsWritten(ChannelHandlerContext ctx) {
        if (closing) {
            PipelinedCall.dropDone(waiting);
            if (waiting.isEmpty() && out.size() == 0) {
                ctx.close();
            }
        }
    }

    private void watch(ChannelHandlerContext ctx) {
        long before = taken(ctx);
        long patience =
                TimeUnit.NANOSECONDS.convert(
                        ctx.channel().options().get(ChannelOption.CLOSE_TIMEOUT));
        closeTimer =
                ctx.eventLoop()
                        .schedule(
                                () -> {
                                    if (taken(ctx) != before) {
                                        watch(ctx);
                                    } else if (out.size() > 0) {
                                        ctx.channel().abort();
                                    } else {
                                        ctx.close(); // only calls that wait for answers are left
                                    }
                                },
                                patience,
                                TimeUnit.NANOSECONDS);
    }

    /// Returns the bytes that the peer has taken.
    private long taken(ChannelHandlerContext ctx) {
        return written - ctx.channel().pendingBytes();
    }

    /// Ends the connection for a reason.
    public void fail(ChannelHandlerContext ctx, Throwable cause) {
        String message = cause.getMessage();
        reason = message == null ? cause.toString() : message;
        failure = cause;
        ctx.channel().abort();
    }

    /// Fails the calls in flight and gives back those that wait: the connection has ended.
    public void close() {
        out.close();
        if (closeTimer != null) {
            closeTimer.cancel();
        }
        for (C call; (call = inFlight.poll()) != null; ) {
            call.fail(errors.disconnected(true, reason));
        }
        for (C call; (call = waiting.poll()) != null; ) {
            call.close();
        }
    }

    /// Returns the reason for which the connection has ended.
    public Throwable failure() {
        return failure;
    }
}
