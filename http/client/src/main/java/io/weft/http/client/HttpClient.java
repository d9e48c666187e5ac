package io.weft.http.client;

import io.weft.channel.Bootstrap;
import io.weft.channel.EventLoop;
import io.weft.channel.EventLoopGroup;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import io.weft.codec.compression.Deflate;
import io.weft.codec.compression.DeflateDecompressor;
import io.weft.http.client.HttpClientException.Cancelled;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.model.Body;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.tls.machine.TlsContext;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;
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
/// It follows redirects, repeats an idempotent request when a kept connection turns out to be
/// closed, and undoes `gzip` and `deflate`. Certificates and names of servers are checked. Any
/// status is a response; only what is no response is an [HttpClientException].
///
/// **Threads.** Any thread may use it. The blocking methods are for virtual threads, and refuse to
/// be called on a loop of the client. Stages complete on a loop: actions that depend on them must
/// not block, or be `Async`. Its loops' threads keep the JVM alive until [#close].
public final class HttpClient implements AutoCloseable {
    /// The context of all clients without one of their own. Made by the first of them.
    private static final class SharedTls {
        static final TlsContext CONTEXT = make();

        private static TlsContext make() {
            try {
                return TlsContext.client().applicationProtocols("http/1.1").build();
            } catch (SSLException e) {
                throw new IllegalStateException("TLS: " + e.getMessage(), e);
            }
        }
    }

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
        for (EventLoop loop : setup.group().loops()) {
            if (loop.inLoop()) {
                future.cancel(true);
                throw new IllegalStateException(
                        "a wait on a loop of the client (expected: another thread, or sendAsync)");
            }
        }
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof HttpClientException cause) {
                throw cause;
            }
            throw new CompletionException(e.getCause());
        } catch (InterruptedException e) {
            future.cancel(true);
            Thread.currentThread().interrupt();
            throw new Cancelled(Origin.of(request.target()), Stage.HEAD);
        }
    }

    // ---- asynchronous ----

    /// Sends a request and collects the response's body in memory, up to the limit.
    ///
    /// @return fails with an [HttpClientException]. Cancelling it cancels the request
    /// @throws IllegalArgumentException for a target that is not `http://…` or `https://…`
    public CompletableFuture<Response> sendAsync(Request request) {
        Call call = new Call(setup);
        CallFuture<Response> result = new CallFuture<>(call::cancel);
        var _ =
                call.start(request)
                        .whenComplete(
                                (response, cause) -> {
                                    if (cause != null) {
                                        result.completeExceptionally(cause);
                                    } else {
                                        collect(response, result);
                                    }
                                });
        return result;
    }

    private void collect(StreamedResponse response, CompletableFuture<Response> result) {
        var _ =
                response.collect(setup.limits().body())
                        .whenComplete(
                                (whole, cause) -> {
                                    if (cause instanceof CompletionException e
                                            && e.getCause() != null) {
                                        result.completeExceptionally(e.getCause());
                                    } else if (cause != null) {
                                        result.completeExceptionally(cause);
                                    } else {
                                        result.complete(whole);
                                    }
                                });
    }

    /// Sends a request; the stage completes when the response's head is there.
    ///
    /// @return its response is to be read to its end, or closed. Fails with an
    ///     [HttpClientException]. Cancelling it cancels the request
    /// @throws IllegalArgumentException for a target that is not `http://…` or `https://…`
    public CompletableFuture<StreamedResponse> openAsync(Request request) {
        return new Call(setup).start(request);
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
        private ProxyChoice proxies = _ -> null;
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

        /// Sets the trust and keys for https. It offers `http/1.1` by ALPN, or nothing. Default:
        /// the system's authorities. The context stays the caller's.
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

        /// Changes how connections are made: options, a resolver, or where they really go, such as
        /// to the socket of a daemon by [Bootstrap#remoteAddress].
        public Builder bootstrap(UnaryOperator<Bootstrap> change) {
            bootstrap = change;
            return this;
        }

        /// @throws IllegalStateException when the transport does not work here
        /// @throws IllegalArgumentException when there is no such transport, or `loops` is out of
        ///     range
        public HttpClient build() {
            TlsContext context = tls == null ? SharedTls.CONTEXT : tls;
            EventLoopGroup own = group == null ? EventLoopGroup.create(transport, loops) : group;
            ConnectionPool pool =
                    new ConnectionPool(
                            new ChannelConnector(own, bootstrap, context, limits), limits);
            Map<String, Function<DecompressionLimits, Decompressor>> known =
                    new LinkedHashMap<>(codings);
            return new HttpClient(
                    new ClientSetup(own, pool, limits, proxies, known), group == null);
        }
    }
}
