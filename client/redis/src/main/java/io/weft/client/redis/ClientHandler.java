package io.weft.client.redis;

import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.client.pipelined.CallsInFlight;
import io.weft.client.pipelined.PipelineLimits;
import io.weft.client.redis.Subscriptions.Subscription;
import io.weft.codec.Output;
import io.weft.codec.redis.CommandEncoder;
import io.weft.codec.redis.RespType;
import io.weft.codec.redis.RespValue;
import io.weft.loop.EventExecutor;
import io.weft.loop.Promise;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Writes calls and gives each its reply: replies come in the order of commands.
final class ClientHandler implements ChannelHandler {
    private final RedisListener listener;
    private final Subscriptions subscriptions;
    private final CallsInFlight<Call> calls;

    /// True if messages are pushes: arrays are replies, whatever is in them.
    private boolean pushes;

    // True while channels, or those of shards, are subscribed to: then arrays may be messages
    // (RESP2).
    private boolean subscribed;
    private boolean subscribedToShards;

    ClientHandler(PipelineLimits limits, RedisListener listener, Subscriptions subscriptions) {
        this.listener = listener;
        this.subscriptions = subscriptions;
        calls = new CallsInFlight<>(limits, Errors.INSTANCE, new Commands());
    }

    /// Commands as bytes.
    private static final class Commands implements CallsInFlight.Writer<Call> {
        private final CommandEncoder encoder = new CommandEncoder();

        @Override
        public void write(Call call, Output out) {
            encoder.encode(call.send(), out);
        }

        @Override
        public @Nullable Call before(Call call, EventExecutor executor) {
            return call.asking ? Call.asking(executor, call.deadline()) : null;
        }
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
        calls.write(ctx, call);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        calls.writabilityChanged(ctx);
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (!(message instanceof RespValue value)) {
            ctx.fireChannelRead(message);
            return;
        }
        Call call = calls.oldest();
        if (call != null && call.isConfirmedBy(value)) {
            confirmed(call.subscription, value.elements().get(2));
            reply(call, value, true);
        } else if (!event(value)) {
            reply(call, value, false);
        }
    }

    private void reply(@Nullable Call call, RespValue value, boolean confirms) {
        if (call == null) {
            value.close();
            throw new IllegalStateException(value.type() + ": a reply (expected: to a command)");
        }
        if (!call.isLast(confirms)) {
            value.close();
            return;
        }
        boolean queued = !confirms && call.isSubscription() && !value.isError();
        calls.finish();
        call.complete(value);
        if (queued && !pushes) {
            // At the transaction's end, confirmations and messages would look like replies.
            throw new IllegalStateException(
                    call.subscription + ": in a transaction (expected: outside, or RESP3)");
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        calls.readComplete(ctx);
        ctx.fireChannelReadComplete();
    }

    /// Sets that messages come as pushes from now on, as in RESP3.
    void hasPushes() {
        pushes = true;
    }

    /// Tells what is no reply, and returns true then.
    private boolean event(RespValue value) {
        boolean push = value.type() == RespType.PUSH;
        boolean mayBeMessage =
                value.type() == RespType.ARRAY && !pushes && (subscribed || subscribedToShards);
        if (!push && !mayBeMessage) {
            return false; // data, even if it looks like a message
        }
        List<RespValue> elements = value.elements();
        String kind = elements.isEmpty() ? "" : String.valueOf(elements.getFirst().text());
        int size = elements.size();
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
                        ended(kind.replace("unsub", "sub"), elements.get(1).text());
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

    /// Not subscribed to again: a shard's channel has moved, and the server would refuse it.
    private void ended(String kind, @Nullable String name) {
        if (name != null && subscriptions.ended(new Subscription(kind, name))) {
            listener.unsubscribed(name, null);
        }
    }

    private static String text(List<RespValue> elements, int index) {
        return String.valueOf(elements.get(index).text());
    }

    @Override
    public void close(ChannelHandlerContext ctx) {
        calls.closeWhenWritten(ctx);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        calls.fail(ctx, cause);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        calls.close();
        ctx.fireChannelInactive();
    }

    Throwable failure() {
        return calls.failure();
    }
}
