package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.HttpClientException.ConnectFailed;
import io.weft.http.client.HttpClientException.TimedOut;
import io.weft.http.model.Body;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.resolver.names.ScriptedResolver;
import io.weft.resolver.names.ServiceEndpoint;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The client goes where records of type HTTPS say (RFC 9460): on the loopback interface, to servers
/// whose ports only records tell.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ServiceBindingTest {
    private static final TlsIdentity IDENTITY = CertificateBuilder.selfSigned("www.example.com");
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    /// For machines that are busy.
    private static final HttpClientLimits LIMITS =
            HttpClientLimits.DEFAULT.withConnectTimeout(Duration.ofSeconds(90));

    private final ScriptedResolver names = new ScriptedResolver();
    private final List<String> requests = new CopyOnWriteArrayList<>();
    private EventLoopGroup group;
    private HttpServer secure;
    private HttpServer plain;

    @BeforeEach
    void start() throws Exception {
        group = EventLoopGroup.create("nio", 1);
        secure = server(TlsContext.server(IDENTITY).applicationProtocols("h2", "http/1.1").build());
        plain = server(null);
    }

    private HttpServer server(@Nullable TlsContext tls) {
        HttpServer.Builder builder =
                HttpServer.builder()
                        .transport("nio")
                        .loops(1)
                        .host(LOOPBACK)
                        .handler(
                                request -> {
                                    String host = request.headers().first("host");
                                    requests.add(
                                            (tls == null ? "http " : "https ")
                                                    + (host == null ? "" : host)
                                                    + request.target());
                                    return Response.text(request.version().toString());
                                });
        return (tls == null ? builder : builder.tls(tls)).listen();
    }

    @AfterEach
    void stop() {
        secure.close();
        plain.close();
        group.close();
    }

    private HttpClient.Builder builder() throws Exception {
        return HttpClient.builder()
                .group(group)
                .limits(LIMITS)
                .tls(
                        TlsContext.client()
                                .trust(IDENTITY.certificate())
                                .applicationProtocols("h2", "http/1.1")
                                .build())
                .bootstrap(b -> b.resolver(names));
    }

    private ServiceEndpoint securePlace(String host, InetAddress... hints) {
        return new ServiceEndpoint(
                host, secure.address().getPort(), List.of("h2", "http/1.1"), List.of(hints));
    }

    @Test
    void goesToThePlaceAndPortOfTheRecord() throws Exception {
        names.serves("www.example.com", 443, Duration.ZERO, securePlace("pool.example.net."))
                .answers("pool.example.net.", LOOPBACK.getHostAddress());
        try (HttpClient client = builder().build()) {
            assertThat(client.get("https://www.example.com/a").body().asString())
                    .isEqualTo("HTTP/2");
        }
        // The authority is that of the origin (RFC 9460, 9.4).
        assertThat(requests).singleElement().asString().endsWith("/a");
        assertThat(names.asked()).contains("pool.example.net.");
    }

    @Test
    void hintsDoWithoutAddresses() throws Exception {
        names.serves(
                "www.example.com",
                443,
                Duration.ofMillis(5),
                securePlace("www.example.com.", LOOPBACK));
        names.host("www.example.com").at(Duration.ofHours(1)).ends();
        try (HttpClient client = builder().build()) {
            assertThat(client.get("https://www.example.com/").body().asString())
                    .isEqualTo("HTTP/2");
        }
    }

    @Test
    void certificateIsThatOfTheOriginWhateverThePlaceIsCalled() throws Exception {
        names.serves("other.example.com", 443, Duration.ZERO, securePlace("www.example.com."))
                .answers("www.example.com.", LOOPBACK.getHostAddress());
        try (HttpClient client = builder().build()) {
            assertThatThrownBy(() -> client.get("https://other.example.com/"))
                    .isInstanceOf(ConnectFailed.class)
                    .hasMessageContaining("other.example.com");
        }
        assertThat(requests).isEmpty();
    }

    @Test
    void httpGoesByHttpsWhereThereAreRecords() throws Exception {
        names.serves("www.example.com", 443, Duration.ofMillis(5), securePlace("pool."))
                .answers("pool.", LOOPBACK.getHostAddress());
        try (HttpClient client = builder().build()) {
            Request request = Request.post("http://www.example.com/a?b=c", Body.of("text"));
            assertThat(client.send(request).body().asString()).isEqualTo("HTTP/2");
            assertThat(client.get("http://www.example.com:80/").body().asString())
                    .isEqualTo("HTTP/2");
        }
        assertThat(requests).hasSize(2).allMatch(line -> line.startsWith("https "));
        assertThat(requests.getFirst()).endsWith("/a?b=c");
    }

    @Test
    void portOfHttpStaysWhereItIsNot80() throws Exception {
        int port = secure.address().getPort();
        names.serves("www.example.com", port, Duration.ZERO, securePlace("www.example.com."))
                .answers("www.example.com", LOOPBACK.getHostAddress());
        try (HttpClient client = builder().build()) {
            client.get("http://www.example.com:" + port + "/");
        }
        assertThat(requests).singleElement().asString().startsWith("https ").endsWith("/");
    }

    @Test
    void httpWithoutRecordsStaysHttp() throws Exception {
        int port = plain.address().getPort();
        names.serves("www.example.com", 443, Duration.ZERO, securePlace("www.example.com."))
                .answers("plain.example.com", LOOPBACK.getHostAddress());
        try (HttpClient client = builder().build()) {
            client.get("http://plain.example.com:" + port + "/");
        }
        assertThat(requests).containsExactly("http plain.example.com:" + port + "/");
    }

    @Test
    void recordsThatDoNotComeDoNotKeepHttpBack() throws Exception {
        int port = plain.address().getPort();
        names.serves("plain.example.com", port, Duration.ofHours(1), securePlace("x."))
                .answers("plain.example.com", LOOPBACK.getHostAddress());
        try (HttpClient client = builder().build()) {
            client.get("http://plain.example.com:" + port + "/");
        }
        assertThat(requests).hasSize(1);
    }

    @Test
    void callEndsWhileItWaitsForRecords() throws Exception {
        names.serves("www.example.com", 443, Duration.ofHours(1), securePlace("x."));
        HttpClientLimits limits = LIMITS.withTotalTimeout(Duration.ofMillis(50));
        try (HttpClient client = builder().limits(limits).build()) {
            assertThatThrownBy(() -> client.get("http://www.example.com/"))
                    .isInstanceOf(TimedOut.class);
            CompletableFuture<Response> sent =
                    client.sendAsync(Request.get("http://www.example.com/"));
            sent.cancel(true);
            assertThat(sent).isCancelled();
        }
        assertThat(names.asked()).isEmpty();
    }

    @Test
    void placeThatOnlySpeaksOtherProtocolsIsPassedOver() throws Exception {
        int port = secure.address().getPort();
        names.serves(
                        "www.example.com",
                        port,
                        Duration.ZERO,
                        new ServiceEndpoint("quic.", 1, List.of("h3"), List.of(LOOPBACK)))
                .answers("www.example.com", LOOPBACK.getHostAddress());
        try (HttpClient client = builder().build()) {
            assertThat(client.get("https://www.example.com:" + port + "/").body().asString())
                    .isEqualTo("HTTP/2");
        }
        assertThat(names.asked()).containsExactly("www.example.com");
    }

    @Test
    void clientMayDoWithoutRecords() throws Exception {
        int port = secure.address().getPort();
        names.serves("www.example.com", port, Duration.ZERO, securePlace("nowhere."))
                .answers("www.example.com", LOOPBACK.getHostAddress());
        try (HttpClient client = builder().withoutServiceBinding().build()) {
            client.get("https://www.example.com:" + port + "/");
        }
        assertThat(names.asked()).containsExactly("www.example.com");
    }

    @Test
    void proxyIsAskedForTheOriginItself() throws Exception {
        int port = plain.address().getPort();
        names.serves("www.example.com", 443, Duration.ZERO, securePlace("nowhere."))
                .answers("proxy.example.com", LOOPBACK.getHostAddress());
        HttpProxy proxy = new HttpProxy("proxy.example.com", port);
        try (HttpClient client = builder().proxy(proxy).build()) {
            client.get("http://www.example.com/");
        }
        assertThat(requests).singleElement().asString().startsWith("http ");
        assertThat(names.asked()).containsExactly("proxy.example.com");
    }
}
