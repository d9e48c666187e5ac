package io.weft.http.server;

import io.weft.channel.ChannelInitializer;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.handler.haproxy.ProxyHeaderReceiver;
import io.weft.handler.haproxy.TrustedProxies;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.http.server.exchange.RequestPeer;
import io.weft.tls.machine.TlsContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// An HTTP server.
///
/// ```java
/// HttpServer.listen(8080, request -> Response.text("hello"));
/// ```
///
/// It serves until [#close], which refuses new connections, finishes what is being asked and
/// answered, and ends the loops. Its loops' threads keep the JVM alive.
public final class HttpServer implements AutoCloseable {
    private final EventLoopGroup group;
    private final boolean ownsGroup;
    private final ServerChannel listener;
    private final @Nullable ServerTls tls;

    private HttpServer(
            EventLoopGroup group,
            boolean ownsGroup,
            ServerChannel listener,
            @Nullable ServerTls tls) {
        this.group = group;
        this.ownsGroup = ownsGroup;
        this.listener = listener;
        this.tls = tls;
    }

    /// Listens on all addresses, on a loop a processor.
    ///
    /// @param port 0 for one that the system chooses
    /// @throws UncheckedIOException with a `BindException` when the port cannot be had
    public static HttpServer listen(int port, HttpHandler handler) {
        return builder().port(port).handler(handler).listen();
    }

    public static Builder builder() {
        return new Builder();
    }

    /// Returns the address that the server listens on, with the port that the system chose for port
    /// 0.
    public InetSocketAddress address() {
        return (InetSocketAddress) listener.localAddress();
    }

    /// The kind of engine: `io_uring`, `epoll` or `nio`.
    public String transport() {
        return group.transport();
    }

    /// Sends an interim response to a request before the final one, such as 103 (Early Hints) with
    /// Link fields (RFC 9110, 15.2; RFC 8297), at once and over both wires. Any thread.
    ///
    /// It is a hint, which may be dropped: the call has no effect when the final response has begun
    /// or the client has gone, for clients of HTTP/1.0, to a client that does not take what was
    /// sent to it before, for more than 32 of a request, and for a request that did not come from
    /// a server.
    ///
    /// @param request as the handler or filter got it, or made of that
    /// @param status 1xx, but not 100, which the server sends when a body is wanted, nor 101, which
    ///     is an [Upgrade]
    /// @throws IllegalArgumentException for another status, and for Content-Length and
    ///     Transfer-Encoding among the fields
    public static void sendInterim(Request request, Status status, Headers headers) {
        if (!status.isInformational() || status.code() < 102) {
            throw new IllegalArgumentException(
                    "interim status: " + status + " (expected: 102 to 199)");
        }
        if (headers.contains(HeaderName.CONTENT_LENGTH)
                || headers.contains(HeaderName.TRANSFER_ENCODING)) {
            throw new IllegalArgumentException(
                    "interim response: with a length or a coding (expected: no content)");
        }
        if (request.peer() instanceof RequestPeer peer) {
            peer.interim(status, headers);
        }
    }

    /// Reads the certificate and the key of [Builder#tls(Path, Path)] again. Connections that come
    /// use the new ones, and those that exist go on. If it fails, the old ones stay. Any thread
    /// that may block.
    ///
    /// @throws IOException when a file cannot be read
    /// @throws GeneralSecurityException when one is malformed, or the key is not the certificate's
    /// @throws IllegalStateException when the server has no such files
    public void reloadTls() throws IOException, GeneralSecurityException {
        tls().reload();
    }

    /// Uses another context for connections that come, as [Builder#tls(TlsContext)] does. Those
    /// that exist go on with theirs, which may be closed then; each stays the caller's to close.
    ///
    /// @throws IllegalArgumentException when it is a client's
    /// @throws IllegalStateException when the server has no TLS
    public void replaceTls(TlsContext context) {
        tls().replace(context);
    }

    private ServerTls tls() {
        if (tls == null) {
            throw new IllegalStateException("tls: none (expected: a server built with tls(...))");
        }
        return tls;
    }

    /// Stops accepting, finishes what is under way within `timeout`, and ends the loops, unless
    /// they were [given][Builder#group]. Connections between requests close at once.
    public CompletionStage<Void> shutdownGracefully(Duration timeout) {
        if (!ownsGroup) {
            return listener.shutdownGracefully(timeout).toCompletionStage();
        }
        return listener.close()
                .toCompletionStage()
                .thenCompose(_ -> group.shutdownGracefully(timeout));
    }

