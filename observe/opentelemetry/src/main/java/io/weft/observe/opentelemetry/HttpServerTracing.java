package io.weft.observe.opentelemetry;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.FinishedExchange;
import io.weft.http.server.HttpFilter;
import io.weft.http.server.HttpHandler;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Makes a span of each request of a server, by OpenTelemetry's conventions for HTTP. The caller's
/// span, which the request names, is its parent.
///
/// ```java
/// var tracing = new HttpServerTracing(openTelemetry);
/// HttpServer.builder().filter(tracing).blocking(tracing.traced(handler)).listen();
/// ```
///
/// A request that reaches its handler has the span in its field `traceparent`, in place of the
/// caller's, so that [#context] finds it on any thread. [#traced] makes it the current one of the
/// handler's thread. The span ends with the answer. A request that a filter answered, or that no
/// route took, has a span that is made then.
///
/// Attributes have no query, as it may have secrets. Only an answer of 5xx, and one that was cut
/// off, are errors. Thread: any.
public final class HttpServerTracing implements HttpFilter {
    static final String NAME = "io.weft.http.server";
    private static final String TRACEPARENT = "traceparent";

    private final Tracer tracer;
    private final TextMapPropagator propagator;

    /// Spans of requests that handlers have, by the field that names them.
    private final Map<String, Context> open = new ConcurrentHashMap<>();

    /// Makes a filter whose spans go to a tracer of `telemetry`.
    public HttpServerTracing(OpenTelemetry telemetry) {
        tracer = telemetry.getTracer(NAME);
        propagator = telemetry.getPropagators().getTextMapPropagator();
    }

    /// Returns a handler that runs with the request's span as the current one.
    ///
    /// @param handler answers at once or blocks. What it starts on other threads has no current
    ///     span there unless it takes it along, by [#context]
    public HttpHandler traced(HttpHandler handler) {
        return request -> {
            try (var _ = context(request).makeCurrent()) {
                return handler.handle(request);
            }
        };
    }

    /// Returns the context of a request that a handler has, with its span; the root if there is
    /// none.
    public Context context(Request request) {
        String name = request.headers().first(TRACEPARENT);
        Context context = name == null ? null : open.get(name);
        return context == null ? Context.root() : context;
    }

    /// The number of spans that are open.
    int open() {
        return open.size();
    }

    private Context parent(Request request) {
        return propagator.extract(Context.root(), request, RequestGetter.INSTANCE);
    }

    private SpanBuilder span(Request request, Context parent) {
        return tracer.spanBuilder(HttpAttributes.method(request))
                .setSpanKind(SpanKind.SERVER)
                .setParent(parent)
                .setAllAttributes(HttpAttributes.ofServer(request));
    }

    @Override
    public Request adapt(Request request) {
        Context parent = parent(request);
        Span span = span(request, parent).startSpan();
        if (!span.getSpanContext().isValid()) {
            return request; // nobody takes spans
        }
        Context context = parent.with(span);
        Request[] changed = {request};
        W3CTraceContextPropagator.getInstance()
                .inject(context, changed, HttpServerTracing::setField);
        String name = changed[0].headers().first(TRACEPARENT);
        if (name != null) {
            open.put(name, context);
        }
        return changed[0];
    }

    /// Sets a field of a request that a propagator asks for.
    static void setField(Request @Nullable [] to, String name, String value) {
        if (to != null) {
            to[0] = to[0].withHeader(name, value);
        }
    }

    @Override
    public void finished(FinishedExchange exchange) {
        Request request = exchange.request();
        Instant now = Instant.now();
        String name = request.headers().first(TRACEPARENT);
        Context context = name == null ? null : open.remove(name);
        Span span =
                context != null
                        ? Span.fromContext(context)
                        : span(request, parent(request))
                                .setStartTimestamp(now.minus(exchange.time()))
                                .startSpan();
        end(span, exchange, now);
    }

    private static void end(Span span, FinishedExchange exchange, Instant now) {
        String route = exchange.route();
        if (route != null) {
            span.setAttribute(HttpAttributes.ROUTE, route);
            span.updateName(HttpAttributes.method(exchange.request()) + " " + route);
        }
        Response response = exchange.response();
        int status = response == null ? 0 : response.status().code();
        if (status != 0) {
            span.setAttribute(HttpAttributes.STATUS, (long) status);
        }
        String error = error(status, exchange.whole());
        if (error != null) {
            span.setAttribute(HttpAttributes.ERROR, error);
            span.setStatus(StatusCode.ERROR);
        }
        span.end(now);
    }

    private static @Nullable String error(int status, boolean whole) {
        if (!whole) {
            return "cut_off";
        }
        return status >= 500 ? Integer.toString(status) : null;
    }
}
