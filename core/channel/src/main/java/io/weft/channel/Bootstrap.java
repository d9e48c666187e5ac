package io.weft.channel;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.PassedDescriptor;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.names.AddressSelection;
import io.weft.resolver.names.DestinationOrder;
import io.weft.resolver.names.NameResolver;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// Starts clients.
public final class Bootstrap {
    private static final UnaryOperator<SocketAddress> AS_ASKED = UnaryOperator.identity();

    private final Supplier<EventLoop> loops;
    private ChannelOptions options = ChannelOptions.DEFAULT;
    private @Nullable ChannelInitializer handler;
    private @Nullable NameResolver resolver;
    private @Nullable DestinationOrder order;
    private UnaryOperator<SocketAddress> chooser = AS_ASKED;
    private @Nullable Tunnel tunnel;

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

    /// Sets the resolver that finds the addresses of names. Default:
    /// [NameResolver#standard].
    public Bootstrap resolver(NameResolver resolver) {
        this.resolver = resolver;
        return this;
    }

    /// Returns the resolver that finds the addresses of destinations: the one that was set, else
    /// the default; null where connections do not go to those, since there is a [#tunnel] or a
    /// [#remoteAddress] is chosen. For clients that ask it for more than addresses. May read files.
    public @Nullable NameResolver directResolver() {
        if (tunnel != null || chooser != AS_ASKED) {
            return null;
        }
        return resolver == null ? NameResolver.standard() : resolver;
    }

    /// Sets the order in which the addresses of a name are tried. Default: an [AddressSelection]
    /// that asks the transport for sources.
    public Bootstrap order(DestinationOrder order) {
        this.order = order;
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

    /// Connects through `way`, such as proxies: the handler is called, and the channel is handed
    /// over, when the way to the destination is open. [ChannelOption#CONNECT_TIMEOUT] is for the
    /// connection to the entrance. Default: directly.
    public Bootstrap tunnel(Tunnel way) {
        tunnel = way;
        return this;
    }

    /// Connects to a host by its name, or by the text of its address. Its addresses are sorted
    /// (RFC 6724) and tried in turn, IPv6 and IPv4 alternating, the next when one has failed or has
    /// not answered for [ChannelOption#CONNECT_ATTEMPT_DELAY]; the first that connects is taken
    /// (RFC 8305).
    ///
    /// @return as [#connect(SocketAddress)] does; fails with an `UnknownHostException` when the
    ///     name has no address, and with a `ConnectException` that names all attempts when several
    ///     have failed. [ChannelOption#CONNECT_TIMEOUT] is for the whole.
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
        Tunnel way = tunnel;
        // Looked for on the caller's thread: it may read files.
        NameResolver names =
                resolver == null && (way != null || isNamed(address))
                        ? NameResolver.standard()
                        : resolver;
        DestinationOrder sorting = order;
        loop.engine()
                .open(
                        promise,
                        () -> {
                            Race race = new Race(loop, channelOptions, sorting, names);
                            SocketAddress chosen = choice.apply(address);
                            SocketAddress entrance = way == null ? null : way.entrance(chosen);
                            if (way == null || entrance == null) {
                                race.run(chosen, initializer, promise);
                                return;
                            }
                            Promise<Channel> first = loop.newPromise();
                            race.run(
                                    entrance,
                                    ch -> way.open(ch, chosen, initializer, promise),
                                    first);
                            promise.addListener(
                                    outcome -> {
                                        if (outcome.isCancelled() && !first.cancel()) {
                                            abort(first.now());
                                        }
                                    });
                            first.addListener(
                                    outcome -> {
                                        Throwable cause = outcome.cause();
                                        if (cause != null) {
                                            promise.tryFailure(failure(way, chosen, cause));
                                        }
                                    });
                        });
        return promise;
    }

    private static Throwable failure(Tunnel way, SocketAddress destination, Throwable cause) {
        try {
            return Objects.requireNonNull(way.unreachable(destination, cause), "unreachable");
        } catch (Throwable t) {
            t.addSuppressed(cause);
            return t;
        }
    }

    private static void abort(@Nullable Channel channel) {
        if (channel != null) {
            var _ = channel.abort();
        }
    }

    /// Connects to an address, or to the first of those of a name that answers.
    private record Race(
            EventLoop loop,
            ChannelOptions options,
            @Nullable DestinationOrder order,
            @Nullable NameResolver names) {
        void run(SocketAddress address, ChannelInitializer initializer, Promise<Channel> promise)
                throws IOException {
            if (!(address instanceof InetSocketAddress named && isNamed(named))) {
                connect(loop, address, options, initializer, promise);
                return;
            }
            new ConnectRace(
                            loop,
                            named,
                            options,
                            order == null
                                    ? AddressSelection.of(loop.engine().sourceAddresses())
                                    : order,
                            (resolved, attempt) ->
                                    connect(loop, resolved, options, initializer, attempt),
                            promise)
                    .start(names == null ? NameResolver.standard() : names);
        }
    }

    private static boolean isNamed(SocketAddress address) {
        return address instanceof InetSocketAddress inet && inet.isUnresolved();
    }

    private static void connect(
            EventLoop loop,
            SocketAddress address,
            ChannelOptions options,
            ChannelInitializer initializer,
            Promise<Channel> promise)
            throws IOException {
        // It may have begun to end while a name was looked up, or another address was tried.
        if (!loop.engine().isOpen()) {
            throw loop.engine().rejection();
        }
        Channel channel = new Channel(loop, options);
        channel.life().attach(loop.engine().connect(address, options, new StreamSide(channel)));
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
        loop.engine()
                .open(
                        promise,
                        () -> {
                            Channel channel = new Channel(loop, channelOptions);
                            try (descriptor) {
                                Accepted accepted = loop.engine().take(descriptor.number());
                                descriptor.take();
                                channel.life()
                                        .attach(
                                                loop.engine()
                                                        .adopt(accepted, new StreamSide(channel)));
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
