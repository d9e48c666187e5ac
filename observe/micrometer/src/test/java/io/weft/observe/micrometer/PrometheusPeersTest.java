package io.weft.observe.micrometer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.HttpClient;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Metrics, as the parser of Prometheus' own client for Python reads them over HTTP.
@EnabledIfSystemProperty(named = "peers", matches = "true")
class PrometheusPeersTest {
    private static final String READ =
            """
            import sys, urllib.request
            from prometheus_client.parser import text_string_to_metric_families
            text = urllib.request.urlopen(sys.argv[1], timeout=60).read().decode()
            for family in text_string_to_metric_families(text):
                for sample in family.samples:
                    print(family.type, sample.name, sorted(sample.labels.items()), sample.value)
            """;

    @TempDir Path directory;

    private String run(String... command) throws IOException, InterruptedException {
        Path said = Files.createTempFile(directory, "said", "");
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(said.toFile())
                        .start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return process.exitValue() == 0 ? Files.readString(said, UTF_8) : "";
    }

    @Test
    void prometheusReadsAllMetrics() throws Exception {
        assumeTrue(
                run("python3", "-c", "import prometheus_client; print('there')").contains("there"),
                "prometheus-client is not there (dev/install-peers.sh installs it)");
        var registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        new BufferMetrics().bindTo(registry);
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1);
                HttpServer server =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .port(0)
                                .transport("nio")
                                .filter(new HttpServerMetrics(registry))
                                .handler(_ -> Response.text(registry.scrape()))
                                .listen();
                HttpClient client = HttpClient.builder().group(group).build()) {
            new LoopMetrics(group, "main").bindTo(registry);
            String url = "http://127.0.0.1:" + server.address().getPort() + "/metrics";
            client.get(url);
            assertThat(run("python3", "-c", READ, url))
                    .contains(
                            "histogram http_server_request_duration_seconds_count"
                                    + " [('error_type', 'none'), ('http_request_method', 'GET'),"
                                    + " ('http_response_status_code', '200'),"
                                    + " ('http_route', 'none'),"
                                    + " ('network_protocol_version', '1.1'),"
                                    + " ('url_scheme', 'http')] 1")
                    .contains("counter weft_loop_tasks_total [('group', 'main'), ('loop', '0')]")
                    .contains("gauge weft_buffer_limit_bytes [] ");
        }
    }
}
