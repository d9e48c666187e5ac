package io.weft.client.redis;

import io.weft.channel.ChannelInitializer;
import io.weft.client.pipelined.LineListener;
import io.weft.client.pipelined.Reconnection;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.RespLimits;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespValue.Null;
import io.weft.codec.redis.RespVersion;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A client of one server, over one connection, which it makes again when it is lost.
///
/// Commands are sent at once, in the order of the calls, without waiting for replies (pipelining):
/// those of one turn of the loop with one flush. Above the number that may be in flight they wait.
/// When the connection is lost, commands in flight fail with [RedisException.Disconnected], which
/// says that they may have been executed; those that were not sent wait for the next connection. A
/// command without a reply within [RedisClientLimits#timeout] fails with
/// [RedisException.TimedOut]. One that there is no memory for fails with
/// [MemoryLimitException][io.weft.buffer.MemoryLimitException], and no other with it.
///
/// Subscriptions do not belong into a transaction: one that the server queues is not made again by
/// the next connection, and EXEC ends this one, or with RESP2 already QUEUED: no reply could be
/// told from a confirmation.
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
        RespVersion version = RespVersion.RESP3;
        String user = "";
        String password = "";
        String name = "";
        int database;
        boolean tracking;
        RedisListener listener = RedisListener.NONE;
        RedisClientLimits limits = RedisClientLimits.DEFAULT;
        RespLimits respLimits = RespLimits.DEFAULT;
        ChannelInitializer first = channel -> {};

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
            client.connection.start();
            return client;
        }
    }

    private final Builder settings;
    private final EventLoop loop;
    private final Subscriptions subscriptions = new Subscriptions();
    private final Reconnection connection;

    private RedisClient(Builder settings) {
        this.settings = new Builder(settings);
        loop = settings.group.next();
        connection =
                new Reconnection(
                        loop,
                        settings.address,
                        settings.limits.pipeline(),
                        Errors.INSTANCE,
                        new Events(),
                        this::greeting);
    }

    private Greeting greeting() {
        return new Greeting(settings, subscriptions, connection);
    }

    /// Tells the listener of the builder.
    private final class Events implements LineListener {
        @Override
        public void ready() {
            settings.listener.connected();
        }

        @Override
        public void lost(boolean stood, @Nullable Throwable cause) {
            if (stood && settings.tracking) {
                settings.listener.invalidated(Null.NULL);
            }
            settings.listener.disconnected(
                    cause == null ? Errors.INSTANCE.disconnected(false, "unknown") : cause);
        }
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
        Call call = call(command);
        connection.send(call);
        return call.promise();
    }

    /// Sends a command directly behind ASKING.
    Future<RespValue> sendAsking(Command command) {
        Call call = call(command);
        call.asking = true;
        connection.send(call);
        return call.promise();
    }

    private Call call(Command command) {
        return Call.of(command, loop.newPromise(), connection, subscriptions);
    }

    /// Forgets calls that were cancelled while they waited for a connection, oldest first.
    void dropCancelled() {
        connection.dropCancelled();
    }

    /// Tells if a connection stands and has been set up.
    public boolean isConnected() {
        return connection.isConnected();
    }

    /// Sends the commands that were accepted, closes the connection when all are on their way, and
    /// fails those without a reply. A server that takes nothing for ten seconds
    /// ([ChannelOption#CLOSE_TIMEOUT][io.weft.engine.ChannelOption#CLOSE_TIMEOUT]) is left before.
    /// Commands without a connection fail at once. Does not wait for any of that.
    @Override
    public void close() {
        connection.close();
    }
}
