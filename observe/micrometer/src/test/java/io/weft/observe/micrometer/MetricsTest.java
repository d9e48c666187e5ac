package io.weft.observe.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientException;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Metrics of a server and a client at work, as Prometheus gets them.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class MetricsTest {
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private HttpServer server() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .port(0)
                .transport("nio")
                .loops(1)
                .filter(new HttpServerMetrics(registry))
                .routes(Routes.builder().get("/users/{id}", _ -> Response.text("me")).build())
                .listen();
    }

    private PrometheusText scrape() {
        return PrometheusText.parse(registry.scrape());
    }

    @Test
    void requestsAreCountedByRouteMethodAndStatus() throws Exception {
        HttpServer server = server();
        try (server;
                HttpClient client = HttpClient.builder().transport("nio").loops(1).build()) {
            String origin = "http://127.0.0.1:" + server.address().getPort();
            client.get(origin + "/users/1");
            client.get(origin + "/users/2");
            client.get(origin + "/nowhere");
            client.send(Request.of(Method.of("BREW"), RequestTarget.of(origin + "/users/1")));
        }
        PrometheusText text = scrape();
        String count = "http_server_request_duration_seconds_count";
        assertThat(
                        text.value(
                                count,
                                "http_request_method",
                                "GET",
                                "http_route",
                                "/users/{id}",
                                "http_response_status_code",
                                "200",
                                "network_protocol_version",
                                "1.1",
                                "url_scheme",
                                "http",
                                "error_type",
                                "none"))
                .isEqualTo(2);
        for (String bound : List.of("0.005", "0.075", "0.75", "7.5", "10.0", "+Inf")) {
            String bucket = "http_server_request_duration_seconds_bucket";
            assertThat(text.value(bucket, "le", bound, "http_response_status_code", "404"))
                    .isNotNegative();
        }
        assertThat(text.value(count, "http_route", "none", "http_response_status_code", "404"))
                .isEqualTo(1);
        assertThat(text.value(count, "http_request_method", "_OTHER")).isEqualTo(1);
        assertThat(
                        text.value(
                                "http_server_response_body_size_bytes_sum",
                                "http_response_status_code",
                                "200"))
                .isEqualTo(4);
    }

    @Test
    void callsOfAClientAreTimedByStatusAndFailure() throws Exception {
        HttpClientMetrics metrics = new HttpClientMetrics(registry);
        int port;
        try (HttpServer server = server();
                HttpClient client = HttpClient.builder().transport("nio").loops(1).build()) {
            port = server.address().getPort();
            Request request = Request.get("http://127.0.0.1:" + port + "/users/1");
            metrics.follow(request, client.sendAsync(request)).get();
            metrics.follow(request, client.openAsync(request)).get().close();
        }
        Request late = Request.get("http://127.0.0.1:" + port + "/");
        try (HttpClient client = HttpClient.builder().transport("nio").loops(1).build()) {
            var call = metrics.follow(late, client.sendAsync(late));
            assertThatThrownBy(call::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(HttpClientException.class);
        }
        PrometheusText text = scrape();
        String count = "http_client_request_duration_seconds_count";
        assertThat(
                        text.value(
                                count,
                                "server_address",
                                "127.0.0.1",
                                "server_port",
                                "" + port,
                                "http_response_status_code",
                                "200",
                                "error_type",
                                "none"))
                .isEqualTo(2);
        String failure = HttpClientException.ConnectFailed.class.getName();
        assertThat(text.value(count, "http_response_status_code", "none", "error_type", failure))
                .isEqualTo(1);
    }

    @Test
    void loopsAndBuffersHaveMeters() {
        try (EventLoopGroup group = EventLoopGroup.create("nio", 2)) {
            new LoopMetrics(group, "main").bindTo(registry);
            new BufferMetrics().bindTo(registry);
            group.next().submit(() -> 1).join();
            group.next().submit(() -> 2).join();
            PrometheusText text = scrape();
            for (String loop : new String[] {"0", "1"}) {
                assertThat(text.value("weft_loop_tasks_total", "group", "main", "loop", loop))
                        .isPositive();
                assertThat(text.value("weft_loop_tasks_pending", "loop", loop)).isNotNegative();
                assertThat(text.value("weft_loop_lag_seconds", "loop", loop)).isNotNegative();
            }
            assertThat(text.value("weft_buffer_limit_bytes")).isPositive();
            assertThat(text.value("weft_buffer_reserved_bytes"))
                    .isLessThanOrEqualTo(text.value("weft_buffer_limit_bytes"));
        }
    }
}
