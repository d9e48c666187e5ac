package io.weft.http.client;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.tls.TlsHandler;
import io.weft.http.client.HttpClientException.ConnectFailed;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.client.HttpClientException.TimedOut;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsSession;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Makes connections: TCP, a proxy's tunnel where there is one, TLS, and the protocol that was
/// agreed on (ALPN).
final class ChannelConnector implements ConnectionPool.Connector {
    private static final System.Logger LOGGER = System.getLogger("io.weft.http.client");
    private static final String HTTP_1_1 = "http/1.1";
    private static final String HTTP_2 = "h2";

    private final EventLoopGroup group;
    private final UnaryOperator<Bootstrap> custom;
    private final TlsContext tls;
    private final Http1Fallback fallback;
    private final HttpProtocol protocol;
    private final HttpClientLimits limits;
    private final Duration keepAlive;
    private final @Nullable Bindings bindings;

    /// @param bindings null for a client that does not look at records of type HTTPS
    ChannelConnector(
            EventLoopGroup group,
            UnaryOperator<Bootstrap> custom,
            TlsContext tls,
            HttpProtocol protocol,
            HttpClientLimits limits,
            Duration keepAlive,
            @Nullable Bindings bindings) {
        this.group = group;
        this.custom = custom;
        this.tls = tls;
        this.fallback = new Http1Fallback(tls);
        this.protocol = protocol;
        this.limits = limits;
        this.keepAlive = keepAlive;
        this.bindings = bindings;
    }

    @Override
    public void connect(Route route, ConnectionPool pool, ConnectionPool.Waiter waiter) {
        new Attempt(route, pool, waiter).begin();
    }

    @Override
    public boolean mayMultiplex(Route route) {
        return switch (protocol) {
            case HTTP_1_1 -> false;
            case NEGOTIATED ->
                    route.origin().secure()
                            && !route.http1()
                            && !fallback.contains(route.origin())
                            && tls.settings().applicationProtocols().contains(HTTP_2);
            case HTTP_2 -> !route.isAbsolute();
        };
    }

    /// Changes nothing if the application insists on HTTP/2.
    @Override
    public void requiresHttp1(Route route) {
        if (protocol != HttpProtocol.NEGOTIATED) {
            return;
        }
        try {
            fallback.add(route.origin());
        } catch (SSLException e) {
            LOGGER.log(System.Logger.Level.WARNING, "no HTTP/1.1 for " + route.origin(), e);
        }
    }

    @Override
    public void close() {
        fallback.close();
    }

    /// One connection in the making.
    private final class Attempt {
        private final Route route;
        private final ConnectionPool pool;
        private final ConnectionPool.Waiter waiter;
        private final Http1Connection http1;
        private @Nullable Http2ClientConnection http2;
        private Stage stage = Stage.CONNECT;

        Attempt(Route route, ConnectionPool pool, ConnectionPool.Waiter waiter) {
            this.route = route;
            this.pool = pool;
            this.waiter = waiter;
            this.http1 = new Http1Connection(route, pool, limits);
        }

        void begin() {
            stage(Stage.CONNECT);
            HttpProxy proxy = route.proxy();
            Origin origin = route.origin();
            Bootstrap bootstrap =
                    custom.apply(
                                    new Bootstrap(group.nearest())
                                            .option(
                                                    ChannelOption.CONNECT_TIMEOUT,
                                                    limits.connectTimeout()))
                            .handler(this::fill);
            if (bindings != null && proxy == null && origin.secure()) {
                bootstrap.resolver(bindings.resolver(origin));
            }
            Future<Channel> connecting =
                    proxy == null
                            ? bootstrap.connect(origin.name(), origin.port())
                            : bootstrap.connect(proxy.host(), proxy.port());
            var _ =
                    connecting.addListener(
                            outcome -> {
                                if (!outcome.isSuccess()) {
                                    failed(outcome);
                                } else if (!origin.secure()) {
                                    ready();
                                }
                            });
        }

