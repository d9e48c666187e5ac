package io.weft.resolver.doh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.rdata.A;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import io.weft.resolver.dns.DnsAnswer;
import io.weft.resolver.dns.DnsResolver;
import io.weft.resolver.dns.DnsServer;
import io.weft.resolver.dns.ResolveException;
import io.weft.resolver.dns.ResolverConfig;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// DNS over HTTPS with the HTTP server, on the loopback interface.
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DohTransportTest {
    private static final TlsIdentity IDENTITY =
            CertificateBuilder.selfSigned("localhost", "127.0.0.1");
    private static final DnsName NAME = DnsName.parse("www.example.com.");

    /// For machines that are busy: the first query waits for TLS to be loaded.
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private volatile Function<DnsMessage, Response> answering = DohTransportTest::good;
    private EventLoopGroup group;
    private HttpServer server;
    private HttpClient client;
    private String uri;

    @BeforeEach
    void start() throws Exception {
        group = EventLoopGroup.create("nio", 1);
        server =
                HttpServer.builder()
                        .transport("nio")
                        .loops(1)
                        .port(0)
                        .tls(TlsContext.server(IDENTITY).build())
                        .handler(this::handle)
                        .listen();
        client =
                HttpClient.builder()
                        .group(group)
                        .limits(HttpClientLimits.DEFAULT.withConnectTimeout(PATIENCE))
                        .tls(TlsContext.client().trust(IDENTITY.certificate()).build())
                        .build();
        uri = "https://127.0.0.1:" + server.address().getPort() + "/dns-query";
    }

    @AfterEach
    void stop() {
        client.close();
        server.close();
        group.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private Response handle(Request request) {
        requests.add(request);
        byte[] octets =
                request.body() instanceof Body.Bytes bytes && bytes.length() > 0
                        ? bytes.toByteArray()
                        : Base64.getUrlDecoder().decode(request.query().first("dns"));
        try (Buffer in = BufferAllocator.pooled().allocate(octets.length)) {
            in.writeBytes(octets);
            return answering.apply(DnsDecoder.datagrams().message(in));
        }
    }

    private static Response good(DnsMessage query) {
        return of(
                query.response(ResponseCode.NOERROR, List.of(new DnsRecord(NAME, 100, new A(1)))));
    }

    private static Response of(DnsMessage message) {
        try (Output out = new Output()) {
            DnsEncoder.datagrams(65_535).encode(message, out);
            byte[] octets = new byte[(int) out.size()];
            out.drain(
                    buffer -> {
                        try (buffer) {
                            buffer.readBytes(octets);
                        }
                    });
            return Response.of(
                    Status.OK,
                    Headers.builder().add(HeaderName.CONTENT_TYPE, DohTransport.MEDIA_TYPE).build(),
                    Body.of(octets));
        }
    }

    private DnsAnswer ask(DohTransport transport) {
        return ask(transport, PATIENCE);
    }

    private DnsAnswer ask(DohTransport transport, Duration patience) {
        try (DnsResolver resolver =
                DnsResolver.builder(group)
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(transport.server()))
                                        .timeout(patience)
                                        .attempts(1))
                        .build()) {
            return resolver.resolve(NAME, RecordType.A).join();
        }
    }

    @Test
    void asksByPost() {
        assertThat(ask(DohTransport.post(client, uri)).records()).hasSize(1);
        Request request = requests.getFirst();
        assertThat(request.method()).hasToString("POST");
        assertThat(request.headers().first(HeaderName.CONTENT_TYPE))
                .isEqualTo(DohTransport.MEDIA_TYPE);
        assertThat(request.headers().first(HeaderName.ACCEPT)).isEqualTo(DohTransport.MEDIA_TYPE);
        assertThat(((Body.Bytes) request.body()).length()).as("padded").isEqualTo(128);
    }

    @Test
    void asksByGetWithEqualRequestsForEqualQuestions() {
        DohTransport transport = DohTransport.get(client, uri + "{?dns}");
        assertThat(ask(transport).records()).hasSize(1);
        assertThat(ask(transport).records()).hasSize(1);
        assertThat(requests).hasSize(2);
        assertThat(requests.get(0).target()).isEqualTo(requests.get(1).target());
    }

    @Test
    void ageIsTakenOffTheTimesToLive() {
        answering = query -> good(query).withHeader("Age", "40");
        assertThat(ask(DohTransport.post(client, uri)).ttl()).isEqualTo(60);
    }

    /// RFC 9111, 1.2.2: one beyond all numbers is as good as the largest.
    @Test
    void ageBeyondAllNumbersLeavesNothing() {
        answering = query -> good(query).withHeader("Age", "99999999999");
        assertThat(ask(DohTransport.post(client, uri)).ttl()).isZero();
    }

    @Test
    void negativeAnswersAreAnswers() {
        answering = query -> of(query.response(ResponseCode.NXDOMAIN, List.of()));
        assertThat(ask(DohTransport.post(client, uri))).isInstanceOf(DnsAnswer.NoName.class);
    }

    private void assertFails(String message) {
        assertFails(message, PATIENCE);
    }

    private void assertFails(String message, Duration patience) {
        assertThatThrownBy(() -> ask(DohTransport.post(client, uri), patience))
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(ResolveException.class)
                .hasMessageContaining(message);
    }

    @Test
    void otherResponsesFail() {
        answering = _ -> Response.of(Status.NOT_FOUND);
        assertFails("404");
        answering = _ -> Response.text("hello");
        assertFails("text/plain");
        answering = query -> good(query).withBody(Body.of(new byte[] {1, 2, 3}));
        assertFails("");
        answering = query -> good(query).withBody(Body.of(new byte[0]));
        assertFails("octets");
        answering =
                _ ->
                        Response.of(Status.NO_CONTENT)
                                .withHeader(HeaderName.CONTENT_TYPE, DohTransport.MEDIA_TYPE);
        assertFails("octets");
        answering = query -> good(query).withBody(Body.of(new byte[70_000]));
        assertFails("65535");
        answering =
                _ -> good(DnsMessage.query(0, DnsName.parse("www.bank.example."), RecordType.A));
        assertFails("does not fit");
    }

    /// A body without end.
    private static final class Endless implements BodySource {
        private final AtomicLong sent = new AtomicLong();
        private final CountDownLatch closed = new CountDownLatch(1);
        private final boolean drips;

        Endless(boolean drips) {
            this.drips = drips;
        }

        @Override
        public Step read(Buffer out) {
            if (drips && sent.get() > 0) {
                return Step.WAIT; // and never wakes
            }
            int length = drips ? 1 : out.writableBytes();
            for (int i = 0; i < length; i++) {
                out.writeByte((byte) 0);
            }
            sent.addAndGet(length);
            return Step.MORE;
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    @Test
    void bodyWithoutEndIsGivenUpAtTheLongestMessage() throws Exception {
        Endless endless = new Endless(false);
        answering = query -> good(query).withBody(Body.of(endless));
        assertFails("65535");
        assertThat(endless.closed.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void bodyOfAnErrorIsNotWaitedFor() throws Exception {
        Endless drip = new Endless(true);
        answering = _ -> Response.of(Status.BAD_GATEWAY).withBody(Body.of(drip));
        assertFails("502");
        assertThat(drip.closed.await(1, TimeUnit.MINUTES)).isTrue();
    }

    @Test
    void bodyThatStallsIsGivenUpWithItsQuery() throws Exception {
        Endless drip = new Endless(true);
        answering = query -> good(query).withBody(Body.of(drip));
        do { // until the query has come before its time was over
            assertFails("within PT5S", Duration.ofSeconds(5));
        } while (drip.sent.get() == 0);
        assertThat(drip.closed.await(1, TimeUnit.MINUTES)).isTrue();
    }

    /// RFC 8484, 5.2, recommends HTTP/2, but there are servers without.
    @Test
    void serverOfHttp1AloneIsAsked() throws Exception {
        try (HttpServer old =
                HttpServer.builder()
                        .transport("nio")
                        .loops(1)
                        .port(0)
                        .tls(TlsContext.server(IDENTITY).applicationProtocols("http/1.1").build())
                        .handler(this::handle)
                        .listen()) {
            String at = "https://127.0.0.1:" + old.address().getPort() + "/dns-query";
            assertThat(ask(DohTransport.post(client, at)).records()).hasSize(1);
            assertThat(ask(DohTransport.get(client, at)).records()).hasSize(1);
            assertThat(requests).extracting(r -> r.version().toString()).containsOnly("HTTP/1.1");
        }
    }

    @Test
    void serverWithTooManyQueriesIsPassedOver() {
        AtomicLong refused = new AtomicLong();
        answering =
                query ->
                        refused.getAndIncrement() == 0
                                ? Response.of(Status.of(429)).withHeader("Retry-After", "3600")
                                : good(query);
        DnsServer busy = DohTransport.post(client, uri).server();
        DnsServer other = DohTransport.get(client, uri).server();
        try (DnsResolver resolver =
                DnsResolver.builder(group)
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(busy, other))
                                        .timeout(PATIENCE))
                        .build()) {
            assertThat(resolver.resolve(NAME, RecordType.A).join().records()).hasSize(1);
        }
        assertThat(requests).hasSize(2);
    }

    @Test
    void redirectToAServerInTheClearIsNotFollowed() {
        answering =
                _ ->
                        Response.of(Status.TEMPORARY_REDIRECT)
                                .withHeader(HeaderName.LOCATION, "http://127.0.0.1:9/dns-query");
        assertFails("307");
    }

    @Test
    void uriMustBeOfHttps() {
        for (String bad :
                List.of("http://a/", "https://a/?x", "https://a/{x}", "ftp://a", "a", "")) {
            assertThatThrownBy(() -> DohTransport.get(client, bad))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("https://HOST/PATH");
        }
    }
}