    /// Shuts down, in 15 seconds at the latest, and waits for the end. Not to be called by a
    /// handler.
    @Override
    public void close() {
        shutdownGracefully(Duration.ofSeconds(15)).toCompletableFuture().join();
    }

    /// Builds a server from its handler, address and limits.
    public static final class Builder {
        private @Nullable InetAddress host;
        private int port;
        private @Nullable EventLoopGroup group;
        private String transport = "auto";
        private int loops = Runtime.getRuntime().availableProcessors();
        private int maxConnections = 65_536;
        private HttpServerLimits limits = HttpServerLimits.DEFAULT;
        private @Nullable Application application;
        private @Nullable ServerTls tls;
        private @Nullable TrustedProxies proxies;
        private boolean upgrades;
        private final List<HttpFilter> filters = new ArrayList<>();

        private Builder() {}

        /// The address to listen on; all addresses unless set.
        public Builder host(InetAddress address) {
            host = address;
            return this;
        }

        public Builder port(int number) {
            port = number;
            return this;
        }

        /// Uses loops that are there, and are the caller's to end: for a server that shares them
        /// with a client, so that a request is passed on without a switch of threads, or with
        /// another server. Then [#transport] and [#loops] mean nothing.
        public Builder group(EventLoopGroup loops) {
            group = loops;
            return this;
        }

        /// `auto`, `io_uring`, `epoll` or `nio`.
        public Builder transport(String name) {
            transport = name;
            return this;
        }

        public Builder loops(int count) {
            loops = count;
            return this;
        }

        /// Connections at a time, 65,536 unless set: further ones wait in the backlog. Not for
        /// [#initializer], whose [ServerBootstrap] has a limit of its own.
        ///
        /// @throws IllegalArgumentException below 1
        public Builder maxConnections(int count) {
            if (count < 1) {
                throw new IllegalArgumentException(
                        "maxConnections: " + count + " (expected: >= 1)");
            }
            maxConnections = count;
            return this;
        }

