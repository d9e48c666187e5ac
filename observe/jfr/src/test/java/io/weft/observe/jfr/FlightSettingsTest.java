package io.weft.observe.jfr;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.client.HttpClient;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Configuration;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;

class FlightSettingsTest {
    /// Events of one request over TLS on a connection of its own, of both sides.
    private static final Map<String, Integer> EXPECTED =
            Map.of(
                    "io.weft.ConnectionOpened", 2,
                    "io.weft.ConnectionClosed", 2,
                    "io.weft.TlsHandshake", 2,
                    "io.weft.HttpServerRequest", 1,
                    "io.weft.HttpClientRequest", 1,
                    "io.weft.LoopStatistics", 1);

    @Test
    void aStreamOfEventsTellsAboutAServerAtWork() throws Exception {
        Map<String, RecordedEvent> last = new ConcurrentHashMap<>();
        CountDownLatch missing =
                new CountDownLatch(EXPECTED.values().stream().mapToInt(n -> n).sum());
        try (var stream = new RecordingStream(FlightSettings.configuration())) {
            EXPECTED.forEach(
                    (name, count) -> {
                        CountDownLatch left = new CountDownLatch(count);
                        stream.onEvent(
                                name,
                                event -> {
                                    last.put(name, event);
                                    if (left.getCount() > 0) {
                                        left.countDown();
                                        missing.countDown();
                                    }
                                });
                    });
            stream.setReuse(false);
            stream.startAsync();
            TlsIdentity identity = CertificateBuilder.selfSigned("localhost", "127.0.0.1");
            Routes routes =
                    Routes.builder().get("/hello/{name}", r -> Response.text("hello")).build();
            try (HttpServer server =
                    HttpServer.builder()
                            .host(InetAddress.getLoopbackAddress())
                            .port(0)
                            .transport("nio")
                            .loops(1)
                            .tls(TlsContext.server(identity).build())
                            .routes(routes)
                            .listen()) {
                ask(server.address().getPort(), identity);
                assertThat(missing.await(60, TimeUnit.SECONDS)).as("%s", last.keySet()).isTrue();
            }
        }
        RecordedEvent closed = event(last, "io.weft.ConnectionClosed");
        assertThat(closed.getLong("received")).isGreaterThan(500);
        assertThat(closed.getLong("sent")).isGreaterThan(500);
        assertThat(event(last, "io.weft.HttpServerRequest").getString("route"))
                .isEqualTo("/hello/{name}");
        assertThat(event(last, "io.weft.LoopStatistics").getLong("lag")).isNotNegative();
    }

    private static RecordedEvent event(Map<String, RecordedEvent> events, String name) {
        return Objects.requireNonNull(events.get(name), name);
    }

    private static void ask(int port, TlsIdentity identity) throws Exception {
        TlsContext trusting = TlsContext.client().trust(identity.certificate()).build();
        try (HttpClient client = HttpClient.builder().transport("nio").tls(trusting).build()) {
            Response response = client.get("https://127.0.0.1:" + port + "/hello/world");
            assertThat(response.body().asString()).isEqualTo("hello");
        }
    }

    @Test
    void whatIsPrintedIsAFileForJfr() throws Exception {
        PrintStream out = System.out;
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        System.setOut(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try {
            FlightSettings.main();
        } finally {
            System.setOut(out);
        }
        Configuration read =
                Configuration.create(new StringReader(printed.toString(StandardCharsets.UTF_8)));
        assertThat(read.getSettings())
                .isEqualTo(FlightSettings.configuration().getSettings())
                .containsEntry("io.weft.ConnectionClosed#enabled", "true");
    }
}
