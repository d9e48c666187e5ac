package io.weft.channel;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.PassedDescriptor;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Starts servers.
///
/// ```java
/// new ServerBootstrap(group).childHandler(ch -> ch.pipeline().addLast(new EchoHandler())).bind(address).join();
/// ```
public final class ServerBootstrap {
    private final EventLoopGroup group;
    private ChannelOptions options = ChannelOptions.DEFAULT;
    private ChannelOptions childOptions = ChannelOptions.DEFAULT;
    private @Nullable ChannelInitializer childHandler;
    private ConnectionLimit limit;

    /// @param group whose loops serve the listener and its connections
    public ServerBootstrap(EventLoopGroup group) {
        this.group = group;
        limit = new ConnectionLimit(ConnectionLimit.DEFAULT, group.loops());
    }

    /// An option of the listener.
    public <T> ServerBootstrap option(ChannelOption<T> option, T value) {
        options = options.with(option, value);
        return this;
    }

    /// An option of accepted connections. Socket options are set on the listener, from which
    /// connections inherit them.
    public <T> ServerBootstrap childOption(ChannelOption<T> option, T value) {
        childOptions = childOptions.with(option, value);
        options = options.with(option, value);
        return this;
    }

    /// Bounds the open connections of all listeners that this bootstrap binds from now on,
    /// together. At the maximum they stop accepting, so that further connections wait in the
    /// kernel's backlog ([ChannelOption#SO_BACKLOG]); they go on when a connection is closed. A
    /// listener may have taken one more from the kernel by then, on io_uring several; those wait
    /// without a channel. Default: 65,536.
    ///
    /// @throws IllegalArgumentException if it is not positive
    public ServerBootstrap maxConnections(int max) {
        limit = new ConnectionLimit(max, group.loops());
        return this;
    }

    public ServerBootstrap childHandler(ChannelInitializer initializer) {
        childHandler = initializer;
        return this;
    }

    /// Binds and starts to accept. The file of a Unix domain socket stays when the listener closes,
    /// and is in the way of the next one: the application deletes it.
    ///
    /// @return fails with a `BindException` when the address cannot be had, with a
    ///     `RejectedExecutionException` when the group has ended. Cancelling it leaves no listener.
    /// @throws IllegalStateException when there is no child handler
    public Future<ServerChannel> bind(SocketAddress address) {
        return bind(address, group.next(), group::next, options);
    }

    /// Binds a listener on each loop of the group, among which the kernel spreads connections
    /// ([ChannelOption#SO_REUSEPORT]): each loop serves what it accepts, and none hands connections
    /// to another.
    ///
    /// @return the listeners, in the order of the loops; fails as [#bind] does, and leaves none
    ///     then
    /// @throws IllegalStateException when there is no child handler
    public Future<List<ServerChannel>> bindOnEachLoop(SocketAddress address) {
        Promise<List<ServerChannel>> all = group.loops().getFirst().newPromise();
        bindNext(address, options.with(ChannelOption.SO_REUSEPORT, true), new ArrayList<>(), all);
        return all;
    }

    /// One after the other: a port that the system chooses is known only when the first is bound.
    private void bindNext(
            SocketAddress address,
            ChannelOptions listenOptions,
            List<ServerChannel> bound,
            Promise<List<ServerChannel>> all) {
        if (bound.size() == group.loops().size() || all.isDone()) {
            if (!all.trySuccess(List.copyOf(bound))) {
                bound.forEach(ServerChannel::close); // whoever asked has given up
            }
            return;
        }
        EventLoop loop = group.loops().get(bound.size());
        bind(address, loop, () -> loop, listenOptions)
                .addListener(
                        outcome -> {
                            ServerChannel server = outcome.now();
                            if (server != null) {
                                bound.add(server);
                                bindNext(server.localAddress(), listenOptions, bound, all);
                                return;
                            }
                            bound.forEach(ServerChannel::close);
                            all.tryFailure(
                                    Objects.requireNonNullElseGet(
                                            outcome.cause(), CancellationException::new));
                        });
    }

