package io.weft.http.client;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.EventLoopGroup;
import io.weft.engine.ChannelOption;
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
import java.util.function.UnaryOperator;

/// Makes connections: TCP, a proxy's tunnel where there is one, TLS, and the protocol that was
/// agreed on (ALPN).
final class ChannelConnector implements ConnectionPool.Connector {
    private static final String HTTP_1_1 = "http/1.1";

    private final EventLoopGroup group;
    private final UnaryOperator<Bootstrap> custom;
    private final TlsContext tls;
    private final HttpClientLimits limits;

    ChannelConnector(
            EventLoopGroup group,
            UnaryOperator<Bootstrap> custom,
            TlsContext tls,
            HttpClientLimits limits) {
        this.group = group;
        this.custom = custom;
        this.tls = tls;
        this.limits = limits;
    }

    @Override
    public void connect(Route route, ConnectionPool pool, ConnectionPool.Waiter waiter) {
        new Attempt(route, pool, waiter).begin();
    }

    /// One connection in the making.
    private final class Attempt {
        private final Route route;
        private final ConnectionPool pool;
        private final ConnectionPool.Waiter waiter;
        private final Http1Connection connection;
        private Stage stage = Stage.CONNECT;

        Attempt(Route route, ConnectionPool pool, ConnectionPool.Waiter waiter) {
            this.route = route;
            this.pool = pool;
            this.waiter = waiter;
            this.connection = new Http1Connection(route, pool, limits);
        }

        void begin() {
            stage(Stage.CONNECT);
            HttpProxy proxy = route.proxy();
            Origin origin = route.origin();
            Bootstrap bootstrap =
                    custom.apply(
                                    new Bootstrap(group)
                                            .option(
                                                    ChannelOption.CONNECT_TIMEOUT,
                                                    limits.connectTimeout()))
                            .handler(this::fill);
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
                channel.pipeline().addLast("http1", connection);
                return;
            }
            HttpProxy proxy = route.proxy();
            if (proxy == null) {
                TlsHandler handler = TlsHandler.client(tls, origin.name(), origin.port());
                channel.pipeline().addLast("tls", handler).addLast("http1", connection);
                stage(Stage.TLS);
                var _ = handler.handshake().addListener(this::agreed);
                return;
            }
            stage(Stage.PROXY);
            Promise<Void> open = channel.newPromise();
            channel.pipeline()
                    .addLast("proxy", new ProxyTunnel(origin, proxy, limits.http1(), open))
                    .addLast("http1", connection);
            var _ =
                    open.addListener(
                            outcome -> {
                                if (!outcome.isSuccess()) {
                                    failed(outcome);
                                    return;
                                }
                                stage(Stage.TLS);
                                TlsHandler handler =
                                        TlsHandler.client(tls, origin.name(), origin.port());
                                channel.pipeline().addBefore(connection, "tls", handler);
                                var _ = handler.handshake().addListener(this::agreed);
                            });
        }

        private void agreed(Future<TlsSession> outcome) {
            TlsSession session = outcome.now();
            if (session == null) {
                failed(outcome);
                return;
            }
            String protocol = session.applicationProtocol();
            if (protocol == null || protocol.equals(HTTP_1_1)) {
                ready();
                return;
            }
            connection.close();
            failed(
                    new ConnectFailed(
                            route.origin(),
                            Stage.TLS,
                            "protocol: " + protocol + " (expected: " + HTTP_1_1 + ")",
                            null));
        }

        private void ready() {
            pool.connected(connection, waiter);
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
