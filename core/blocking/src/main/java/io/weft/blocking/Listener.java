package io.weft.blocking;

import io.weft.channel.Channel;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.codec.DecoderException;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Accepts connections for straight-line code.
///
/// ```java
/// try (Listener<String, String> listener = Listener.bind(group, address, lines)) {
///     listener.serve(connection -> { … });
/// }
/// ```
///
/// Connections wait until they are [accepted][#accept]; of more than [#MAX_WAITING] the latest are
/// reset.
public final class Listener<In, Out> implements AutoCloseable {
    /// Connections that may wait to be accepted.
    public static final int MAX_WAITING = 1024;

    private static final System.Logger LOG = System.getLogger("io.weft.blocking");

    /// The service of a connection, on a thread of its own.
    @FunctionalInterface
    public interface Service<In, Out> {
        /// Serves `connection`, which is closed when this returns, and reset when it throws.
        void serve(Connection<In, Out> connection) throws Exception;
    }

    private final Protocol<In, Out> protocol;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition some = lock.newCondition();
    private final ArrayDeque<Connection<In, Out>> waiting = new ArrayDeque<>();
    private @Nullable Service<In, Out> service;
    private boolean closed;
    private volatile @Nullable ServerChannel server;

    private Listener(Protocol<In, Out> protocol) {
        this.protocol = protocol;
    }

    /// Starts to listen, with the default of [ServerBootstrap#maxConnections].
    ///
    /// @throws IOException when the address cannot be had
    /// @throws InterruptedException when this thread is interrupted; nothing listens then
    public static <In, Out> Listener<In, Out> bind(
            EventLoopGroup group, SocketAddress address, Protocol<In, Out> protocol)
            throws IOException, InterruptedException {
        return bind(new ServerBootstrap(group), address, protocol);
    }

    /// Starts to listen.
    ///
    /// @param maxConnections open connections at which it stops accepting
    /// @throws IOException when the address cannot be had
    /// @throws IllegalArgumentException if `maxConnections` is not positive
    /// @throws InterruptedException when this thread is interrupted; nothing listens then
    public static <In, Out> Listener<In, Out> bind(
            EventLoopGroup group,
            SocketAddress address,
            Protocol<In, Out> protocol,
            int maxConnections)
            throws IOException, InterruptedException {
        return bind(new ServerBootstrap(group).maxConnections(maxConnections), address, protocol);
    }

    private static <In, Out> Listener<In, Out> bind(
            ServerBootstrap bootstrap, SocketAddress address, Protocol<In, Out> protocol)
            throws IOException, InterruptedException {
        Listener<In, Out> listener = new Listener<>(protocol);
        bootstrap.childHandler(listener::accepted);
        protocol.options.set().forEach(option -> set(bootstrap, option, protocol));
        Future<ServerChannel> binding = bootstrap.bind(address);
        ServerChannel server;
        try {
            server = Connection.await(binding);
        } catch (InterruptedException e) {
            listener.giveUp(binding);
            throw e;
        }
        listener.server = server;
        // When its loop ends, so does it.
        var _ = server.closeFuture().addListener(_ -> listener.close());
        return listener;
    }

    /// Leaves no socket that listens: no caller would ever close it.
    private void giveUp(Future<ServerChannel> binding) {
        if (!binding.cancel()) {
            server = binding.now(); // it was bound meanwhile, unless it failed
        }
        close();
    }

    private static <T> void set(
            ServerBootstrap bootstrap, ChannelOption<T> option, Protocol<?, ?> protocol) {
        bootstrap.childOption(option, protocol.options.get(option));
    }

    private void accepted(Channel channel) throws Exception {
        Connection<In, Out> connection = Connection.over(channel, protocol);
        lock.lock();
        try {
            if (service != null) {
                start(service, connection);
                return;
            }
            if (!closed && waiting.size() < MAX_WAITING) {
                waiting.add(connection);
                some.signal();
                return;
            }
        } finally {
            lock.unlock();
        }
        connection.abort();
    }

    /// Waits for a connection.
    ///
    /// @throws ClosedChannelException when the listener is closed
    /// @throws InterruptedException when this thread is interrupted; no connection is lost
    public Connection<In, Out> accept() throws IOException, InterruptedException {
        lock.lockInterruptibly();
        try {
            for (; ; ) {
                Connection<In, Out> connection = waiting.poll();
                if (connection != null) {
                    return connection;
                }
                if (closed) {
                    throw new ClosedChannelException();
                }
                some.await();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Serves each connection on a virtual thread of its own, as soon as it is there, until the
    /// listener is closed.
    ///
    /// @throws IllegalStateException when another call serves
    /// @throws InterruptedException when this thread is interrupted
    public void serve(Service<In, Out> with) throws InterruptedException {
        lock.lockInterruptibly();
        if (service != null) {
            lock.unlock();
            throw new IllegalStateException("serve: called twice (expected: once a time)");
        }
        service = with;
        try {
            for (Connection<In, Out> next; (next = waiting.poll()) != null; ) {
                start(with, next);
            }
            while (!closed) {
                some.await();
            }
        } finally {
            service = null;
            lock.unlock();
        }
    }

    private static <In, Out> void start(Service<In, Out> service, Connection<In, Out> connection) {
        var _ = Thread.ofVirtual().name("weft-connection").start(() -> serve(service, connection));
    }

    private static <In, Out> void serve(Service<In, Out> service, Connection<In, Out> connection) {
        // Not closed by "try": that happens before a "catch", and would send what was written, as
        // if it were whole.
        try {
            service.serve(connection);
            connection.close();
        } catch (IOException | InterruptedException | DecoderException e) {
            connection.abort();
            LOG.log(System.Logger.Level.DEBUG, "a connection ended", e);
        } catch (Throwable e) {
            connection.abort();
            LOG.log(System.Logger.Level.WARNING, "a service threw; its connection is reset", e);
        }
    }

    /// The bound address, with the port that the system chose for port 0.
    public SocketAddress localAddress() {
        ServerChannel bound = server;
        if (bound == null) {
            throw new IllegalStateException("not bound yet");
        }
        return bound.localAddress();
    }

    /// Stops accepting; connections that were not accepted are reset, the others live on.
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            waiting.forEach(Connection::abort);
            waiting.clear();
            some.signalAll();
        } finally {
            lock.unlock();
        }
        ServerChannel bound = server;
        if (bound != null) {
            var _ = bound.close();
        }
    }
}
