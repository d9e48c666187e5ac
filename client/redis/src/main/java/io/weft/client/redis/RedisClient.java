package io.weft.client.redis;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespDecoder;
import io.weft.codec.redis.RespLimits;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespValue.Null;
import io.weft.codec.redis.RespVersion;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.codec.DecoderHandler;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// A client of one server, over one connection, which it makes again when it is lost.
///
/// Commands are sent at once, in the order of the calls, without waiting for replies (pipelining):
/// those of one turn of the loop with one flush. Above the number that may be in flight they wait.
/// When the connection is lost, commands in flight fail with [RedisException.Disconnected], which
/// says that they may have been executed; those that were not sent wait for the next connection. A
/// command without a reply within [RedisClientLimits#timeout] fails with
/// [RedisException.TimedOut].
///
/// A connection begins with HELLO and AUTH, falls back to RESP2 where the server has nothing else,
/// selects the database, begins client-side caching and subscribes again, all before other
/// commands.
///
/// **Replies.** A future's value becomes its receiver's, who closes it. Errors fail the future.
///
/// **Threads.** Any. Listeners of futures run on one loop of the group.
public final class RedisClient implements AutoCloseable {
    /// Settings of a client.
    public static final class Builder {
        private final EventLoopGroup group;
        private SocketAddress address = InetSocketAddress.createUnresolved("localhost", 6379);
        private RespVersion version = RespVersion.RESP3;
        private String user = "";
        private String password = "";
        private String name = "";
        private int database;
        private boolean tracking;
        private RedisListener listener = RedisListener.NONE;
        private RedisClientLimits limits = RedisClientLimits.DEFAULT;
        private RespLimits respLimits = RespLimits.DEFAULT;
        private ChannelInitializer first = channel -> {};

        private Builder(EventLoopGroup group) {
            this.group = group;
        }

        /// The settings as they are now.
        private Builder(Builder from) {
            group = from.group;
            address = from.address;
            version = from.version;
            user = from.user;
            password = from.password;
            name = from.name;
            database = from.database;
            tracking = from.tracking;
            listener = from.listener;
            limits = from.limits;
            respLimits = from.respLimits;
            first = from.first;
        }

        /// The server. Default: localhost, 6379.
        public Builder address(String host, int port) {
            return address(InetSocketAddress.createUnresolved(host, port));
        }

        public Builder address(SocketAddress address) {
            this.address = address;
            return this;
        }

        /// The version to ask for. Default: RESP3, which falls back to RESP2.
        public Builder version(RespVersion version) {
            this.version = version;
            return this;
        }

        /// @param user empty for the default user
        public Builder auth(String user, String password) {
            this.user = user;
            this.password = password;
            return this;
        }

        /// The name of the connection in the server's list.
        public Builder clientName(String name) {
            this.name = name;
            return this;
        }

        public Builder database(int number) {
            database = number;
            return this;
        }

        /// Begins client-side caching (RESP3): [RedisListener#invalidated] hears of keys that were
        /// read and have changed.
        public Builder tracking(boolean on) {
            tracking = on;
            return this;
        }

        public Builder listener(RedisListener listener) {
            this.listener = listener;
            return this;
        }

        public Builder limits(RedisClientLimits limits) {
            this.limits = limits;
            return this;
        }

        /// Limits of replies.
        public Builder limits(RespLimits limits) {
            respLimits = limits;
            return this;
        }

        /// Adds handlers in front, such as one of TLS.
        public Builder first(ChannelInitializer initializer) {
            first = initializer;
            return this;
        }

        /// Makes a client, which begins to connect.
        public RedisClient start() {
            RedisClient client = new RedisClient(this);
            client.connect();
            client.closeWithLoop();
            return client;
        }
    }

    private final Builder settings;
    private final EventLoop loop;

    // Under this client's lock.
    private final PriorityQueue<Call> offline =
            new PriorityQueue<>(Comparator.comparingLong((Call call) -> call.number));
    private long calls;
    private final Map<String, Set<String>> subscriptions = new TreeMap<>();
    private @Nullable Channel channel;
    private @Nullable Future<Channel> attempt;
    private boolean closed;
    private boolean timed;
    private int failures;

    private RedisClient(Builder settings) {
        this.settings = new Builder(settings);
        loop = settings.group.next();
    }

