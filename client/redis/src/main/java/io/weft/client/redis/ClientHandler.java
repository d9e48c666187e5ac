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

    /// True if messages are pushes: arrays are replies, whatever is in them.
    private boolean pushes;

    // True while channels, or those of shards, are subscribed to: then arrays may be messages
    // (RESP2).
    private boolean subscribed;
    private boolean subscribedToShards;

    private Throwable failure = new RedisException.Disconnected(true, "the connection is closed");

    ClientHandler(RedisClientLimits limits, RedisListener listener) {
        this.limits = limits;
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
        if (!ctx.channel().isOpen()) {
            call.close();
        } else if (call.isFirst() || (inFlight.size() < limits.inFlight() && waiting.isEmpty())) {
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
        boolean push = value.type() == RespType.PUSH;
        if ((push || (!pushes && value.type() == RespType.ARRAY)) && event(value, push)) {
            return;
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

    /// Sets that messages come as pushes from now on, as in RESP3.
    void hasPushes() {
        pushes = true;
    }

    /// Tells what is no reply, and returns true then.
    private boolean event(RespValue value, boolean push) {
        List<RespValue> elements = value.elements();
        String kind = elements.isEmpty() ? "" : String.valueOf(elements.getFirst().text());
        int size = elements.size();
        Call call = inFlight.peek();
        boolean confirms =
                call != null && !kind.isEmpty() && call.subscription.equals(kind) && size == 3;
        if (confirms) {
            confirmed(kind, elements.get(2));
            return false;
        }
        if (!push && !subscribed && !subscribedToShards) {
            return false; // data, even if it looks like a message
        }
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
                    // Of channels that the server has taken away, no command was there.
                    boolean ended = size == 3 && kind.endsWith("unsubscribe");
                    told = push || ended;
                    if (ended) {
                        confirmed(kind, elements.get(2));
                    }
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

    /// @param count of channels that are still subscribed to
    private void confirmed(String kind, RespValue count) {
        boolean some = !(count instanceof RespValue.Int number) || number.value() != 0;
        if (kind.startsWith("ssub") || kind.startsWith("sunsub")) {
            subscribedToShards = some;
        } else {
            subscribed = some;
        }
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
            call.close();
        }
        ctx.fireChannelInactive();
    }

    Throwable failure() {
        return failure;
    }
}
