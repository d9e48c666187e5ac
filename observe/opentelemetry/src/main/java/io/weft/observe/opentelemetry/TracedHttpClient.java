package io.weft.observe.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.weft.http.client.HttpClient;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Makes a span of each request of a client, by OpenTelemetry's conventions for HTTP, and names it
/// to the server in the request's fields. Its parent is the current span of the calling thread.
///
/// ```java
/// var traced = new TracedHttpClient(client, openTelemetry);
/// Response response = traced.sendAsync(Request.get("https://example.org/")).get();
/// ```
///
/// A span is one call, with its redirects and repetitions; it ends with the response, or with the
/// head of one that is streamed. Attributes have no query, as it may have secrets. Answers of 4xx
/// and 5xx are errors. Thread: any.
public final class TracedHttpClient {
    private static final String NAME = "io.weft.http.client";

    private final HttpClient client;
    private final Tracer tracer;
    private final TextMapPropagator propagator;

    /// @param client stays the caller's to close
    public TracedHttpClient(HttpClient client, OpenTelemetry telemetry) {
        this.client = client;
        tracer = telemetry.getTracer(NAME);
        propagator = telemetry.getPropagators().getTextMapPropagator();
    }

    /// Sends a request as [HttpClient#sendAsync] does.
    public CompletableFuture<Response> sendAsync(Request request) {
        return follow(request, client::sendAsync, Response::status);
    }

    /// Sends a request as [HttpClient#openAsync] does.
    public CompletableFuture<StreamedResponse> openAsync(Request request) {
        return follow(request, client::openAsync, StreamedResponse::status);
    }

    private <R> CompletableFuture<R> follow(
            Request request,
            Function<Request, CompletableFuture<R>> call,
            Function<R, Status> status) {
        Context parent = Context.current();
        Span span =
                tracer.spanBuilder(HttpAttributes.method(request))
                        .setSpanKind(SpanKind.CLIENT)
                        .setParent(parent)
                        .setAllAttributes(HttpAttributes.ofClient(request))
                        .startSpan();
        Request[] named = {request};
        propagator.inject(parent.with(span), named, HttpServerTracing::setField);
        CompletableFuture<R> response;
        try {
            response = call.apply(named[0]);
        } catch (RuntimeException e) {
            end(span, null, e);
            throw e;
        }
        var _ =
                response.whenComplete(
                        (answer, cause) ->
                                end(span, answer == null ? null : status.apply(answer), cause));
        return response;
    }

    private static void end(Span span, @Nullable Status status, @Nullable Throwable cause) {
        if (status != null) {
            span.setAttribute(HttpAttributes.STATUS, (long) status.code());
            if (status.code() >= 400) {
                span.setAttribute(HttpAttributes.ERROR, Integer.toString(status.code()));
                span.setStatus(StatusCode.ERROR);
            }
        } else if (cause != null) {
            Throwable failure =
                    cause instanceof CompletionException && cause.getCause() != null
                            ? cause.getCause()
                            : cause;
            span.setAttribute(HttpAttributes.ERROR, failure.getClass().getName());
            span.setStatus(StatusCode.ERROR, String.valueOf(failure.getMessage()));
        }
        span.end();
    }
}
