package io.weft.observe.opentelemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.google.protobuf.ByteString;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.propagation.ContextPropagators;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.ScopeSpans;
import io.opentelemetry.proto.trace.v1.Span;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.weft.http.client.HttpClient;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.Decompression;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Spans as a collector gets them: the SDK's exporter sends them by OTLP to a receiver that is made
/// of the official definitions, on a server of ours.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OtlpTest {
    private final ConcurrentLinkedQueue<ResourceSpans> received = new ConcurrentLinkedQueue<>();

    private static HttpServer.Builder server() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .port(0)
                .transport("nio")
                .loops(1);
    }

    /// As of the specification of OTLP/HTTP: protobuf to this path, plain or by gzip.
    private HttpServer receiver() {
        Routes routes = Routes.builder().post("/v1/traces").blocking(this::receive).build();
        return server().filter(Decompression.DEFAULT).routes(routes).listen();
    }

    private Response receive(Request request) throws IOException {
        if (!"application/x-protobuf".equals(request.headers().first("content-type"))) {
            return Response.of(Status.of(415));
        }
        byte[] body = request.body().asInputStream().readAllBytes();
        received.addAll(ExportTraceServiceRequest.parseFrom(body).getResourceSpansList());
        return Response.of(
                Status.OK,
                Headers.of("content-type", "application/x-protobuf"),
                Body.of(ExportTraceServiceResponse.getDefaultInstance().toByteArray()));
    }

    private static OpenTelemetrySdk telemetry(HttpServer receiver, String compression) {
        String endpoint = "http://127.0.0.1:" + receiver.address().getPort() + "/v1/traces";
        var exporter =
                OtlpHttpSpanExporter.builder()
                        .setEndpoint(endpoint)
                        .setCompression(compression)
                        .setTimeout(60, TimeUnit.SECONDS)
                        .build();
        var name = AttributeKey.stringKey("service.name");
        return OpenTelemetrySdk.builder()
                .setTracerProvider(
                        SdkTracerProvider.builder()
                                .setResource(Resource.builder().put(name, "shop").build())
                                .addSpanProcessor(BatchSpanProcessor.builder(exporter).build())
                                .build())
                .setPropagators(ContextPropagators.create(W3CTraceContextPropagator.getInstance()))
                .build();
    }

    private Span only(Span.SpanKind kind) {
        List<Span> spans =
                received.stream()
                        .flatMap(resource -> resource.getScopeSpansList().stream())
                        .map(ScopeSpans::getSpansList)
                        .flatMap(List::stream)
                        .filter(span -> span.getKind() == kind)
                        .toList();
        assertThat(spans).hasSize(1);
        return spans.getFirst();
    }

    /// Attributes by their names in the conventions.
    private static Map<String, Object> attributes(List<KeyValue> attributes) {
        return attributes.stream()
                .collect(Collectors.toMap(KeyValue::getKey, a -> value(a.getValue())));
    }

    private static Object value(AnyValue value) {
        return value.hasIntValue() ? (Object) value.getIntValue() : value.getStringValue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "gzip"})
    void collectorGetsTheSpansOfBothEnds(String compression) throws Exception {
        long port;
        try (HttpServer receiver = receiver();
                OpenTelemetrySdk telemetry = telemetry(receiver, compression)) {
            var tracing = new HttpServerTracing(telemetry);
            Routes routes =
                    Routes.builder().get("/users/{id}", _ -> Response.text("hello")).build();
            try (HttpServer shop = server().filter(tracing).routes(routes).listen();
                    HttpClient client = HttpClient.builder().transport("nio").loops(1).build()) {
                port = shop.address().getPort();
                String url = "http://127.0.0.1:" + port + "/users/7?token=secret";
                var traced = new TracedHttpClient(client, telemetry);
                Request request = Request.get(url).withHeader("user-agent", "test/1");
                assertThat(traced.sendAsync(request).get().body().asString()).isEqualTo("hello");
            }
            // The server has closed, so that the span of its request has ended.
            assertThat(
                            telemetry
                                    .getSdkTracerProvider()
                                    .forceFlush()
                                    .join(60, TimeUnit.SECONDS)
                                    .isSuccess())
                    .isTrue();
        }
        assertThat(received)
                .allSatisfy(
                        resource ->
                                assertThat(attributes(resource.getResource().getAttributesList()))
                                        .containsEntry("service.name", "shop"));
        Span from = only(Span.SpanKind.SPAN_KIND_CLIENT);
        Span of = only(Span.SpanKind.SPAN_KIND_SERVER);
        assertThat(of.getParentSpanId()).isEqualTo(from.getSpanId());
        assertThat(of.getTraceId()).isEqualTo(from.getTraceId()).isNotEqualTo(ByteString.EMPTY);
        assertThat(of.getName()).isEqualTo("GET /users/{id}");
        assertThat(of.getEndTimeUnixNano()).isGreaterThanOrEqualTo(of.getStartTimeUnixNano());
        assertThat(of.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
        assertThat(attributes(of.getAttributesList()))
                .containsKey("network.peer.port")
                .contains(
                        entry("http.request.method", "GET"),
                        entry("http.route", "/users/{id}"),
                        entry("http.response.status_code", 200L),
                        entry("url.path", "/users/7"),
                        entry("url.scheme", "http"),
                        entry("server.address", "127.0.0.1"),
                        entry("server.port", port),
                        entry("client.address", "127.0.0.1"),
                        entry("network.peer.address", "127.0.0.1"),
                        entry("network.protocol.version", "1.1"),
                        entry("user_agent.original", "test/1"));
        assertThat(from.getName()).isEqualTo("GET");
        assertThat(attributes(from.getAttributesList()))
                .contains(
                        entry("http.request.method", "GET"),
                        entry("http.response.status_code", 200L),
                        entry("url.full", "http://127.0.0.1:" + port + "/users/7"),
                        entry("server.address", "127.0.0.1"),
                        entry("server.port", port));
        assertThat(received.toString()).doesNotContain("secret");
    }
}
