package io.weft.client.memcache;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.BinaryStatus;
import io.weft.codec.memcache.MemcacheDecoder;
import io.weft.codec.memcache.MemcacheLimits;
import io.weft.codec.memcache.Opcode;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.codec.DecoderHandler;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.lang.ref.WeakReference;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A client of one memcached, in the binary protocol over one connection, which it makes again when
/// it is lost.
///
/// Requests are sent at once, in the order of the calls, without waiting for answers (pipelining):
/// those of one turn of the loop with one flush. Above the number that may be in flight they wait,
/// and so they do without a connection. When it is lost, requests in flight fail with
/// [MemcacheFailure.Disconnected], which says that they may have been executed. A request without
/// an answer within [MemcacheClientLimits#timeout] fails with [MemcacheFailure.TimedOut].
public final class MemcacheClient extends Memcache {
    /// Settings of a client.
    public static final class Builder {
        private final EventLoopGroup group;
        private SocketAddress address = InetSocketAddress.createUnresolved("localhost", 11211);
        private String user = "";
        private String password = "";
        private MemcacheClientLimits limits = MemcacheClientLimits.DEFAULT;
        private MemcacheLimits messageLimits = MemcacheLimits.DEFAULT;
        private ChannelInitializer first = channel -> {};

        private Builder(EventLoopGroup group) {
            this.group = group;
        }

        /// The settings as they are now.
        private Builder(Builder from) {
            group = from.group;
            address = from.address;
            user = from.user;
            password = from.password;
            limits = from.limits;
            messageLimits = from.messageLimits;
            first = from.first;
        }

        /// The server. Default: localhost, 11211.
        public Builder address(String host, int port) {
            return address(InetSocketAddress.createUnresolved(host, port));
        }

        public Builder address(SocketAddress address) {
            this.address = address;
            return this;
        }

        /// Authenticates each connection by SASL, with PLAIN: only over TLS, or where nobody
        /// listens.
        public Builder auth(String user, String password) {
            this.user = user;
            this.password = password;
            return this;
        }

        public Builder limits(MemcacheClientLimits limits) {
            this.limits = limits;
            return this;
        }

        /// Limits of answers. Values come whole, up to [MemcacheLimits#wholeBytes].
        public Builder limits(MemcacheLimits limits) {
            messageLimits = limits;
            return this;
        }

        /// Adds handlers in front, such as one of TLS.
        public Builder first(ChannelInitializer initializer) {
            first = initializer;
            return this;
        }

        /// Makes a client, which begins to connect.
        public MemcacheClient start() {
            MemcacheClient client = new MemcacheClient(this);
            client.connect();
            client.closeWithLoop();
            return client;
        }
    }

    private final Builder settings;
    private final EventLoop loop;
    private final AtomicInteger requests = new AtomicInteger();

    // Under this client's lock.
    private final PriorityQueue<Call<?>> offline =
            new PriorityQueue<>(Comparator.comparingLong((Call<?> call) -> call.number));
    private long calls;
    private @Nullable Channel channel;
    private @Nullable Future<Channel> attempt;
    private boolean closed;
    private boolean timed;
    private int failures;

    /// Reason for which there is no connection, if it is known.
    private @Nullable Throwable lastFailure;

    private MemcacheClient(Builder settings) {
        this.settings = new Builder(settings);
        loop = settings.group.next();
    }

    /// Closes this client when its loop ends, whose timers run no more. The loop may live for long,
    /// and keeps no client.
    private void closeWithLoop() {
        WeakReference<MemcacheClient> client = new WeakReference<>(this);
        var _ =
                loop.terminationFuture()
                        .addListener(
                                _ -> {
                                    MemcacheClient open = client.get();
                                    if (open != null) {
                                        open.close();
                                    }
                                });
    }

    public static Builder builder(EventLoopGroup group) {
        return new Builder(group);
    }

    /// Sends a request, which becomes the client's, whatever the status of its answer.
    ///
    /// @return the answer, which is its receiver's to close
    /// @throws IllegalArgumentException for one that has no answer or many: the quiet ones, and
    ///     statistics
    public Future<BinaryMessage> send(BinaryMessage request) {
        Opcode opcode = Opcode.of(request.opcode());
        if (request.isResponse() || opcode == null || opcode.isQuiet() || opcode == Opcode.STAT) {
            try (request) {
                throw new IllegalArgumentException(
                        "request: " + request + " (expected: one with one answer)");
            }
        }
        return call(request, message -> message);
    }

    /// The server's version.
    public Future<String> version() {
        return send(BinaryMessage.request(Opcode.VERSION), new byte[0], Answers::text);
    }

    /// Statistics of the server.
    ///
    /// @param group of them, such as `items` or `settings`; empty for the general ones
    public Future<Map<String, String>> statistics(String group) {
        return send(
                BinaryMessage.request(Opcode.STAT),
                group.getBytes(StandardCharsets.UTF_8),
                Answers.statistics());
    }

    /// Deletes all items, after `delay`.
    public Future<BinaryStatus> flush(Duration delay) {
        return send(
                BinaryMessage.request(Opcode.FLUSH).extras(seconds(delay)),
                new byte[0],
                Answers::outcome);
    }

