package io.weft.client.redis;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Output;
import io.weft.codec.redis.CommandEncoder;
import io.weft.codec.redis.RespType;
import io.weft.codec.redis.RespValue;
import io.weft.loop.Promise;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Writes calls and gives each its reply: replies come in the order of commands. What is written in
/// one turn of the loop is sent with one flush.
final class ClientHandler implements ChannelHandler {
    private final RedisClientLimits limits;
    private final RedisListener listener;
    private final CommandEncoder encoder = new CommandEncoder();
    private final Output out = new Output();
    private final ArrayDeque<Call> inFlight = new ArrayDeque<>();
    private final ArrayDeque<Call> waiting = new ArrayDeque<>();
    private boolean flushing;

    /// A timer runs for the oldest call in flight, or one that was it.
    private boolean timed;

    /// True once a channel was subscribed to: then arrays may be messages (RESP2).
    private boolean subscribed;

    private Throwable failure = new RedisException.Disconnected(true, "the connection is closed");

    private final Consumer<Call> unsent;

    /// @param unsent takes calls that were not sent when the connection ended
    ClientHandler(RedisClientLimits limits, RedisListener listener, Consumer<Call> unsent) {
        this.limits = limits;
        this.unsent = unsent;
        this.listener = listener;
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
        if (!(message instanceof Call call)) {
            ctx.write(message, promise);
            return;
        }
        if (promise != null) {
            promise.trySuccess(null); // the reply says the rest
        }
        Call.dropDone(waiting);
        if (inFlight.size() < limits.inFlight() && waiting.isEmpty()) {
            send(ctx, call);
        } else if (waiting.size() < limits.waiting()) {
            waiting.add(call);
        } else {
            call.fail(new RedisException.Overloaded(waiting.size()));
        }
    }

    private void send(ChannelHandlerContext ctx, Call call) {
        if (!call.promise.setUncancellable()) {
            call.close(); // cancelled while it waited
            return;
        }
        subscribed |= !call.subscription.isEmpty();
        if (call.asking) {
            Call asking = Call.asking(ctx.eventLoop(), call.deadline);
            inFlight.add(asking);
            encoder.encode(asking.send(), out);
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
            for (Buffer next; (next = out.next()) != null; ) {
                ctx.write(next);
            }
            ctx.flush();
        }
    }

    private void time(ChannelHandlerContext ctx, Call call) {
        if (!timed) {
            timed = true;
            long left = Math.max(0, call.deadline - System.nanoTime());
            var _ = ctx.eventLoop().scheduleCoarse(() -> expire(ctx), left, TimeUnit.NANOSECONDS);
        }
    }

    private void expire(ChannelHandlerContext ctx) {
        timed = false;
        Call oldest = inFlight.peek();
        if (oldest == null || ctx.isRemoved()) {
            return;
        }
        if (oldest.deadline - System.nanoTime() > 0) {
            time(ctx, oldest);
            return;
        }
        failure = new RedisException.TimedOut(true, limits.timeout());
        inFlight.remove().fail(failure);
        ctx.channel().abort();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof RespValue value)) {
            ctx.fireChannelRead(message);
            return;
        }
        if (value.type() == RespType.PUSH || (subscribed && value.type() == RespType.ARRAY)) {
            if (event(value)) {
                return;
            }
        }
        Call call = inFlight.peek();
        if (call == null) {
            value.close();
            throw new IllegalStateException(value.type() + ": a reply (expected: to a command)");
        }
        if (--call.replies <= 0 || value.isError()) {
            var _ = inFlight.remove();
            call.complete(value);
        } else {
            value.close();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        while (!waiting.isEmpty() && inFlight.size() < limits.inFlight()) {
            send(ctx, waiting.remove());
        }
        ctx.fireChannelReadComplete();
    }

    /// Tells what is no reply, and returns true then.
    private boolean event(RespValue value) {
        List<RespValue> elements = value.elements();
        String kind = elements.isEmpty() ? "" : String.valueOf(elements.getFirst().text());
        int size = elements.size();
        Call call = inFlight.peek();
        if (call != null && call.subscription.equals(kind)) {
            return false; // a confirmation
        }
        boolean push = value.type() == RespType.PUSH;
        boolean told = true;
        try {
            switch (kind) {
                case "message", "smessage" -> {
                    if (size == 3) {
                        listener.message(text(elements, 1), elements.get(2));
                    }
                }
                case "pmessage" -> {
                    if (size == 4) {
                        listener.message(text(elements, 1), text(elements, 2), elements.get(3));
                    }
                }
                case "invalidate" -> {
                    if (push && size == 2) {
                        listener.invalidated(elements.get(1));
                    } else {
                        told = push;
                    }
                }
                default -> {
                    told = push;
                    if (push) {
                        listener.pushed(value);
                    }
                }
            }
        } finally {
            if (told) {
                value.close();
            }
        }
        return told;
    }

    private static String text(List<RespValue> elements, int index) {
        return String.valueOf(elements.get(index).text());
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
        for (Call call; (call = inFlight.poll()) != null; ) {
            call.fail(new RedisException.Disconnected(true, why));
        }
        for (Call call; (call = waiting.poll()) != null; ) {
            unsent.accept(call);
        }
        ctx.fireChannelInactive();
    }

    Throwable failure() {
        return failure;
    }
}
