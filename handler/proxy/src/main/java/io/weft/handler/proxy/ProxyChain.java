package io.weft.handler.proxy;

import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.Tunnel;
import io.weft.loop.Promise;
import io.weft.resolver.names.NameResolver;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Outgoing connections through a proxy, or through several, each reached through the one before.
/// One serves all connections of a [io.weft.channel.Bootstrap], and of several.
///
/// Failures are [ProxyException]s, which name the proxy and its answer. Names of destinations are
/// resolved by the last proxy, unless its protocol cannot or is told not to; names of further
/// proxies by the proxy before them.
///
/// Handlers that an initializer adds stand behind the tunnel's: use `addLast`.
public final class ProxyChain implements Tunnel {
    /// From the connection to the first proxy to the answer of the last.
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(30);

    private final Function<InetSocketAddress, List<ProxyServer>> choice;
    private final Duration timeout;
    private final NameResolver resolver;

    private ProxyChain(
            Function<InetSocketAddress, List<ProxyServer>> choice,
            Duration timeout,
            NameResolver resolver) {
        this.choice = choice;
        this.timeout = timeout;
        this.resolver = resolver;
    }

    /// Through these proxies, the nearest first; directly, if there is none.
    public static ProxyChain of(ProxyServer... proxies) {
        List<ProxyServer> all = List.of(proxies);
        return choosing(_ -> all);
    }

    /// Through the proxies of these URLs; see [ProxyServer#parse].
    ///
    /// @throws IllegalArgumentException when one is malformed
    public static ProxyChain of(String... urls) {
        return of(Stream.of(urls).map(ProxyServer::parse).toArray(ProxyServer[]::new));
    }

    /// Through the proxies that `choice` returns for a destination, the nearest first; directly, if
    /// it returns none. It is called on loops and must not block.
    public static ProxyChain choosing(Function<InetSocketAddress, List<ProxyServer>> choice) {
        return new ProxyChain(choice, DEFAULT_TIMEOUT, NameResolver.system());
    }

    /// Through the proxy that the environment names; see [ProxyEnvironment]. Port 80 counts as
    /// `http`, all others as `https`, which is tunnelled.
    ///
    /// @throws IllegalArgumentException when a variable is malformed
    public static ProxyChain fromEnvironment() {
        ProxyEnvironment environment = ProxyEnvironment.of(System.getenv());
        return choosing(
                destination -> {
                    String scheme = destination.getPort() == 80 ? "http" : "https";
                    ProxyServer proxy =
                            environment.proxy(
                                    scheme, destination.getHostString(), destination.getPort());
                    return proxy == null ? List.of() : List.of(proxy);
                });
    }

    /// These proxies, with another time-out.
    ///
    /// @throws IllegalArgumentException when it is not positive
    public ProxyChain withTimeout(Duration value) {
        if (!value.isPositive()) {
            throw new IllegalArgumentException("timeout: " + value + " (expected: > 0)");
        }
        return new ProxyChain(choice, value, resolver);
    }

    /// These proxies, with another resolver of names that no proxy resolves.
    public ProxyChain withResolver(NameResolver value) {
        return new ProxyChain(choice, timeout, value);
    }

    @Override
    public @Nullable SocketAddress entrance(SocketAddress destination) {
        if (!(destination instanceof InetSocketAddress inet)) {
            return null; // a Unix socket, or one within the JVM
        }
        List<ProxyServer> proxies = choice.apply(inet);
        return proxies.isEmpty() ? null : address(proxies.getFirst());
    }

    @Override
    public void open(
            Channel channel,
            SocketAddress destination,
            ChannelInitializer handler,
            Promise<Channel> opened) {
        InetSocketAddress target = (InetSocketAddress) destination;
        List<ProxyServer> proxies = choice.apply(target);
        if (proxies.isEmpty()) {
            throw new IllegalStateException(
                    "proxies: none (expected: the same choice for " + destination + " again)");
        }
        channel.pipeline()
                .addLast(
                        "tunnel",
                        new TunnelHandler(proxies, target, timeout, resolver, handler, opened));
    }

    @Override
    public Throwable unreachable(SocketAddress destination, Throwable cause) {
        if (cause instanceof ProxyException) {
            return cause;
        }
        ProxyServer proxy = choice.apply((InetSocketAddress) destination).getFirst();
        return cause instanceof SocketTimeoutException
                ? new ProxyException.TimedOut(proxy, "no connection: " + cause.getMessage())
                : new ProxyException.Unreachable(proxy, "no connection: " + cause, cause);
    }

    static InetSocketAddress address(ProxyServer proxy) {
        return InetSocketAddress.createUnresolved(proxy.host(), proxy.port());
    }
}
