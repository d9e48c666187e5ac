package io.weft.http.grpc;

import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.client.HttpProtocol;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Request;
import java.time.Duration;

/// Calls the services of one server. Any thread may use it; what blocks, any but a loop of its HTTP
/// client.
public final class GrpcClient implements AutoCloseable {
    private static final Duration DAY = Duration.ofDays(1);

    private static final int MAX_REFUSALS = 3;

    private final HttpClient http;
    private final boolean owns;
    private final String origin;
    private final GrpcLimits limits;

    private GrpcClient(HttpClient http, boolean owns, String origin, GrpcLimits limits) {
        this.http = http;
        this.owns = owns;
        this.origin = origin.endsWith("/") ? origin.substring(0, origin.length() - 1) : origin;
        this.limits = limits;
        var _ = Request.get(this.origin + "/"); // fails now rather than with the first call
    }

    /// A client with an HTTP client of its own, which it closes.
    ///
    /// @param origin `http://host:port`, whose server is known to speak HTTP/2, or
    ///     `https://host:port`
    /// @throws IllegalArgumentException for another one
    public static GrpcClient create(String origin) {
        HttpClient http =
                HttpClient.builder()
                        .protocol(HttpProtocol.HTTP_2)
                        .limits(patient(HttpClientLimits.DEFAULT))
                        .build();
        return new GrpcClient(http, true, origin, GrpcLimits.DEFAULT);
    }

    /// A client that shares an HTTP client, which stays the caller's. That has to speak
    /// [HttpProtocol#HTTP_2], and have the patience that its calls need: see [#patient]. A context
    /// of TLS that it is given names `h2` as application protocol, or none.
    ///
    /// @throws IllegalArgumentException when `origin` is none
    public static GrpcClient of(HttpClient http, String origin, GrpcLimits limits) {
        return new GrpcClient(http, false, origin, limits);
    }

    /// Returns `limits` for calls that may take long, or be silent for long: up to a day. Deadlines
    /// of calls are what bounds them then.
    public static HttpClientLimits patient(HttpClientLimits limits) {
        return limits.withHeadTimeout(DAY).withStallTimeout(DAY).withTotalTimeout(DAY);
    }

    /// Makes a call of one request and one response, and waits for that.
    ///
    /// @throws GrpcException when it does not succeed
    public <Q, R> R unary(GrpcMethod<Q, R> method, Q request) throws InterruptedException {
        return unary(method, request, GrpcCallOptions.DEFAULT);
    }

    /// As [#unary(GrpcMethod, Object)]. A call that the server has certainly not processed, since
    /// it goes away or has no stream free, is made again, three times at most.
    public <Q, R> R unary(GrpcMethod<Q, R> method, Q request, GrpcCallOptions options)
            throws InterruptedException {
        long begun = System.nanoTime();
        GrpcCallOptions left = options;
        for (int refusals = 0; ; refusals++) {
            try (GrpcClientCall<Q, R> call = open(method, left)) {
                return call.unary(request);
            } catch (GrpcException e) {
                if (refusals == MAX_REFUSALS || !HttpFailures.isUnprocessed(e)) {
                    throw e;
                }
                Duration timeout = options.timeout();
                if (timeout != null) {
                    left = options.withTimeout(timeout.minusNanos(System.nanoTime() - begun));
                }
            }
        }
    }

    /// Begins a call. It is to be read to its end, or closed.
    public <Q, R> GrpcClientCall<Q, R> open(GrpcMethod<Q, R> method) {
        return open(method, GrpcCallOptions.DEFAULT);
    }

    /// As [#open(GrpcMethod)].
    public <Q, R> GrpcClientCall<Q, R> open(GrpcMethod<Q, R> method, GrpcCallOptions options) {
        Headers fields = fields(options);
        String url = origin + method.path();
        GrpcClientCall<Q, R> call =
                new GrpcClientCall<>(
                        method,
                        options,
                        limits,
                        body -> http.openAsync(Request.post(url, body).withHeaders(fields)));
        call.begin();
        return call;
    }

    private static Headers fields(GrpcCallOptions options) {
        HeadersBuilder fields = Headers.builder();
        fields.add(HeaderName.TE, "trailers");
        fields.add(HeaderName.CONTENT_TYPE, GrpcServices.CONTENT_TYPE);
        fields.add(HeaderName.USER_AGENT, "grpc-weft");
        // Messages are compressed, never the whole body.
        fields.add(HeaderName.ACCEPT_ENCODING, "identity");
        fields.add(GrpcCoding.ACCEPT, GrpcCoding.ACCEPTED);
        if (options.coding() != GrpcCoding.IDENTITY) {
            fields.add(GrpcCoding.ENCODING, options.coding().toString());
        }
        Duration timeout = options.timeout();
        if (timeout != null) {
            fields.add(GrpcTimeout.NAME, GrpcTimeout.encode(timeout));
        }
        Metadata.append(options.metadata(), fields);
        return fields.build();
    }

    /// Closes the HTTP client, if it is this one's own, and waits for its calls, 15 seconds at the
    /// longest.
    @Override
    public void close() {
        if (owns) {
            http.close();
        }
    }

    @Override
    public String toString() {
        return "GrpcClient[" + origin + "]";
    }
}