        /// Serves TLS 1.3 and 1.2 with a certificate and its key, unencrypted, in PEM files, and
        /// `h2` and `http/1.1` by ALPN. [HttpServer#reloadTls] reads them again.
        ///
        /// @param certificates the key's own first, each one's issuer behind it
        /// @throws UncheckedIOException when a file cannot be read
        /// @throws IllegalArgumentException when one is malformed, or the key is not the
        ///     certificate's
        public Builder tls(Path certificates, Path privateKey) {
            try {
                tls = new ServerTls(certificates, privateKey);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (GeneralSecurityException e) {
                throw new IllegalArgumentException(
                        "certificates: "
                                + certificates
                                + ", key: "
                                + privateKey
                                + " (expected: PEM that belongs together): "
                                + e.getMessage(),
                        e);
            }
            return this;
        }

        /// Serves TLS with a context of your own, which stays yours to close. If it names no
        /// application protocols, the server uses a copy that names `h2` and `http/1.1` (ALPN). One
        /// that names some is used as it is: both, or one of them.
        ///
        /// @throws IllegalArgumentException when it is a client's
        public Builder tls(TlsContext context) {
            tls = new ServerTls(context);
            return this;
        }

        /// Lets clients of HTTP/1.1 without TLS change to HTTP/2 by the field Upgrade with `h2c`,
        /// in a request without content (RFC 7540, 3.2; RFC 9113 has withdrawn it). Default: they
        /// stay with HTTP/1.1; HTTP/2 by prior knowledge needs nothing.
        ///
        /// Not behind a proxy that passes the field on unread: a client would speak HTTP/2 past its
        /// rules.
        public Builder upgradeToHttp2() {
            upgrades = true;
            return this;
        }

        /// Expects the PROXY protocol, version 1 or 2, of these proxies, before TLS: the client's
        /// address is the one that the header tells
        /// ([Peer#address][io.weft.http.model.Peer#address]). Other peers are reset, unless
        /// [TrustedProxies#withDirect].
        public Builder proxyProtocol(TrustedProxies trusted) {
            proxies = trusted;
            return this;
        }

        /// As [#proxyProtocol(TrustedProxies)], of proxies by their addresses, such as
        /// `10.0.0.0/8`.
        ///
        /// @throws IllegalArgumentException when one is malformed
        public Builder proxyProtocol(String... trusted) {
            return proxyProtocol(TrustedProxies.of(trusted));
        }

        public Builder limits(HttpServerLimits value) {
            limits = value;
            return this;
        }

        /// A handler that answers at once, on the loop.
        public Builder handler(HttpHandler handler) {
            application = new Application.Direct(handler);
            return this;
        }

        /// A handler that answers later.
        public Builder async(AsyncHttpHandler handler) {
            application = new Application.Async(handler);
            return this;
        }

        /// A handler that answers later, and is called as soon as the head of a request is there:
        /// its body comes in while it is read.
        /// [Body.Stream#collect][io.weft.http.model.Body.Stream#collect] collects it, and
        /// [Body.Stream#source][io.weft.http.model.Body.Stream#source] can be the body of the
        /// answer.
        public Builder streaming(AsyncHttpHandler handler) {
            application = new Application.Async(handler, true);
            return this;
        }

        /// A handler that may block: each request is handled on a virtual thread of its own, as
        /// soon as its head is there. [Body#asInputStream][io.weft.http.model.Body#asInputStream]
        /// and [Body#asString][io.weft.http.model.Body#asString] wait for its body.
        public Builder blocking(HttpHandler handler) {
            application = Application.blocking(handler);
            return this;
        }

        /// Handlers by method and path.
        public Builder routes(Routes routes) {
            application = new Application.Routed(routes::match);
            return this;
        }

        /// Adds a filter behind those that were added before: [Cors], [Compression], or your own.
        public Builder filter(HttpFilter filter) {
            filters.add(filter);
            return this;
        }

        /// Binds and serves.
        ///
        /// @throws UncheckedIOException with a `BindException` when the address cannot be had
        /// @throws IllegalStateException without a handler, or when the transport does not work
        ///     here
        /// @throws IllegalArgumentException when there is no such transport, or a number is out of
        ///     range
        public HttpServer listen() {
            ChannelInitializer connections = initializer();
            InetSocketAddress address =
                    host == null ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
            EventLoopGroup on = group == null ? EventLoopGroup.create(transport, loops) : group;
            try {
                ServerChannel listener =
                        new ServerBootstrap(on)
                                .maxConnections(maxConnections)
                                .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                                .childOption(ChannelOption.CLOSE_TIMEOUT, limits.stallTimeout())
                                .childHandler(connections)
                                .bind(address)
                                .join();
                return new HttpServer(on, group == null, listener, tls);
            } catch (CompletionException e) {
                if (group == null) {
                    on.close();
                }
                if (e.getCause() instanceof IOException io) {
                    throw new UncheckedIOException(io);
                }
                throw e;
            }
        }

        /// Returns an initializer that makes a channel a connection of this server. It is for a
        /// [ServerBootstrap] of your own, on a group of your own, with
        /// [ChannelOption#ALLOW_HALF_CLOSURE] on.
        ///
        /// @throws IllegalStateException without a handler
        public ChannelInitializer initializer() {
            Application app =
                    filters.isEmpty()
                            ? required()
                            : new Application.Filtered(required(), List.copyOf(filters));
            HttpServerLimits lim = limits;
            Map<EventLoop, ServerLoop> parts = new ConcurrentHashMap<>();
            ServerTls secure = tls;
            TrustedProxies trusted = proxies;
            boolean h2c = upgrades;
            Function<EventLoop, ServerLoop> partOf =
                    loop -> new ServerLoop(app, lim, new Sweeper(loop), h2c);
            return ch -> {
                if (trusted != null) {
                    ch.pipeline().addLast("proxy", new ProxyHeaderReceiver(trusted));
                }
                if (secure != null) {
                    ch.pipeline().addLast("tls", secure.handler());
                }
                ServerLoop part = parts.computeIfAbsent(ch.eventLoop(), partOf);
                ch.pipeline().addLast("http", new Http1Connection(part, true));
            };
        }

        private Application required() {
            if (application == null) {
                throw new IllegalStateException(
                        "handler: null (expected: one of handler, async, streaming,"
                                + " blocking, routes)");
            }
            return application;
        }
    }
}
