package io.weft.channel;

import io.weft.engine.ChannelHandle;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.net.SocketAddress;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Starts channels for datagrams, over UDP. Their messages are
/// [Datagram][io.weft.engine.Datagram]s; a connected one also takes a `Buffer`. An exception that
/// no handler handles is logged, and the channel goes on: [ChannelHandler#exceptionCaught].
///
/// ```java
/// new DatagramBootstrap(group).handler(ch -> ch.pipeline().addLast(new Answers())).bind(address).join();
/// ```
public final class DatagramBootstrap {
    private final Supplier<EventLoop> loops;
    private ChannelOptions options = ChannelOptions.DEFAULT;
    private @Nullable ChannelInitializer handler;

    /// Takes a loop of `group` for each channel.
    public DatagramBootstrap(EventLoopGroup group) {
        loops = group::next;
    }

    /// Has all channels on `loop`: they share their data without locks.
    public DatagramBootstrap(EventLoop loop) {
        loops = () -> loop;
    }

    public <T> DatagramBootstrap option(ChannelOption<T> option, T value) {
        options = options.with(option, value);
        return this;
    }

    public DatagramBootstrap handler(ChannelInitializer initializer) {
        handler = initializer;
        return this;
    }

    /// Opens a channel that receives what any sender sends to `address`.
    ///
    /// @return fails with a `BindException` when the address cannot be had, or as
    ///     [Bootstrap#connect] does. Cancelling it leaves no channel.
    /// @throws IllegalStateException when there is no handler
    public Future<Channel> bind(SocketAddress address) {
        return open(address, null);
    }

    /// A channel that receives from `peer` alone, and sends to it alone, at an address that the
    /// system chooses.
    ///
    /// @return fails as [#bind] does
    /// @throws IllegalStateException when there is no handler
    public Future<Channel> connect(SocketAddress peer) {
        return open(null, peer);
    }

    /// A channel that receives from `peer` alone, and sends to it alone, at `address`.
    ///
    /// @return fails as [#bind] does
    /// @throws IllegalStateException when there is no handler
    public Future<Channel> connect(SocketAddress address, SocketAddress peer) {
        return open(address, peer);
    }

    private Future<Channel> open(@Nullable SocketAddress address, @Nullable SocketAddress peer) {
        ChannelInitializer initializer = handler;
        if (initializer == null) {
            throw new IllegalStateException("handler: null (expected: set before bind)");
        }
        EventLoop loop = loops.get();
        Promise<Channel> promise = loop.newPromise();
        ChannelOptions channelOptions = options;
        loop.engine()
                .open(
                        promise,
                        () -> {
                            int size = channelOptions.get(ChannelOption.MAX_DATAGRAM_SIZE);
                            if (size < 1 || size > 1 << 20) {
                                throw new IllegalArgumentException(
                                        "MAX_DATAGRAM_SIZE: " + size + " (expected: 1 to 1048576)");
                            }
                            Channel channel = new Channel(loop, channelOptions);
                            ChannelHandle handle =
                                    loop.engine()
                                            .datagrams(
                                                    address,
                                                    peer,
                                                    channelOptions,
                                                    new DatagramSide(channel));
                            channel.life().attach(handle);
                            channel.life().activate(initializer, promise);
                        });
        return promise;
    }
}
