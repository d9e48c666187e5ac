package io.weft.client.memcache;

import io.weft.channel.ChannelInitializer;
import io.weft.client.pipelined.LineListener;
import io.weft.client.pipelined.Reconnection;
import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.BinaryStatus;
import io.weft.codec.memcache.MemcacheLimits;
import io.weft.codec.memcache.Opcode;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
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
/// an answer within [MemcacheClientLimits#timeout] fails with [MemcacheFailure.TimedOut]. One that
/// there is no memory for fails with
/// [MemoryLimitException][io.weft.buffer.MemoryLimitException], and no other with it.
public final class MemcacheClient extends Memcache {
    /// Settings of a client.
    public static final class Builder {
        private final EventLoopGroup group;
        private SocketAddress address = InetSocketAddress.createUnresolved("localhost", 11211);
        String user = "";
        String password = "";
        MemcacheClientLimits limits = MemcacheClientLimits.DEFAULT;
        MemcacheLimits messageLimits = MemcacheLimits.DEFAULT;
        ChannelInitializer first = channel -> {};

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
            client.connection.start();
            return client;
        }
    }

    private final Builder settings;
    private final EventLoop loop;
    private final AtomicInteger requests = new AtomicInteger();

    private final Reconnection connection;

    private MemcacheClient(Builder settings) {
        this.settings = new Builder(settings);
        loop = settings.group.next();
        connection =
                new Reconnection(
                        loop,
                        settings.address,
                        settings.limits.pipeline(),
                        Errors.INSTANCE,
                        new LineListener() {},
                        this::greeting);
    }

    private Greeting greeting() {
        return new Greeting(settings, connection);
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
        connection.send(new Call<>(request, reader, promise, connection.deadline(), connection));
        return promise;
    }

    /// Tells if a connection stands.
    public boolean isConnected() {
        return connection.isConnected();
    }

    @Override
    public void close() {
        connection.close();
    }
}
