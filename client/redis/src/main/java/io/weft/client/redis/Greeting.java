package io.weft.client.redis;

import io.weft.channel.Channel;
import io.weft.client.pipelined.Line;
import io.weft.client.pipelined.Reconnection;
import io.weft.client.redis.Subscriptions.Subscription;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespDecoder;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespVersion;
import io.weft.handler.codec.DecoderHandler;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One connection to the server, and how it begins: with the version and the user, then with what
/// belongs to a connection. Commands of callers come behind all of that.
final class Greeting implements Line {
    /// Errors of a server or cluster that is not ready yet. The next connection may succeed.
    private static final Set<String> PASSING =
            Set.of("LOADING", "CLUSTERDOWN", "MASTERDOWN", "TRYAGAIN");

    private final RedisClient.Builder settings;
    private final Subscriptions subscriptions;
    private final Reconnection connection;
    private final ClientHandler handler;

    Greeting(RedisClient.Builder settings, Subscriptions subscriptions, Reconnection connection) {
        this.settings = settings;
        this.subscriptions = subscriptions;
        this.connection = connection;
        handler = new ClientHandler(settings.limits.pipeline(), settings.listener, subscriptions);
    }

    @Override
    public void initChannel(Channel channel) throws Exception {
        settings.first.initChannel(channel);
        channel.pipeline()
                .addLast(new DecoderHandler<>(new RespDecoder(settings.respLimits)))
                .addLast(handler);
    }

    @Override
    public Throwable failure() {
        return handler.failure();
    }

    @Override
    public void greet(Channel connected) {
        greet(connected, settings.version);
    }

    private void greet(Channel connected, RespVersion version) {
        var _ =
                send(connected, hello(version))
                        .addListener(
                                done -> {
                                    RespValue reply = done.now();
                                    if (reply != null) {
                                        reply.close();
                                        if (version == RespVersion.RESP3) {
                                            handler.hasPushes();
                                        }
                                        setUp(connected, version);
                                    } else if (version == RespVersion.RESP3
                                            && isUnknown(done.cause())) {
                                        greet(connected, RespVersion.RESP2);
                                    } else {
                                        refuse(connected, done.cause());
                                    }
                                });
    }

    private List<String> hello(RespVersion version) {
        List<String> hello = new ArrayList<>();
        if (version == RespVersion.RESP3) {
            hello.addAll(List.of("HELLO", "3"));
            if (!settings.password.isEmpty()) {
                String user = settings.user.isEmpty() ? "default" : settings.user;
                hello.addAll(List.of("AUTH", user, settings.password));
            }
        } else if (!settings.password.isEmpty()) {
            hello.add("AUTH");
            if (!settings.user.isEmpty()) {
                hello.add(settings.user);
            }
            hello.add(settings.password);
        } else {
            hello.add("PING");
        }
        return hello;
    }

    /// Servers before Redis 6 have no HELLO, others no RESP3.
    private static boolean isUnknown(@Nullable Throwable cause) {
        return cause instanceof RedisException.Replied e
                && (e.code().equals("ERR") || e.code().equals("NOPROTO"));
    }

    /// Gives up a connection on which the server does not do what was asked for.
    private void refuse(Channel connected, @Nullable Throwable cause) {
        if (cause instanceof RedisException.Replied) {
            connection.refuse(connected, cause);
        } else {
            connection.giveUp(connected, ofItself(cause));
        }
    }

    /// Returns null for the errors of calls, whose reason the connection has.
    private static @Nullable Throwable ofItself(@Nullable Throwable cause) {
        return cause instanceof RedisException ? null : cause;
    }

    /// Sends a command; what there is no memory for fails the future.
    private Future<RespValue> send(Channel connected, List<String> command) {
        Promise<RespValue> promise = connected.newPromise();
        try {
            Command bytes = Command.of(command.toArray(new String[0]));
            connected.write(Call.first(bytes, promise, connection.deadline()));
        } catch (RuntimeException | OutOfMemoryError e) {
            promise.tryFailure(e);
        }
        return promise;
    }

    /// Sets the connection up, and lets commands through when all of that has succeeded: none may
    /// run in another database. A subscription that is refused does not count: no other would ever
    /// be made again.
    private void setUp(Channel connected, RespVersion version) {
        List<List<String>> commands = setUpCommands(version);
        List<Subscription> subscribed = subscriptions.all();
        AtomicInteger left = new AtomicInteger(commands.size() + subscribed.size() + 1);
        Runnable done =
                () -> {
                    if (left.decrementAndGet() == 0) {
                        connection.ready(connected);
                    }
                };
        for (List<String> command : commands) {
            setUp(connected, command, done, cause -> refuse(connected, cause));
        }
        for (Subscription subscription : subscribed) {
            setUp(
                    connected,
                    subscription.command(),
                    done,
                    cause -> {
                        if (!(cause instanceof RedisException.Replied refusal)) {
                            connection.giveUp(connected, ofItself(cause));
                            return;
                        }
                        if (PASSING.contains(refusal.code())) {
                            connection.giveUp(connected, refusal); // the next one tries again
                            return;
                        }
                        done.run(); // first: what the listener throws keeps no connection
                        end(subscription, refusal);
                    });
        }
        done.run();
    }

    private void setUp(
            Channel connected,
            List<String> command,
            Runnable done,
            Consumer<@Nullable Throwable> failed) {
        var _ =
                send(connected, command)
                        .addListener(
                                outcome -> {
                                    RespValue reply = outcome.now();
                                    if (reply == null) {
                                        failed.accept(outcome.cause());
                                        return;
                                    }
                                    reply.close();
                                    done.run();
                                });
    }

    private void end(Subscription refused, RedisException.Replied refusal) {
        if (subscriptions.ended(refused)) {
            settings.listener.unsubscribed(refused.name(), refusal);
        }
    }

    private List<List<String>> setUpCommands(RespVersion version) {
        List<List<String>> commands = new ArrayList<>();
        if (!settings.name.isEmpty()) {
            commands.add(List.of("CLIENT", "SETNAME", settings.name));
        }
        if (settings.database != 0) {
            commands.add(List.of("SELECT", String.valueOf(settings.database)));
        }
        if (settings.tracking && version == RespVersion.RESP3) {
            commands.add(List.of("CLIENT", "TRACKING", "ON"));
        }
        return commands;
    }
}
