package io.weft.observe.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientException;
import io.weft.http.model.HttpException;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpFilter;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;
import io.weft.testkit.Warns;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Spans of a server and a client at work, as an exporter of the SDK gets them.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class TracingTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetrySdk telemetry =
            OpenTelemetrySdk.builder()
                    .setTracerProvider(
                            SdkTracerProvider.builder()
                                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                                    .build())
                    .setPropagators(
                            ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                    .build();
    private final HttpServerTracing tracing = new HttpServerTracing(telemetry);

    private HttpServer server(HttpServerTracing filter, HttpFilter... more) {
        HttpServer.Builder builder =
                HttpServer.builder()
                        .host(InetAddress.getLoopbackAddress())
                        .port(0)
                        .transport("nio")
                        .loops(1)
                        .filter(filter);
        List.of(more).forEach(builder::filter);
        return builder.routes(
                        Routes.builder()
                                .get("/users/{id}")
                                .blocking(
                                        filter.traced(
                                                _ ->
                                                        Response.text(
                                                                Span.current()
                                                                        .getSpanContext()
                                                                        .getSpanId())))
                                .get("/broken")
                                .handler(
                                        _ -> {
                                            throw new IllegalStateException("on purpose");
                                        })
                                .build())
                .listen();
    }

    private static HttpClient client() {
        return HttpClient.builder().transport("nio").loops(1).build();
    }

    private SpanData only(SpanKind kind) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getKind() == kind)
                .reduce(
                        (a, b) -> {
                            throw new AssertionError("two spans: " + a + ", " + b);
                        })
                .orElseThrow();
    }

    @Test
    void spanOfAServerIsTheChildOfTheClients() throws Exception {
        String seen;
        Span outer = telemetry.getTracer("test").spanBuilder("outer").startSpan();
        try (HttpServer server = server(tracing);
                HttpClient client = client();
                var _ = outer.makeCurrent()) {
            String url = "http://127.0.0.1:" + server.address().getPort() + "/users/7?token=secret";
            var traced = new TracedHttpClient(client, telemetry);
            seen = traced.sendAsync(Request.get(url)).get().body().asString();
        }
        SpanData of = only(SpanKind.SERVER);
        SpanData from = only(SpanKind.CLIENT);
        assertThat(from.getParentSpanId()).isEqualTo(outer.getSpanContext().getSpanId());
        assertThat(of.getParentSpanId()).isEqualTo(from.getSpanId());
        assertThat(of.getTraceId()).isEqualTo(outer.getSpanContext().getTraceId());
        assertThat(seen).as("the handler's current span").isEqualTo(of.getSpanId());
        assertThat(of.getName()).isEqualTo("GET /users/{id}");
        assertThat(of.getAttributes().get(HttpAttributes.ROUTE)).isEqualTo("/users/{id}");
        assertThat(of.getAttributes().get(HttpAttributes.STATUS)).isEqualTo(200);
        assertThat(of.getAttributes().get(HttpAttributes.URL_PATH)).isEqualTo("/users/7");
        assertThat(of.getAttributes().get(HttpAttributes.URL_SCHEME)).isEqualTo("http");
        assertThat(of.getAttributes().get(HttpAttributes.PROTOCOL_VERSION)).isEqualTo("1.1");
        assertThat(of.getAttributes().get(HttpAttributes.CLIENT_ADDRESS)).isEqualTo("127.0.0.1");
        assertThat(from.getName()).isEqualTo("GET");
        assertThat(from.getAttributes().get(HttpAttributes.SERVER_ADDRESS)).isEqualTo("127.0.0.1");
        assertThat(from.getAttributes().get(HttpAttributes.STATUS)).isEqualTo(200);
        assertThat(of.toString() + from).doesNotContain("secret");
        assertThat(tracing.open()).isZero();
    }

    @Test
    void callersOfOtherLibrariesAreParents() throws Exception {
        try (HttpServer server = server(tracing);
                HttpClient client = client()) {
            String url = "http://127.0.0.1:" + server.address().getPort() + "/users/7";
            client.send(Request.get(url).withHeader("traceparent", PARENT));
        }
        assertThat(only(SpanKind.SERVER).getTraceId())
                .isEqualTo("0af7651916cd43dd8448eb211c80319c");
        assertThat(only(SpanKind.SERVER).getParentSpanId()).isEqualTo("b7ad6b7169203331");
    }

    @ParameterizedTest
    @CsvSource({
        "example.org:8080, example.org, 8080",
        "example.org, example.org, ",
        "[::1]:8080, [::1], 8080",
        "[::1], [::1], ",
    })
    void nameAndPortOfTheServerAreApart(String host, String name, @Nullable Long port)
            throws Exception {
        try (HttpServer server = server(tracing);
                HttpClient client = client()) {
            String url = "http://127.0.0.1:" + server.address().getPort() + "/users/7";
            client.send(Request.get(url).withHeader("host", host));
        }
        Attributes of = only(SpanKind.SERVER).getAttributes();
        assertThat(of.get(HttpAttributes.SERVER_ADDRESS)).isEqualTo(name);
        assertThat(of.get(HttpAttributes.SERVER_PORT)).isEqualTo(port);
    }

    @Test
    void requestWithoutARouteHasASpan() throws Exception {
        try (HttpServer server = server(tracing);
                HttpClient client = client()) {
            var traced = new TracedHttpClient(client, telemetry);
            String url = "http://127.0.0.1:" + server.address().getPort() + "/nowhere";
            try (var response = traced.openAsync(Request.get(url)).get()) {
                assertThat(response.status()).isEqualTo(Status.NOT_FOUND);
            }
        }
        SpanData of = only(SpanKind.SERVER);
        assertThat(of.getName()).isEqualTo("GET");
        assertThat(of.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(only(SpanKind.CLIENT).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(of.getParentSpanId()).isEqualTo(only(SpanKind.CLIENT).getSpanId());
        assertThat(tracing.open()).isZero();
    }

    @Test
    @Warns
    void failureOfAHandlerIsAnError() throws Exception {
        try (HttpServer server = server(tracing);
                HttpClient client = client()) {
            client.get("http://127.0.0.1:" + server.address().getPort() + "/broken");
        }
        SpanData of = only(SpanKind.SERVER);
        assertThat(of.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(of.getAttributes().get(HttpAttributes.ERROR)).isEqualTo("500");
    }

    @Test
    void refusalByALaterFilterLeavesNoSpanOpen() throws Exception {
        HttpFilter refuses =
                new HttpFilter() {
                    @Override
                    public Request adapt(Request request) {
                        throw new HttpException(Status.BAD_REQUEST, "no");
                    }
                };
        try (HttpServer server = server(tracing, refuses);
                HttpClient client = client()) {
            client.get("http://127.0.0.1:" + server.address().getPort() + "/users/7");
        }
        assertThat(only(SpanKind.SERVER).getAttributes().get(HttpAttributes.STATUS)).isEqualTo(400);
        assertThat(tracing.open()).isZero();
    }

    @Test
    void callThatFailsIsAnError() throws Exception {
        int port;
        try (HttpServer server = server(tracing)) {
            port = server.address().getPort();
        }
        try (HttpClient client = client()) {
            var call =
                    new TracedHttpClient(client, telemetry)
                            .sendAsync(Request.get("http://127.0.0.1:" + port + "/"));
            assertThatThrownBy(call::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(HttpClientException.class);
        }
        assertThat(only(SpanKind.CLIENT).getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(only(SpanKind.CLIENT).getAttributes().get(HttpAttributes.ERROR))
                .startsWith("io.weft.http.client.");
    }

    @Test
    void withoutATracerRequestsStayAsTheyAre() throws Exception {
        var none = new HttpServerTracing(OpenTelemetry.noop());
        try (HttpServer server = server(none);
                HttpClient client = client()) {
            String url = "http://127.0.0.1:" + server.address().getPort() + "/users/7";
            var response =
                    new TracedHttpClient(client, OpenTelemetry.noop()).sendAsync(Request.get(url));
            assertThat(response.get().body().asString()).isEqualTo("0000000000000000");
        }
        assertThat(none.open()).isZero();
    }
}
