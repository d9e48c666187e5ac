package io.weft.client.redis;

import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespValue;
import io.weft.loop.EventExecutor;
import io.weft.loop.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A command and the promise of its reply. Closing one that was not sent gives it back to the
/// client, for the next connection.
final class Call implements AutoCloseable {
    final Command command;
    final Promise<RespValue> promise;

    /// Replies that complete it: of a subscription one for each channel.
    int replies;

    /// Nanoseconds of the clock at which it has failed without a reply.
    final long deadline;

    /// `subscribe` and the like in lower case; empty for other commands.
    final String subscription;

    /// True for one that is sent directly behind ASKING.
    boolean asking;

    /// Takes it back if it was not sent; null for one that belongs to its connection.
    private final @Nullable Consumer<Call> owner;

    /// Place in the order of the client's calls, under its lock.
    long number;

    private boolean sent;

    Call(
            Command command,
            Promise<RespValue> promise,
            long deadline,
            @Nullable Consumer<Call> owner) {
        this.command = command;
        this.owner = owner;
        this.deadline = deadline;
        this.promise = promise;
        subscription = subscription(command);
        if (subscription.isEmpty()) {
            replies = 1;
        } else {
            replies = command.size() - 1;
        }
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
        return new Call(Command.of("ASKING"), promise, deadline, null);
    }

    /// Removes calls that were cancelled from the beginning of a queue.
    static void dropDone(Queue<Call> queue) {
        for (Call call; (call = queue.peek()) != null && call.promise.isDone(); ) {
            var _ = queue.remove();
            call.close();
        }
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

    /// Tells if it is part of how a connection begins, which no limit stops.
    boolean isFirst() {
        return owner == null;
    }

    /// The channels or patterns of a subscription.
    List<String> channels() {
        List<String> channels = new ArrayList<>();
        for (int i = 1; i < command.size(); i++) {
            channels.add(command.text(i));
        }
        return channels;
    }

    /// The command belongs to the encoder.
    Command send() {
        sent = true;
        return command;
    }

    void complete(RespValue reply) {
        if (reply.isError()) {
            try (reply) {
                var _ =
                        promise.tryFailure(
                                new RedisException.Replied(String.valueOf(reply.text())));
            }
        } else if (!promise.trySuccess(reply)) {
            reply.close(); // cancelled
        }
    }

    void fail(Throwable cause) {
        if (!sent) {
            sent = true;
            command.close();
        }
        var _ = promise.tryFailure(cause);
    }

    @Override
    public void close() {
        if (owner == null || promise.isDone()) {
            fail(new RedisException.Disconnected(false, "the connection is closed"));
        } else {
            owner.accept(this);
        }
    }
}
