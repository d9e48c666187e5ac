package io.weft.client.memcache;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Output;
import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.MemcacheEncoder;
import io.weft.loop.Promise;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Writes calls and gives each its answer: answers come in the order of requests. What is written
/// in one turn of the loop is sent with one flush.
final class ClientHandler implements ChannelHandler {
    private final MemcacheClientLimits limits;
    private final MemcacheEncoder encoder = new MemcacheEncoder();
    private final Output out = new Output();
    private final ArrayDeque<Call<?>> inFlight = new ArrayDeque<>();
    private final ArrayDeque<Call<?>> waiting = new ArrayDeque<>();
    private boolean flushing;

    /// A timer runs for the oldest call in flight, or one that was it.
    private boolean timed;

    private Throwable failure = new MemcacheFailure.Disconnected(true, "the connection is closed");

    ClientHandler(MemcacheClientLimits limits) {
        this.limits = limits;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (!(message instanceof Call<?> call)) {
            ctx.write(message, promise);
            return;
        }
        if (promise != null) {
            promise.trySuccess(null); // the answer says the rest
        }
        for (Call<?> next; (next = waiting.peek()) != null && next.promise.isDone(); ) {
            waiting.remove().close(); // cancelled while it waited
        }
        if (!ctx.channel().isOpen()) {
            call.close();
        } else if (call.isFirst() || (inFlight.size() < limits.inFlight() && waiting.isEmpty())) {
            send(ctx, call);
        } else if (waiting.size() < limits.waiting()) {
            waiting.add(call);
        } else {
            call.fail(new MemcacheFailure.Overloaded(waiting.size()));
        }
    }

    private void send(ChannelHandlerContext ctx, Call<?> call) {
        if (!call.promise.setUncancellable()) {
            call.fail(new MemcacheFailure.Disconnected(false, "cancelled while it waited"));
            return;
        }
        inFlight.add(call);
        encoder.encode(call.send(), out);
        if (!flushing) {
            flushing = true;
            ctx.eventLoop().executeUnbounded(() -> flushAll(ctx));
        }
        time(ctx, call);
    }

    private void flushAll(ChannelHandlerContext ctx) {
        flushing = false;
        if (!ctx.isRemoved()) {
            // The rest waits here: more than the channel takes would end it.
            for (Buffer next; ctx.channel().isWritable() && (next = out.next()) != null; ) {
                ctx.write(next);
            }
            ctx.flush();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        if (ctx.channel().isWritable() && out.size() > 0) {
            flushAll(ctx);
        }
        ctx.fireChannelWritabilityChanged();
    }

    private void time(ChannelHandlerContext ctx, Call<?> call) {
        if (!timed) {
            timed = true;
            long left = Math.max(0, call.deadline - System.nanoTime());
            var _ = ctx.eventLoop().scheduleCoarse(() -> expire(ctx), left, TimeUnit.NANOSECONDS);
        }
    }

    private void expire(ChannelHandlerContext ctx) {
        timed = false;
        Call<?> oldest = inFlight.peek();
        if (oldest == null || ctx.isRemoved()) {
            return;
        }
        if (oldest.deadline - System.nanoTime() > 0) {
            time(ctx, oldest);
            return;
        }
        failure = new MemcacheFailure.TimedOut(true, "after " + limits.timeout());
        inFlight.remove().fail(failure);
        ctx.channel().abort();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof BinaryMessage answer)) {
            ctx.fireChannelRead(message);
            return;
        }
        Call<?> call = inFlight.peek();
        if (call == null || call.opaque() != answer.opaque() || call.opcode() != answer.opcode()) {
            try (answer) {
                throw new IllegalStateException(
                        answer + " (expected: " + (call == null ? "none" : call) + ")");
            }
        }
        if (call.answered(answer)) {
            inFlight.remove();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        while (!waiting.isEmpty() && inFlight.size() < limits.inFlight()) {
            send(ctx, waiting.remove());
        }
        ctx.fireChannelReadComplete();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        failure = cause;
        ctx.channel().abort();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        out.close();
        String why = String.valueOf(failure.getMessage());
        for (Call<?> call; (call = inFlight.poll()) != null; ) {
            call.fail(new MemcacheFailure.Disconnected(true, why));
        }
        for (Call<?> call; (call = waiting.poll()) != null; ) {
            call.close();
        }
        ctx.fireChannelInactive();
    }

    Throwable failure() {
        return failure;
    }
}