    /// Accepts from a listening descriptor that another process passed
    /// ([DescriptorMessage][io.weft.engine.DescriptorMessage]) or left to this one
    /// ([InheritedDescriptors][io.weft.engine.InheritedDescriptors]). It is the listener's then, or
    /// closed. Options of the listener stay as they are.
    ///
    /// Processes that accept from one socket at the same time need the same transport: it is
    /// blocking for io_uring and not for epoll, which is a state of the socket.
    ///
    /// @return fails where the transport takes no descriptors (NIO), or when this is no listening
    ///     stream
    /// @throws IllegalStateException when there is no child handler, or the descriptor was closed
    public Future<ServerChannel> adopt(PassedDescriptor descriptor) {
        requireOpen(descriptor);
        return adopt(descriptor, group.next(), group::next);
    }

    private static void requireOpen(PassedDescriptor descriptor) {
        if (!descriptor.isOpen()) {
            throw new IllegalStateException(descriptor + ": gone (expected: open)");
        }
    }

    /// Accepts from listening descriptors, of which each loop of the group gets its part: the
    /// listeners of a process that used [#bindOnEachLoop], say.
    ///
    /// @return the listeners, in the order of the descriptors; fails as [#adopt] does, and leaves
    ///     none then
    /// @throws IllegalStateException when there is no child handler, or a descriptor was closed;
    ///     the others are still the caller's
    public Future<List<ServerChannel>> adoptOnEachLoop(List<PassedDescriptor> descriptors) {
        descriptors.forEach(ServerBootstrap::requireOpen); // all of them, before one is taken
        Promise<List<ServerChannel>> all = group.loops().getFirst().newPromise();
        List<Future<ServerChannel>> listeners = new ArrayList<>();
        for (int i = 0; i < descriptors.size(); i++) {
            EventLoop loop = group.loops().get(i % group.loops().size());
            listeners.add(adopt(descriptors.get(i), loop, () -> loop));
        }
        join(listeners, new ArrayList<>(), all);
        return all;
    }

    private static void join(
            List<Future<ServerChannel>> listeners,
            List<ServerChannel> open,
            Promise<List<ServerChannel>> all) {
        if (open.size() == listeners.size()) {
            all.trySuccess(List.copyOf(open));
            return;
        }
        listeners
                .get(open.size())
                .addListener(
                        outcome -> {
                            ServerChannel server = outcome.now();
                            if (server != null) {
                                open.add(server);
                                join(listeners, open, all);
                                return;
                            }
                            for (Future<ServerChannel> other : listeners) {
                                other.addListener(
                                        one -> {
                                            ServerChannel made = one.now();
                                            if (made != null) {
                                                var _ = made.close();
                                            }
                                        });
                            }
                            all.tryFailure(
                                    Objects.requireNonNullElseGet(
                                            outcome.cause(), CancellationException::new));
                        });
    }

    private Future<ServerChannel> adopt(
            PassedDescriptor descriptor, EventLoop loop, Supplier<EventLoop> children) {
        Future<ServerChannel> adopted =
                open(loop, children, server -> server.listen(descriptor, options));
        // Also of a loop that has ended, which runs nothing.
        var _ =
                adopted.addListener(
                        outcome -> {
                            if (!outcome.isSuccess()) {
                                descriptor.close();
                            }
                        });
        return adopted;
    }

    private Future<ServerChannel> bind(
            SocketAddress address,
            EventLoop loop,
            Supplier<EventLoop> children,
            ChannelOptions listenOptions) {
        return open(loop, children, server -> server.listen(address, listenOptions));
    }

    /// Begins to listen, in one of several ways.
    private interface Opening {
        void open(ServerChannel server) throws IOException;
    }

    private Future<ServerChannel> open(
            EventLoop loop, Supplier<EventLoop> children, Opening opening) {
        ChannelInitializer initializer = childHandler;
        if (initializer == null) {
            throw new IllegalStateException("childHandler: null (expected: set before bind)");
        }
        Promise<ServerChannel> promise = loop.newPromise();
        ServerChannel server = new ServerChannel(loop, children, childOptions, initializer, limit);
        loop.engine()
                .open(
                        promise,
                        () -> {
                            opening.open(server);
                            if (!promise.trySuccess(server)) {
                                var _ = server.close(); // whoever asked has given up
                            }
                        });
        return promise;
    }
}
