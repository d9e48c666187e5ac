package io.weft.client.redis;

import io.weft.client.pipelined.PipelinedCall;
import io.weft.client.pipelined.Reconnection;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespType;
import io.weft.codec.redis.RespValue;
import io.weft.loop.EventExecutor;
import io.weft.loop.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A command and the promise of its reply.
final class Call extends PipelinedCall<RespValue> {
    final Command command;

    /// Confirmations that complete a subscription, one for each channel.
    private int confirmations;

    /// `subscribe` and the like in lower case; empty for other commands.
    final String subscription;

    /// True for one that is sent directly behind ASKING.
    boolean asking;

    /// Notes what is subscribed to; null for a call that belongs to its connection.
    private final @Nullable Subscriptions subscriptions;

    private Call(
            Command command,
            Promise<RespValue> promise,
            long deadline,
            @Nullable Reconnection owner,
            @Nullable Subscriptions subscriptions) {
        super(promise, deadline, Errors.INSTANCE, owner);
        this.command = command;
        this.subscriptions = subscriptions;
        subscription = subscription(command);
        confirmations = subscription.isEmpty() ? 0 : command.size() - 1;
    }

    /// Returns the call of a client, which survives the connection unless it was sent.
    static Call of(
            Command command,
            Promise<RespValue> promise,
            Reconnection owner,
            Subscriptions subscriptions) {
        return new Call(command, promise, owner.deadline(), owner, subscriptions);
    }

    /// Returns a call that is part of how a connection begins.
    static Call first(Command command, Promise<RespValue> promise, long deadline) {
        return new Call(command, promise, deadline, null, null);
    }

    /// Releases a command that leaves its connection without an order of replies.
    ///
    /// @throws IllegalArgumentException for such a command
    static void requireReply(Command command) {
        String expected =
                switch (command.length(0)) {
                    case 4 -> command.is(0, "SYNC") ? "no replication" : "";
                    case 5 ->
                            command.is(0, "PSYNC")
                                    ? "no replication"
                                    : command.is(0, "HELLO")
                                            ? "the version and the user of the builder"
                                            : command.is(0, "RESET") ? "a new client" : "";
                    case 6 ->
                            command.is(0, "CLIENT") && command.size() > 1 && command.is(1, "REPLY")
                                    ? "a reply to each command"
                                    : "";
                    case 7 -> command.is(0, "MONITOR") ? "one reply to each command" : "";
                    default ->
                            command.size() == 1 && !subscription(command).isEmpty()
                                    ? "at least one channel"
                                    : "";
                };
        if (!expected.isEmpty()) {
            try (command) {
                throw new IllegalArgumentException(
                        "command: "
                                + command.name()
                                + (command.size() > 1 ? " " + command.text(1) : "")
                                + " (expected: "
                                + expected
                                + ")");
            }
        }
    }

    /// ASKING, whose reply is dropped.
    static Call asking(EventExecutor executor, long deadline) {
        Promise<RespValue> promise = executor.newPromise();
        var _ =
                promise.addListener(
                        done -> {
                            RespValue reply = done.now();
                            if (reply != null) {
                                reply.close();
                            }
                        });
        return first(Command.of("ASKING"), promise, deadline);
    }

    private static String subscription(Command command) {
        int length = command.length(0);
        if (length >= 9 && length <= 12) {
            String name = command.name();
            if (name.endsWith("SUBSCRIBE")) {
                return name.toLowerCase(Locale.ROOT);
            }
        }
        return "";
    }

    /// The channels or patterns of a subscription.
    List<String> channels() {
        List<String> channels = new ArrayList<>();
        for (int i = 1; i < command.size(); i++) {
            channels.add(command.text(i));
        }
        return channels;
    }

    /// The command belongs to the encoder. Subscriptions are noted no earlier: a call that ends
    /// before has none.
    Command send() {
        if (subscriptions != null) {
            subscriptions.note(this);
        }
        sent();
        return command;
    }

    boolean isSubscription() {
        return !subscription.isEmpty();
    }

    /// Tells if a value confirms one of the channels.
    boolean isConfirmedBy(RespValue value) {
        RespType type = value.type();
        if (!isSubscription() || (type != RespType.PUSH && type != RespType.ARRAY)) {
            return false;
        }
        List<RespValue> elements = value.elements();
        return elements.size() == 3 && subscription.equals(elements.getFirst().text());
    }

    /// Counts a reply, and returns true if none follows. A subscription that gets anything else in
    /// place of a confirmation gets one reply as other commands do: an error, or QUEUED.
    boolean isLast(boolean confirms) {
        return !confirms || --confirmations <= 0;
    }

    /// Tells if the server has confirmed all channels.
    boolean isConfirmed() {
        return confirmations <= 0;
    }

    void complete(RespValue reply) {
        if (reply.isError()) {
            try (reply) {
                var _ =
                        promise()
                                .tryFailure(
                                        new RedisException.Replied(String.valueOf(reply.text())));
            }
        } else if (!promise().trySuccess(reply)) {
            reply.close(); // cancelled
        }
    }

    @Override
    protected void release() {
        command.close();
    }
}