    @Override
    <T> Future<T> send(
            BinaryMessage.Builder request,
            byte[] key,
            Function<BinaryMessage, @Nullable T> reader) {
        return call(request.key(key).opaque(requests.incrementAndGet()).build(), reader);
    }

    @Override
    <T> Promise<T> newPromise() {
        return loop.newPromise();
    }

    private <T> Future<T> call(BinaryMessage request, Function<BinaryMessage, @Nullable T> reader) {
        Promise<T> promise = loop.newPromise();
        send(new Call<>(request, reader, promise, deadline(), this::takeBack));
        return promise;
    }

    /// Takes a call that met a closed channel, whose loop is this client's: it runs before the next
    /// connection is made. Calls behind it may wait here already.
    private synchronized void takeBack(Call<?> call) {
        if (closed) {
            call.fail(new MemcacheFailure.Disconnected(false, "the client is closed"));
        } else {
            offline.add(call);
            time(call);
        }
    }

    private long deadline() {
        return System.nanoTime() + settings.limits.timeoutNanos();
    }

    private synchronized void send(Call<?> call) {
        call.number = calls++;
        Channel open = channel;
        if (closed) {
            call.fail(new MemcacheFailure.Disconnected(false, "the client is closed"));
        } else if (open != null && open.isOpen()) {
            open.write(call); // under the lock, which keeps the order of the callers
        } else if (offline.size() < settings.limits.waiting()) {
            offline.add(call);
            time(call);
        } else {
            call.fail(new MemcacheFailure.Overloaded(offline.size()));
        }
    }

    /// Has a timer run for calls without a connection.
    private void time(Call<?> call) {
        if (!timed) {
            timed = true;
            long left = Math.max(0, call.deadline - System.nanoTime());
            var _ = loop.scheduleCoarse(this::expire, left, TimeUnit.NANOSECONDS);
        }
    }

    private void expire() {
        List<Call<?>> late = new ArrayList<>();
        String why;
        synchronized (this) {
            why = settings.limits.timeout() + " without a connection: " + lastFailure;
            timed = false;
            long now = System.nanoTime();
            offline.removeIf(call -> call.deadline - now <= 0 && late.add(call));
            Call<?> oldest = offline.peek();
            if (oldest != null) {
                time(oldest);
            }
        }
        late.forEach(call -> call.fail(new MemcacheFailure.TimedOut(false, why)));
    }

    private synchronized void connect() {
        if (closed) {
            return;
        }
        ClientHandler handler = new ClientHandler(settings.limits);
        Future<Channel> connecting =
                new Bootstrap(loop)
                        .handler(
                                c -> {
                                    settings.first.initChannel(c);
                                    c.pipeline()
                                            .addLast(
                                                    new DecoderHandler<>(
                                                            MemcacheDecoder.binaryReplies(whole())))
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
                                greet(connected);
                            }
                        });
    }

    private MemcacheLimits whole() {
        MemcacheLimits limits = settings.messageLimits;
        return limits.valueBytes(Math.min(limits.valueBytes(), limits.wholeBytes()));
    }

    private void greet(Channel connected) {
        if (settings.user.isEmpty() && settings.password.isEmpty()) {
            ready(connected);
            return;
        }
        BinaryMessage request =
                BinaryMessage.request(Opcode.SASL_AUTH)
                        .key("PLAIN")
                        .value(
                                ("\0" + settings.user + "\0" + settings.password)
                                        .getBytes(StandardCharsets.UTF_8))
                        .build();
        Promise<BinaryMessage> promise = connected.newPromise();
        connected.write(new Call<>(request, Answers::any, promise, deadline(), null));
        var _ =
                promise.addListener(
                        done -> {
                            BinaryMessage answer = done.now();
                            if (answer != null) {
                                answer.close();
                                ready(connected);
                            } else {
                                if (done.cause() instanceof MemcacheFailure.Refused refused) {
                                    refused(refused);
                                }
                                connected.close(); // if it was lost, requests wait for the next
                            }
                        });
    }

    private synchronized void ready(Channel connected) {
        if (closed) {
            connected.close();
            return;
        }
        failures = 0;
        channel = connected;
        for (Call<?> call; (call = offline.poll()) != null; ) {
            connected.write(call);
        }
    }

    /// The server does not take the user: nothing would come of waiting.
    private void refused(MemcacheFailure.Refused cause) {
        List<Call<?>> left;
        synchronized (this) {
            left = List.copyOf(offline);
            offline.clear();
        }
        left.forEach(call -> call.fail(cause));
    }

    private synchronized void lost(@Nullable Throwable cause) {
        if (loop.isShuttingDown()) {
            close(); // nothing connects again
        }
        channel = null;
        lastFailure = cause;
        if (!closed) {
            long delay = settings.limits.retryNanos(failures++);
            var _ = loop.schedule(this::connect, delay, TimeUnit.NANOSECONDS);
        }
    }

    /// Tells if a connection stands.
    public synchronized boolean isConnected() {
        return channel != null;
    }

    @Override
    public void close() {
        List<Call<?>> left;
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
                call -> call.fail(new MemcacheFailure.Disconnected(false, "the client is closed")));
    }
}
