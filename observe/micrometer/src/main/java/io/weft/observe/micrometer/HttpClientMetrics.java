package io.weft.observe.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.weft.http.client.Origin;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Times the requests of clients, by the names of OpenTelemetry's conventions for HTTP.
///
/// ```java
/// var response = metrics.follow(request, client.sendAsync(request)).get();
/// ```
///
/// The timer `http.client.request.duration` has the tags `http.request.method`, `server.address`,
/// `server.port`, `http.response.status_code`, which is `none` for a request that has failed, and
/// `error.type`: the class of the failure, the status of an answer of 4xx or 5xx, or `none`. Hosts
/// are those that the program asks: a client that follows URLs of others has too many of them.
public final class HttpClientMetrics {
    private final MeterRegistry registry;

    /// Makes metrics that are recorded to `registry`.
    public HttpClientMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /// Times a call that begins now, to its response or failure.
    ///
    /// @param call of a [Response], or of a [StreamedResponse] to the end of its head
    /// @return the call itself
    public <R> CompletableFuture<R> follow(Request request, CompletableFuture<R> call) {
        long began = System.nanoTime();
        var _ = call.whenComplete((response, cause) -> record(request, response, cause, began));
        return call;
    }

    private void record(
            Request request, @Nullable Object response, @Nullable Throwable cause, long began) {
        Origin origin = Origin.of(request.target());
        String status = status(response);
        Timer.builder("http.client.request.duration")
                .description("Time from a request to its response")
                .tag("http.request.method", HttpTags.method(request.method()))
                .tag("server.address", origin.host())
                .tag("server.port", Integer.toString(origin.port()))
                .tag("http.response.status_code", status)
                .tag("error.type", cause == null ? error(status) : error(cause))
                .serviceLevelObjectives(HttpTags.buckets())
                .register(registry)
                .record(System.nanoTime() - began, TimeUnit.NANOSECONDS);
    }

    private static String status(@Nullable Object response) {
        return switch (response) {
            case Response whole -> HttpTags.status(whole.status());
            case StreamedResponse streamed -> HttpTags.status(streamed.status());
            case null, default -> HttpTags.NONE;
        };
    }

    private static String error(String status) {
        return status.startsWith("4") || status.startsWith("5") ? status : HttpTags.NONE;
    }

    private static String error(Throwable cause) {
        return switch (cause) {
            case CompletionException e when e.getCause() != null -> error(e.getCause());
            case CancellationException _ -> "cancelled";
            default -> cause.getClass().getName();
        };
    }
}