        /// The pipeline of a new channel. With TLS, what it fills in waits for the channel as
        /// well.
        private void fill(Channel channel) {
            Origin origin = route.origin();
            if (!origin.secure()) {
                if (protocol == HttpProtocol.HTTP_2 && !route.isAbsolute()) {
                    channel.pipeline().addLast("http2", multiplexing());
                } else {
                    channel.pipeline().addLast("http1", http1);
                }
                return;
            }
            HttpProxy proxy = route.proxy();
            if (proxy == null) {
                TlsHandler handler = securing();
                channel.pipeline().addLast("tls", handler).addLast("http1", http1);
                stage(Stage.TLS);
                var _ = handler.handshake().addListener(o -> agreed(channel, o));
                return;
            }
            stage(Stage.PROXY);
            Promise<Void> open = channel.newPromise();
            channel.pipeline()
                    .addLast(
                            "proxy",
                            new ProxyTunnel(
                                    origin, proxy, limits.http1(), limits.connectTimeout(), open))
                    .addLast("http1", http1);
            var _ =
                    open.addListener(
                            outcome -> {
                                if (!outcome.isSuccess()) {
                                    failed(outcome);
                                    return;
                                }
                                stage(Stage.TLS);
                                TlsHandler handler = securing();
                                channel.pipeline().addBefore(http1, "tls", handler);
                                var _ = handler.handshake().addListener(o -> agreed(channel, o));
                            });
        }

        private TlsHandler securing() {
            Origin origin = route.origin();
            TlsContext context = tls;
            try {
                context = protocol == HttpProtocol.NEGOTIATED ? fallback.tls(route) : tls;
            } catch (SSLException e) {
                LOGGER.log(System.Logger.Level.WARNING, "no HTTP/1.1 for " + origin, e);
            }
            return TlsHandler.client(context, origin.name(), origin.port());
        }

        private Http2ClientConnection multiplexing() {
            Http2ClientConnection connection =
                    new Http2ClientConnection(route, pool, limits, keepAlive);
            http2 = connection;
            return connection;
        }

        private void agreed(Channel channel, Future<TlsSession> outcome) {
            TlsSession session = outcome.now();
            if (session == null) {
                failed(outcome);
                return;
            }
            String agreed = session.applicationProtocol();
            if (HTTP_2.equals(agreed) && protocol != HttpProtocol.HTTP_1_1) {
                channel.pipeline().replace(http1, "http2", multiplexing());
                ready();
                return;
            }
            if (protocol != HttpProtocol.HTTP_2 && (agreed == null || agreed.equals(HTTP_1_1))) {
                ready();
                return;
            }
            var _ = channel.close();
            failed(
                    new ConnectFailed(
                            route.origin(),
                            Stage.TLS,
                            "protocol: " + agreed + " (expected: " + expected() + ")",
                            null));
        }

        private String expected() {
            return switch (protocol) {
                case HTTP_1_1 -> HTTP_1_1;
                case NEGOTIATED -> HTTP_2 + " or " + HTTP_1_1;
                case HTTP_2 -> HTTP_2;
            };
        }

        private void ready() {
            Http2ClientConnection multiplexed = http2;
            pool.connected(multiplexed == null ? http1 : multiplexed, waiter);
        }

        private void failed(Future<?> outcome) {
            Throwable cause = outcome.cause();
            Origin origin = route.origin();
            failed(
                    switch (cause) {
                        case HttpClientException e -> e;
                        case SocketTimeoutException _ ->
                                new TimedOut(origin, stage, limits.connectTimeout());
                        case TlsException.HandshakeTimeout _ ->
                                new TimedOut(origin, stage, tls.timeouts().handshake());
                        case null, default ->
                                new ConnectFailed(origin, stage, "no connection: " + cause, cause);
                    });
        }

        private void failed(HttpClientException cause) {
            pool.failed(route);
            waiter.refused(cause);
        }

        private void stage(Stage next) {
            stage = next;
            waiter.connecting(next);
        }
    }
}