    /// Closes this client when its loop ends, whose timers run no more. The loop may live for long,
    /// and keeps no client.
    private void closeWithLoop() {
        WeakReference<RedisClient> client = new WeakReference<>(this);
        var _ =
                loop.terminationFuture()
                        .addListener(
                                _ -> {
                                    RedisClient open = client.get();
                                    if (open != null) {
                                        open.close();
                                    }
                                });
    }

    public static Builder builder(EventLoopGroup group) {
        return new Builder(group);
    }

    /// Sends a command of texts.
    ///
    /// @return the reply; see the class
    public Future<RespValue> send(String... command) {
        return send(Command.of(command));
    }

    /// Sends a command, which becomes the client's.
    ///
    /// @throws IllegalArgumentException for one that has no reply of its own, or makes those behind
    ///     it others: a subscription that names no channels, MONITOR, SYNC, PSYNC, HELLO, RESET and
    ///     CLIENT REPLY
    public Future<RespValue> send(Command command) {
        Call.requireReply(command);
        Promise<RespValue> promise = loop.newPromise();
        send(new Call(command, promise, deadline(), this::takeBack));
        return promise;
    }

    /// Sends a command directly behind ASKING.
    Future<RespValue> sendAsking(Command command) {
        Promise<RespValue> promise = loop.newPromise();
        Call call = new Call(command, promise, deadline(), this::takeBack);
        call.asking = true;
        send(call);
        return promise;
    }

    /// Forgets calls that were cancelled while they waited for a connection, oldest first.
    synchronized void dropCancelled() {
        Call.dropDone(offline);
    }

    private synchronized void send(Call call) {
        call.number = calls++;
        Channel open = channel;
        if (closed) {
            call.fail(new RedisException.Disconnected(false, "the client is closed"));
        } else if (open != null && open.isOpen()) {
            remember(call);
            open.write(call); // under the lock, which keeps the order of the callers
        } else if (offline.size() < settings.limits.waiting()) {
            offline.add(call);
            time(call);
        } else {
            call.fail(new RedisException.Overloaded(offline.size()));
        }
    }

    /// Takes a call that met a closed channel, whose loop is this client's: it runs before the next
    /// connection is made. Calls behind it may wait here already.
    private synchronized void takeBack(Call call) {
        if (closed) {
            call.fail(new RedisException.Disconnected(false, "the client is closed"));
        } else {
            offline.add(call);
            time(call);
        }
    }

    private long deadline() {
        return System.nanoTime() + settings.limits.timeoutNanos();
    }

    /// Has a timer run for calls without a connection.
    private void time(Call call) {
        if (!timed) {
            timed = true;
            long left = Math.max(0, call.deadline - System.nanoTime());
            var _ = loop.scheduleCoarse(this::expire, left, TimeUnit.NANOSECONDS);
        }
    }

    private void expire() {
        List<Call> late = new ArrayList<>();
        synchronized (this) {
            timed = false;
            long now = System.nanoTime();
            offline.removeIf(call -> call.deadline - now <= 0 && late.add(call));
            Call oldest = offline.peek();
            if (oldest != null) {
                time(oldest);
            }
        }
        late.forEach(
                call -> call.fail(new RedisException.TimedOut(false, settings.limits.timeout())));
    }

    /// Notes what the next connection subscribes to again, unless the server refuses it.
    private void remember(Call call) {
        String kind = call.subscription;
        if (kind.isEmpty()) {
            return;
        }
        boolean ends = kind.contains("unsub");
        Set<String> names =
                subscriptions.computeIfAbsent(
                        ends ? kind.replace("unsub", "sub") : kind, _ -> new LinkedHashSet<>());
        List<String> changed = call.channels();
        if (ends) {
            changed.forEach(names::remove);
            return;
        }
        changed.removeIf(name -> !names.add(name));
        var _ =
                call.promise.addListener(
                        done -> {
                            if (done.cause() instanceof RedisException.Replied) {
                                synchronized (this) {
                                    changed.forEach(names::remove);
                                }
                            }
                        });
    }

    private synchronized void connect() {
        if (closed) {
            return;
        }
        ClientHandler handler = new ClientHandler(settings.limits, settings.listener);
        Future<Channel> connecting =
                new Bootstrap(loop)
                        .handler(
                                c -> {
                                    settings.first.initChannel(c);
                                    c.pipeline()
                                            .addLast(
                                                    new DecoderHandler<>(
                                                            new RespDecoder(settings.respLimits)))
                                            .addLast(handler);
                                })
                        .connect(settings.address);
        attempt = connecting;
        var _ =
                connecting.addListener(
                        done -> {
                            Channel connected = done.now();
                            if (connected == null) {
                                lost(done.cause());
                            } else {
                                var _ =
                                        connected
                                                .closeFuture()
                                                .addListener(_ -> lost(handler.failure()));
                                greet(connected, handler, settings.version);
                            }
                        });
    }

