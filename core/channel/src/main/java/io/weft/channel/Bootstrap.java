package io.weft.channel;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.PassedDescriptor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Starts clients.
public final class Bootstrap {
    private final Supplier<EventLoop> loops;
    private ChannelOptions options = ChannelOptions.DEFAULT;
    private @Nullable ChannelInitializer handler;
    private NameResolver resolver = NameResolver.system();
    private UnaryOperator<SocketAddress> chooser = UnaryOperator.identity();

    /// Takes a loop of `group` for each channel.
    public Bootstrap(EventLoopGroup group) {
        loops = group::next;
    }

    /// Has all channels on `loop`, as a proxy has both sides of a connection: they share their data
    /// without locks.
    public Bootstrap(EventLoop loop) {
        loops = () -> loop;
    }

    public <T> Bootstrap option(ChannelOption<T> option, T value) {
        options = options.with(option, value);
        return this;
    }

    public Bootstrap handler(ChannelInitializer initializer) {
        handler = initializer;
        return this;
    }

    /// Sets the resolver that finds the addresses of names. Default: [NameResolver#system].
    public Bootstrap resolver(NameResolver resolver) {
        this.resolver = resolver;
        return this;
    }

    /// Has `choice` say where a connection really goes, when it begins: for servers that move, or
    /// one of several. It gets the address that was asked for, and may return one that is not
    /// resolved. Called on the connection's loop, of any group at once, so it must not block; what
    /// it throws fails the connection. Default: the address that was asked for.
    public Bootstrap remoteAddress(UnaryOperator<SocketAddress> choice) {
        chooser = choice;
        return this;
    }

    /// Connects to a host by its name, or by the text of its address. Its addresses are tried in
    /// turn, IPv6 and IPv4 alternating, the next when one has failed or has not answered for
    /// [ChannelOption#CONNECT_ATTEMPT_DELAY]; the first that connects is taken (RFC 8305).
    ///
    /// @return as [#connect(SocketAddress)] does; fails with an `UnknownHostException` when the
    ///     name has no address. [ChannelOption#CONNECT_TIMEOUT] is for the whole.
    /// @throws IllegalStateException when there is no handler
    public Future<Channel> connect(String host, int port) {
        return connect(InetSocketAddress.createUnresolved(host, port));
    }

    /// Connects to an address; one that is not resolved as [#connect(String, int)] does.
    ///
    /// @return the active channel; fails with a `ConnectException`, with a `SocketTimeoutException`
    ///     after [ChannelOption#CONNECT_TIMEOUT], with what the initializer threw, or with a
    ///     `RejectedExecutionException` when the group has ended. Cancelling it gives the attempt
    ///     up.
    /// @throws IllegalStateException when there is no handler
    public Future<Channel> connect(SocketAddress address) {
        ChannelInitializer initializer = required();
        EventLoop loop = loops.get();
        Promise<Channel> promise = loop.newPromise();
        ChannelOptions channelOptions = ofClient(options);
        UnaryOperator<SocketAddress> choice = chooser;
        NameResolver names = resolver;
        loop.executeOrFail(
                promise,
                () -> {
                    SocketAddress chosen = choice.apply(address);
                    if (chosen instanceof InetSocketAddress named && named.isUnresolved()) {
                        new ConnectRace(
                                        loop,
                                        named,
                                        channelOptions,
                                        (resolved, attempt) ->
                                                connect(
                                                        loop,
                                                        resolved,
                                                        channelOptions,
                                                        initializer,
                                                        attempt),
                                        promise)
                                .start(names);
                    } else {
                        connect(loop, chosen, channelOptions, initializer, promise);
                    }
                });
        return promise;
    }

    private static void connect(
            EventLoop loop,
            SocketAddress address,
            ChannelOptions options,
            ChannelInitializer initializer,
            Promise<Channel> promise)
            throws IOException {
        // It may have begun to end while a name was looked up, or another address was tried.
        if (!loop.takesChannels()) {
            throw loop.rejection();
        }
        Channel channel = new Channel(loop, options);
        channel.life().attach(loop.connect(address, options, new StreamSide(channel)));
        channel.life().connecting(address, promise, initializer);
    }

    /// Adds the default of connecting channels, which read on while unwritable; see the option.
    private static ChannelOptions ofClient(ChannelOptions options) {
        return options.isSet(ChannelOption.READ_WHILE_UNWRITABLE)
                ? options
                : options.with(ChannelOption.READ_WHILE_UNWRITABLE, true);
    }

    /// Makes a channel of a connected stream's descriptor that another process passed. It is the
    /// channel's then, or closed.
    ///
    /// @return the active channel; fails where the transport takes no descriptors (NIO)
    /// @throws IllegalStateException when there is no handler, or the descriptor was closed
    public Future<Channel> adopt(PassedDescriptor descriptor) {
        ChannelInitializer initializer = required();
        EventLoop loop = loops.get();
        Promise<Channel> promise = loop.newPromise();
        ChannelOptions channelOptions = options;
        var _ = promise.addListener(outcome -> closeUnlessTaken(outcome, descriptor));
        loop.executeOrFail(
                promise,
                () -> {
                    Channel channel = new Channel(loop, channelOptions);
                    try (descriptor) {
                        Accepted accepted = loop.engine().take(descriptor.number());
                        descriptor.take();
                        channel.life()
                                .attach(loop.engine().adopt(accepted, new StreamSide(channel)));
                    }
                    channel.life().activate(initializer, promise);
                });
        closeUnlessTaken(promise, descriptor); // a loop that has ended tells nobody
        return promise;
    }

    private static void closeUnlessTaken(Future<Channel> outcome, PassedDescriptor descriptor) {
        if (outcome.isDone() && !outcome.isSuccess()) {
            descriptor.close();
        }
    }

    private ChannelInitializer required() {
        if (handler == null) {
            throw new IllegalStateException("handler: null (expected: set before connect)");
        }
        return handler;
    }
}
