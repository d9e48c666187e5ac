package io.weft.channel;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.loop.Future;
import io.weft.loop.Promise;
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
    private ConnectionLimit limit = new ConnectionLimit(ConnectionLimit.DEFAULT);

    /// @param group whose loops serve the listener and its connections
    public ServerBootstrap(EventLoopGroup group) {
        this.group = group;
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
        limit = new ConnectionLimit(max);
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

    private Future<ServerChannel> bind(
            SocketAddress address,
            EventLoop loop,
            Supplier<EventLoop> children,
            ChannelOptions listenOptions) {
        ChannelInitializer initializer = childHandler;
        if (initializer == null) {
            throw new IllegalStateException("childHandler: null (expected: set before bind)");
        }
        Promise<ServerChannel> promise = loop.newPromise();
        ServerChannel server = new ServerChannel(loop, children, childOptions, initializer, limit);
        loop.executeOrFail(
                promise,
                () -> {
                    server.listen(address, listenOptions);
                    if (!promise.trySuccess(server)) {
                        var _ = server.close(); // whoever asked has given up
                    }
                });
        return promise;
    }
}
