package io.weft.channel;

import io.weft.channel.spi.Accepted;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Starts clients.
public final class Bootstrap {
    private final EventLoopGroup group;
    private ChannelOptions options = ChannelOptions.DEFAULT;
    private @Nullable ChannelInitializer handler;

    public Bootstrap(EventLoopGroup group) {
        this.group = group;
    }

    public <T> Bootstrap option(ChannelOption<T> option, T value) {
        options = options.with(option, value);
        return this;
    }

    public Bootstrap handler(ChannelInitializer initializer) {
        handler = initializer;
        return this;
    }

    /// Connects to a resolved address.
    ///
    /// @return the active channel; fails with a `ConnectException`, with a `SocketTimeoutException` after
    ///     [ChannelOption#CONNECT_TIMEOUT], with what the initializer threw, or with a `RejectedExecutionException` when
    ///     the group has ended. Cancelling it gives the attempt up.
    /// @throws IllegalStateException when there is no handler
    public Future<Channel> connect(SocketAddress address) {
        ChannelInitializer initializer = required();
        EventLoop loop = group.next();
        Promise<Channel> promise = loop.newPromise();
        ChannelOptions channelOptions = options;
        loop.executeOrFail(
                promise,
                () -> {
                    Channel channel = new Channel(loop, channelOptions);
                    channel.attach(
                            loop.engine()
                                    .connect(address, channelOptions, new StreamSide(channel)));
                    channel.connecting(promise, initializer);
                });
        return promise;
    }

    /// Makes a channel of a connected stream's descriptor that another process passed. It is the channel's then, or closed.
    ///
    /// @return the active channel; fails where the transport takes no descriptors (NIO)
    /// @throws IllegalStateException when there is no handler, or the descriptor was closed
    public Future<Channel> adopt(PassedDescriptor descriptor) {
        ChannelInitializer initializer = required();
        EventLoop loop = group.next();
        Promise<Channel> promise = loop.newPromise();
        ChannelOptions channelOptions = options;
        loop.executeOrFail(
                promise,
                () -> {
                    Channel channel = new Channel(loop, channelOptions);
                    try (descriptor) {
                        Accepted accepted = loop.engine().take(descriptor.number());
                        descriptor.take();
                        channel.attach(loop.engine().adopt(accepted, new StreamSide(channel)));
                    }
                    Throwable failure = channel.activate(initializer);
                    if (failure == null) {
                        promise.trySuccess(channel);
                    } else {
                        promise.tryFailure(failure);
                    }
                });
        return promise;
    }

    private ChannelInitializer required() {
        if (handler == null) {
            throw new IllegalStateException("handler: null (expected: set before connect)");
        }
        return handler;
    }
}
