package io.weft.http.client;

import io.weft.channel.Bootstrap;
import io.weft.channel.Tunnel;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import io.weft.codec.compression.Deflate;
import io.weft.codec.compression.DeflateDecompressor;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.resolver.names.NameResolver;
import io.weft.tls.machine.TlsContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/// An HTTP client.
///
/// ```java
/// try (HttpClient client = HttpClient.create()) {
///     String text = client.get("https://example.org/").body().asString();
/// }
/// ```
///
/// Make one and share it: it keeps connections and uses them again. Requests name their destination
/// in their target, `Request.get("https://example.org/")`. [#send] and [#sendAsync] collect the
/// response in memory, up to a limit; [#open] and [#openAsync] hand it over as soon as its head is
/// there, to be read as a stream. Bodies of requests may be streams too.
///
/// It speaks HTTP/2 where TLS agrees on it, many requests on one connection, else HTTP/1.1, and to
/// origins that have asked for that by HTTP_1_1_REQUIRED (RFC 9113, 7). It
/// follows redirects, repeats an idempotent request when a kept connection turns out to be
/// closed, and undoes `gzip` and `deflate`. If its resolver knows records of type HTTPS, as that of
/// `resolver/dns` does, it connects where they say, and goes by https to origins that have them
/// (RFC 9460). Certificates and names of servers are checked. Any
/// status is a response; only what is no response is an [HttpClientException].
///
/// **Threads.** Any thread may use it. The blocking methods are for virtual threads, and refuse to
/// be called on a loop of the client. Stages complete on a loop: actions that depend on them must
/// not block, or be `Async`. Its loops' threads keep the JVM alive until [#close].
public final class HttpClient implements AutoCloseable {
    private final ClientSetup setup;
    private final boolean ownsGroup;

    private HttpClient(ClientSetup setup, boolean ownsGroup) {
        this.setup = setup;
        this.ownsGroup = ownsGroup;
    }

    /// A client with the default settings, on loops of its own.
    public static HttpClient create() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    // ---- blocking ----

    /// Fetches a URL: [#send] of a GET.
    public Response get(String url) throws HttpClientException {
        return send(Request.get(url));
    }

    /// Sends `body` to a URL: [#send] of a POST.
    public Response post(String url, Body body) throws HttpClientException {
        return send(Request.post(url, body));
    }

    /// Sends a request and waits for its response, whose body is in memory then. An interrupt
    /// cancels it, and stays set.
    ///
    /// @throws IllegalArgumentException for a target that is not `http://…` or `https://…`
    /// @throws IllegalStateException on a loop of the client
    public Response send(Request request) throws HttpClientException {
        return await(request, sendAsync(request));
    }

    /// Sends a request and waits for the head of its response. An interrupt cancels it, and stays
    /// set.
    ///
    /// @return to be read to its end, or closed
    /// @throws IllegalArgumentException for a target that is not `http://…` or `https://…`
    /// @throws IllegalStateException on a loop of the client
    public StreamedResponse open(Request request) throws HttpClientException {
        return await(request, openAsync(request));
    }