    private void greet(Channel connected, ClientHandler handler, RespVersion version) {
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
        var _ =
                first(connected, hello)
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
                                        greet(connected, handler, RespVersion.RESP2);
                                    } else {
                                        refuse(connected, done.cause());
                                    }
                                });
    }

    /// Gives up a connection on which the server does not do what was asked for: nothing would come
    /// of waiting. If it is lost instead, commands wait for the next one.
    private void refuse(Channel connected, @Nullable Throwable cause) {
        List<Call> left = List.of();
        if (cause instanceof RedisException.Replied) {
            synchronized (this) {
                left = List.copyOf(offline);
                offline.clear();
            }
        }
        left.forEach(call -> call.fail(disconnected(cause)));
        connected.close();
    }

    private static Throwable disconnected(@Nullable Throwable cause) {
        return cause == null ? new RedisException.Disconnected(false, "unknown") : cause;
    }

    /// Servers before Redis 6 have no HELLO, others no RESP3.
    private static boolean isUnknown(@Nullable Throwable cause) {
        return cause instanceof RedisException.Replied e
                && (e.code().equals("ERR") || e.code().equals("NOPROTO"));
    }

    private Future<RespValue> first(Channel connected, List<String> command) {
        Promise<RespValue> promise = connected.newPromise();
        connected.write(
                new Call(Command.of(command.toArray(new String[0])), promise, deadline(), null));
        return promise;
    }

    /// Sets the connection up, and lets commands through when all of that has succeeded: none may
    /// run in another database.
    private void setUp(Channel connected, RespVersion version) {
        List<List<String>> commands = setUpCommands(version);
        AtomicInteger left = new AtomicInteger(commands.size());
        for (List<String> command : commands) {
            var _ =
                    first(connected, command)
                            .addListener(
                                    done -> {
                                        RespValue reply = done.now();
                                        if (reply == null) {
                                            refuse(connected, done.cause());
                                            return;
                                        }
                                        reply.close();
                                        if (left.decrementAndGet() == 0) {
                                            ready(connected);
                                        }
                                    });
        }
        if (commands.isEmpty()) {
            ready(connected);
        }
    }

    private synchronized List<List<String>> setUpCommands(RespVersion version) {
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
        subscriptions.forEach(
                (kind, names) -> {
                    if (!names.isEmpty()) {
                        List<String> command = new ArrayList<>(names);
                        command.addFirst(kind.toUpperCase(Locale.ROOT));
                        commands.add(command);
                    }
                });
        return commands;
    }

    private void ready(Channel connected) {
        synchronized (this) {
            if (closed) {
                connected.close();
                return;
            }
            failures = 0;
            channel = connected;
            for (Call call; (call = offline.poll()) != null; ) {
                remember(call);
                connected.write(call);
            }
        }
        settings.listener.connected();
    }

    private void lost(@Nullable Throwable cause) {
        if (loop.isShuttingDown()) {
            close(); // nothing connects again
        }
        boolean stood;
        synchronized (this) {
            stood = channel != null;
            channel = null;
            if (closed) {
                return;
            }
            long delay = settings.limits.retryNanos(failures++);
            var _ = loop.schedule(this::connect, delay, TimeUnit.NANOSECONDS);
        }
        if (stood && settings.tracking) {
            settings.listener.invalidated(Null.NULL);
        }
        settings.listener.disconnected(disconnected(cause));
    }

    /// Tells if a connection stands and has been set up.
    public synchronized boolean isConnected() {
        return channel != null;
    }

    /// Closes the connection when what was sent is on its way; commands without a reply fail.
    @Override
    public void close() {
        List<Call> left;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            left = List.copyOf(offline);
            offline.clear();
            if (channel != null) {
                channel.close();
            } else if (attempt != null && !attempt.cancel()) {
                Channel connecting = attempt.now();
                if (connecting != null) {
                    connecting.close();
                }
            }
        }
        left.forEach(
                call -> call.fail(new RedisException.Disconnected(false, "the client is closed")));
    }
}
