package io.weft.observe.micrometer;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.weft.http.model.Peer;
import io.weft.http.model.Response;
import io.weft.http.server.FinishedExchange;
import io.weft.http.server.HttpFilter;
import org.jspecify.annotations.Nullable;

/// Counts and times the requests of a server, by the names of OpenTelemetry's conventions for HTTP.
///
/// ```java
/// HttpServer.builder().filter(new HttpServerMetrics(registry)).routes(routes).listen();
/// ```
///
/// | meter | of |
/// |---|---|
/// | `http.server.request.duration` | a timer, from the head of a request to the end of its answer |
/// | `http.server.response.body.size` | bytes of answers' bodies, before a coding for the transfer |
///
/// Tags are `http.request.method`, `http.route`, `http.response.status_code`, `error.type`,
/// `url.scheme` and `network.protocol.version`. The error is the status of an answer of 5xx,
/// `cut_off` for one that did not reach its end, and otherwise `none`. None has a value
/// that clients choose: an unknown method is `_OTHER`, and a path without a route is `none`. The
/// status is `none` if the connection was gone before an answer.
public final class HttpServerMetrics implements HttpFilter {
    private final MeterRegistry registry;

    /// Makes a filter that records to `registry`.
    public HttpServerMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    @Override
    public void finished(FinishedExchange exchange) {
        Response response = exchange.response();
        String route = exchange.route();
        Tags tags =
                Tags.of(
                        "error.type",
                        error(exchange),
                        "http.request.method",
                        HttpTags.method(exchange.request().method()),
                        "http.response.status_code",
                        response == null ? HttpTags.NONE : HttpTags.status(response.status()),
                        "http.route",
                        route == null ? HttpTags.NONE : route,
                        "network.protocol.version",
                        exchange.request().version().number(),
                        "url.scheme",
                        scheme(exchange.request().peer()));
        Timer.builder("http.server.request.duration")
                .description("Time from the head of a request to the end of its answer")
                .tags(tags)
                .serviceLevelObjectives(HttpTags.buckets())
                .register(registry)
                .record(exchange.time());
        DistributionSummary.builder("http.server.response.body.size")
                .description("Size of answers' bodies")
                .baseUnit("bytes")
                .tags(tags)
                .register(registry)
                .record((double) exchange.bodyBytes());
    }

    private static String error(FinishedExchange exchange) {
        Response response = exchange.response();
        if (!exchange.whole()) {
            return "cut_off";
        }
        return response != null && response.status().code() >= 500
                ? HttpTags.status(response.status())
                : HttpTags.NONE;
    }

    private static String scheme(@Nullable Peer peer) {
        return peer != null && peer.tls() != null ? "https" : "http";
    }
}