    private <T> T await(Request request, CompletableFuture<T> future) throws HttpClientException {
        if (setup.group().current() != null) {
            future.cancel(true);
            throw new IllegalStateException(
                    "a wait on a loop of the client (expected: another thread, or sendAsync)");
        }
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof HttpClientException cause) {
                throw cause;
            }
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CallFuture.unlessCancelled(future, request);
        }
    }

    // ---- asynchronous ----

    /// Sends a request and collects the response's body in memory, up to the limit.
    ///
    /// @return fails with an [HttpClientException]. Cancelling it cancels the request, and so does
    ///     whatever else completes it first, such as `orTimeout`
    /// @throws IllegalArgumentException for a target that is not `http://…` or `https://…`
    public CompletableFuture<Response> sendAsync(Request request) {
        Call call = new Call(setup);
        CallFuture<Response> result = new CallFuture<>(call::cancel);
        var _ =
                call.start(request)
                        .whenComplete(
                                (response, cause) -> {
                                    if (cause != null) {
                                        result.failed(cause);
                                    } else {
                                        collect(response, result);
                                    }
                                });
        return result;
    }

    private void collect(StreamedResponse response, CallFuture<Response> result) {
        var _ =
                response.collect(setup.limits().body())
                        .whenComplete(
                                (whole, cause) -> {
                                    if (cause instanceof CompletionException e
                                            && e.getCause() != null) {
                                        result.failed(e.getCause());
                                    } else if (cause != null) {
                                        result.failed(cause);
                                    } else {
                                        result.answered(whole);
                                    }
                                });
    }

    /// Sends a request; the stage completes when the response's head is there.
    ///
    /// @return its response is to be read to its end, or closed. Fails with an
    ///     [HttpClientException]. Cancelling it, or completing it otherwise, cancels the request
    /// @throws IllegalArgumentException for a target that is not `http://…` or `https://…`
    public CompletableFuture<StreamedResponse> openAsync(Request request) {
        return new Call(setup).start(request);
    }

    /// Sends a request as [#openAsync(Request)] does, and tells of each interim response before the
    /// final one, such as 103 (Early Hints). Not told are 100 (Continue), which the client asks for
    /// and waits for itself, and 101. A request that is redirected or sent again has those of each
    /// answer. The request fails when a server sends more than 32 for one answer.
    ///
    /// @return as that of [#openAsync(Request)], which completes after the listener was told
    /// @throws IllegalArgumentException for a target that is not `http://…` or `https://…`
    public CompletableFuture<StreamedResponse> openAsync(Request request, InterimListener interim) {
        return new Call(setup, null, interim).start(request);
    }

    /// Sends a request to an origin that its target does not name, as a proxy does, and tells of
    /// interim responses. Without a field Host it gets the origin's.
    ///
    /// @return as that of [#openAsync(Request, InterimListener)]
    /// @throws IllegalArgumentException for CONNECT, and for a target but `/…`, or `*` of OPTIONS
    public CompletableFuture<StreamedResponse> openAsync(
            Request request, Origin origin, InterimListener interim) {
        return new Call(setup, null, interim).start(ClientSetup.nameless(request), origin);
    }

    /// Sends a request that offers to switch to another protocol: it has the fields Upgrade and
    /// Connection, and no body (RFC 9110, 7.8). If the server agrees, `upgrade` gets the channel.
    ///
    /// It goes over a connection of HTTP/1.1. A client that insists on
    /// [HTTP/2][HttpProtocol#HTTP_2] sends it as an extended CONNECT (RFC 8441), which servers
    /// answer with 2xx: the channel is a stream of the connection then, beside other requests.
    /// If the call is cancelled before its response is there, the channel is aborted, also when
    /// `upgrade` has it already; after that cancelling has no effect.
    ///
    /// @return a response of status 101, or 2xx over HTTP/2, without a body, when `upgrade` has
    ///     added its handlers; any other when the server has not agreed, to be read to its end or
    ///     closed. Fails with an [HttpClientException], of [HttpClientException.UpgradeFailed] if
    ///     `upgrade` throws
    /// @throws IllegalArgumentException for a target that is not `http://…` or `https://…`, a
    ///     request that offers no upgrade, or one with a body
    public CompletableFuture<StreamedResponse> upgradeAsync(
            Request request, ClientUpgrade upgrade) {
        return offer(request, new Call(setup, upgrade));
    }

    /// Sends a request as [#upgradeAsync(Request, ClientUpgrade)] does, and tells of the interim
    /// responses before 101 or another final one, as [#openAsync(Request, InterimListener)].
    ///
    /// @return as that of [#upgradeAsync(Request, ClientUpgrade)]
    /// @throws IllegalArgumentException as [#upgradeAsync(Request, ClientUpgrade)]
    public CompletableFuture<StreamedResponse> upgradeAsync(
            Request request, ClientUpgrade upgrade, InterimListener interim) {
        return offer(request, new Call(setup, upgrade, interim));
    }

    private static CompletableFuture<StreamedResponse> offer(Request request, Call call) {
        Headers fields = request.headers();
        if (!fields.contains(HeaderName.UPGRADE)
                || !fields.containsToken(HeaderName.CONNECTION, "upgrade")) {
            throw new IllegalArgumentException(
                    "request: without an upgrade (expected: the field, and the option)");
        }
        return call.start(withoutBody(request));
    }

    /// Asks a server for a tunnel to somewhere else (CONNECT; RFC 9110, 9.3.6). If it agrees,
    /// `upgrade` gets the channel, which leads there.
    ///
    /// @param through the server; a [Builder#proxy(HttpProxy)] stands before it, as before others
    /// @param destination `host:port`
    /// @param headers further fields, such as Proxy-Authorization
    /// @return a response of 2xx without a body, when `upgrade` has added its handlers; any other
    ///     when the server has not agreed, to be read to its end or closed. Fails as that of
    ///     [#upgradeAsync]
    /// @throws IllegalArgumentException for a destination that has another form
    public CompletableFuture<StreamedResponse> connectAsync(
            Origin through, String destination, Headers headers, ClientUpgrade upgrade) {
        RequestTarget target = RequestTarget.of(destination);
        if (target.form() != RequestTarget.Form.AUTHORITY) {
            throw new IllegalArgumentException(
                    "destination: " + destination + " (expected: host:port)");
        }
        Request request = Request.of(Method.CONNECT, target).withHeaders(headers);
        return new Call(setup, upgrade).start(request, through);
    }

    private static Request withoutBody(Request request) {
        if (request.body().length() != 0) {
            throw new IllegalArgumentException(
                    "body: of a request that switches protocols (expected: none)");
        }
        return request;
    }

    // ---- the end ----

    /// Takes no more requests, finishes those that have a connection within `timeout`, and ends the
    /// loops, unless they were [given][Builder#group]: then it just closes its connections.
    public CompletionStage<Void> shutdownGracefully(Duration timeout) {
        setup.pool().close();
        return ownsGroup
                ? setup.group().shutdownGracefully(timeout)
                : CompletableFuture.completedFuture(null);
    }

    /// Shuts down, in 15 seconds at the latest, and waits for the end. Not to be called on a loop.
    @Override
    public void close() {
        shutdownGracefully(Duration.ofSeconds(15)).toCompletableFuture().join();
    }

    @Override
    public String toString() {
        ConnectionPool pool = setup.pool();
        return "HttpClient[connections="
                + pool.size()
                + ", idle="
                + pool.idle()
                + ", waiting="
                + pool.waiting()
                + "]";
    }

    /// Builds a client.
    public static final class Builder {
        private @Nullable EventLoopGroup group;
        private String transport = "auto";
        private int loops = Math.min(2, Runtime.getRuntime().availableProcessors());
        private HttpClientLimits limits = HttpClientLimits.DEFAULT;
        private @Nullable TlsContext tls;
        private HttpProtocol protocol = HttpProtocol.NEGOTIATED;
        private ProxyChoice proxies = _ -> null;
        private Duration keepAlive = Duration.ZERO;
        private @Nullable CookieJar cookies;
        private boolean servesBindings = true;
        private boolean namesItself = true;
        private UnaryOperator<Bootstrap> bootstrap = UnaryOperator.identity();
        private final Map<String, Function<DecompressionLimits, Decompressor>> codings =
                new LinkedHashMap<>();

        private Builder() {
            codings.put("gzip", l -> new DeflateDecompressor(Deflate.GZIP, l));
            codings.put("deflate", l -> new DeflateDecompressor(Deflate.AUTO, l));
        }

        /// Uses loops that are there, and are the caller's to end.
        public Builder group(EventLoopGroup loops) {
            group = loops;
            return this;
        }

        /// Sets the engine of the client's own loops: `auto`, `io_uring`, `epoll` or `nio`.
        public Builder transport(String name) {
            transport = name;
            return this;
        }

        /// Sets the number of the client's own loops. Default: 2, or 1 on one processor.
        public Builder loops(int count) {
            loops = count;
            return this;
        }

        public Builder limits(HttpClientLimits value) {
            limits = value;
            return this;
        }

        /// Sets the versions of HTTP. Default: HTTP/2 where TLS agrees on it.
        public Builder protocol(HttpProtocol versions) {
            protocol = versions;
            return this;
        }

        /// Asks a server of HTTP/2 for a sign of life (PING) when nothing has come for so long
        /// while a response is awaited, and closes the connection when nothing comes for as long
        /// again: its requests fail with `Disconnected`, or are sent again if they may be. Default:
        /// none, since some servers close connections for such questions.
        ///
        /// @throws IllegalArgumentException unless positive and at most a day
        public Builder keepAlive(Duration silence) {
            if (!silence.isPositive() || silence.compareTo(Duration.ofDays(1)) > 0) {
                throw new IllegalArgumentException(
                        "keepAlive: " + silence + " (expected: above 0, at most a day)");
            }
            keepAlive = silence;
            return this;
        }

        /// Sets the trust and keys for https. Default: the system's authorities. The context stays
        /// the caller's.
        ///
        /// If it names no application protocols, the client uses a copy that names what
        /// [#protocol] says (ALPN): `h2` and `http/1.1`, or one of them. One that names some is
        /// used as it is.
        public Builder tls(TlsContext context) {
            tls = context;
            return this;
        }

        /// Sends all requests through a proxy. Default: none.
        public Builder proxy(HttpProxy proxy) {
            return proxy(_ -> proxy);
        }

        /// Chooses the proxy for each origin.
        public Builder proxy(ProxyChoice choice) {
            proxies = choice;
            return this;
        }

        /// Makes all connections through `way`, such as a `ProxyChain` of SOCKS or HTTP proxies,
        /// also those to a proxy of [#proxy(HttpProxy)].
        public Builder tunnel(Tunnel way) {
            return bootstrap(bootstrap.andThen(b -> b.tunnel(way))::apply);
        }

        /// Keeps the cookies of responses, also of those that redirect, and sends them with the
        /// requests that they belong to, unless those have a Cookie field of their own. Default:
        /// none are kept.
        public Builder cookies(CookieJar jar) {
            cookies = jar;
            return this;
        }

        /// Undoes another content coding, such as `br` or `zstd`, which responses may then have:
        /// `decoder("zstd", ZstdDecompressor::new)`.
        public Builder decoder(
                String coding, Function<DecompressionLimits, Decompressor> decompressor) {
            codings.put(coding.toLowerCase(Locale.ROOT), decompressor);
            return this;
        }

        /// Leaves bodies as they are, and asks for no content coding.
        public Builder withoutDecompression() {
            codings.clear();
            return this;
        }

        /// Adds no User-Agent field to requests without one: for proxies, which pass on what others
        /// ask (RFC 9110, 10.1.5). Default: `weft`.
        public Builder withoutUserAgent() {
            namesItself = false;
            return this;
        }

        /// Changes how connections are made: options, a resolver, or where they really go, such as
        /// to the socket of a daemon by [Bootstrap#remoteAddress].
        public Builder bootstrap(UnaryOperator<Bootstrap> change) {
            bootstrap = change;
            return this;
        }

        /// Goes to the hosts and ports of URLs themselves, whatever records of type HTTPS say.
        public Builder withoutServiceBinding() {
            servesBindings = false;
            return this;
        }

        /// Records of type HTTPS, if connections go to the destinations themselves.
        private @Nullable Bindings bindings(EventLoopGroup loops, TlsContext context) {
            if (!servesBindings) {
                return null;
            }
            NameResolver names = bootstrap.apply(new Bootstrap(loops)).directResolver();
            if (names == null || !names.knowsServiceBindings()) {
                return null;
            }
            Set<String> protocols =
                    switch (protocol) {
                        case HTTP_1_1 -> Set.of("http/1.1");
                        case HTTP_2 -> Set.of("h2");
                        case NEGOTIATED ->
                                context.settings().applicationProtocols().contains("h2")
                                        ? Set.of("h2", "http/1.1")
                                        : Set.of("http/1.1");
                    };
            return new Bindings(names, protocols);
        }

        /// @throws IllegalStateException when the transport does not work here
        /// @throws IllegalArgumentException when there is no such transport, or `loops` is out of
        ///     range
        public HttpClient build() {
            TlsContext context = ClientTls.of(tls, protocol);
            EventLoopGroup own = group == null ? EventLoopGroup.create(transport, loops) : group;
            Bindings bindings = bindings(own, context);
            ConnectionPool pool =
                    new ConnectionPool(
                            new ChannelConnector(
                                    own, bootstrap, context, protocol, limits, keepAlive, bindings),
                            limits);
            Map<String, Function<DecompressionLimits, Decompressor>> known =
                    new LinkedHashMap<>(codings);
            return new HttpClient(
                    new ClientSetup(
                            own, pool, limits, proxies, known, namesItself, cookies, bindings),
                    group == null);
        }
    }
}
