package io.weft.channel;

import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.net.SocketAddress;
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

    /// @param group whose loops serve the listener and its connections
    public ServerBootstrap(EventLoopGroup group) {
        this.group = group;
    }

    /// An option of the listener.
    public <T> ServerBootstrap option(ChannelOption<T> option, T value) {
        options = options.with(option, value);
        return this;
    }

    /// An option of accepted connections. Socket options are set on the listener, from which connections inherit them.
    public <T> ServerBootstrap childOption(ChannelOption<T> option, T value) {
        childOptions = childOptions.with(option, value);
        options = options.with(option, value);
        return this;
    }

    public ServerBootstrap childHandler(ChannelInitializer initializer) {
        childHandler = initializer;
        return this;
    }

    /// Binds and starts to accept.
    ///
    /// @return fails with a `BindException` when the address cannot be had, with a `RejectedExecutionException` when the
    ///     group has ended
    /// @throws IllegalStateException when there is no child handler
    public Future<ServerChannel> bind(SocketAddress address) {
        ChannelInitializer initializer = childHandler;
        if (initializer == null) {
            throw new IllegalStateException("childHandler: null (expected: set before bind)");
        }
        EventLoop loop = group.next();
        Promise<ServerChannel> promise = loop.newPromise();
        ServerChannel server = new ServerChannel(loop, group, childOptions, initializer);
        ChannelOptions listenOptions = options;
        loop.executeOrFail(
                promise,
                () -> {
                    server.listen(address, listenOptions);
                    promise.trySuccess(server);
                });
        return promise;
    }
}
