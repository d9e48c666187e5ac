package io.weft.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Peer;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.LogCapture;
import io.weft.testkit.Warns;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AccessLogTest {
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private AccessLog log(AccessLog.Format format) {
        return new AccessLog(
                format, lines::add, true, 100, () -> Instant.parse("2026-11-23T06:00:01.5Z"));
    }

    private String line() throws InterruptedException {
        String line = lines.poll(60, TimeUnit.SECONDS);
        assertThat(line).isNotNull();
        return line;
    }

    private static EmbeddedChannel connection(Application application, HttpFilter filter) {
        Application filtered = new Application.Filtered(application, List.of(filter));
        return Http1Channels.of(filtered);
    }

    private static EmbeddedChannel connection(HttpHandler handler, HttpFilter filter) {
        return connection(new Application.Direct(handler), filter);
    }

    @Test
    void everyRequestHasALine() throws Exception {
        HttpHandler handler =
                request ->
                        request.path().equals("/none")
                                ? Response.of(Status.NO_CONTENT)
                                : Response.text("hello");
        try (EmbeddedChannel channel = connection(handler, log(AccessLines::combined))) {
            channel.receive(
                    "GET /a?b=c HTTP/1.1\nHost: x\nReferer: http://r/\nUser-Agent: u/1\n\n"
                                    .replace("\n", "\r\n")
                            + "HEAD /a HTTP/1.1\r\nHost: x\r\n\r\n"
                            + "GET /none HTTP/1.1\r\nHost: x\r\n\r\n");
            String begin = " - - [23/Nov/2026:06:00:01 +0000] ";
            assertThat(line())
                    .endsWith(begin + "\"GET /a?b=c HTTP/1.1\" 200 5 \"http://r/\" \"u/1\"");
            assertThat(line()).endsWith(begin + "\"HEAD /a HTTP/1.1\" 200 - \"-\" \"-\"");
            assertThat(line()).endsWith(begin + "\"GET /none HTTP/1.1\" 204 - \"-\" \"-\"");
        }
        assertThat(lines).isEmpty();
    }

    @Test
    void bytesOfStreamsAreCounted() throws Exception {
        HttpHandler handler =
                _ ->
                        Response.of(
                                Status.OK,
                                Headers.EMPTY,
                                Body.of(new ByteArrayInputStream(new byte[40_000])));
        try (EmbeddedChannel channel = connection(handler, log(AccessLines::json))) {
            channel.receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            String line;
            while ((line = lines.poll(1, TimeUnit.MILLISECONDS)) == null) {
                channel.runPending();
                var _ = channel.takeOutbound();
            }
            assertThat(line).contains("\"status\":200,\"bytes\":40000,").contains("\"whole\":true");
        }
    }

    @Test
    void aRequestWithoutAnAnswerHasALineToo() throws Exception {
        Application never = new Application.Async(_ -> new CompletableFuture<>());
        try (EmbeddedChannel channel = connection(never, log(AccessLines::json))) {
            channel.receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        assertThat(line()).contains("\"status\":null,\"bytes\":0,").contains("\"whole\":false");
        try (EmbeddedChannel channel = connection(never, log(AccessLines::combined))) {
            channel.receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        assertThat(line()).contains("\"GET / HTTP/1.1\" - - ");
    }

    @Test
    void anAnswerOfAFilterHasALine() throws Exception {
        HttpFilter refusing =
                new HttpFilter() {
                    @Override
                    public Response before(Request request) {
                        return Response.of(Status.FORBIDDEN);
                    }
                };
        Application application =
                new Application.Filtered(
                        new Application.Direct(_ -> Response.text("")),
                        List.of(log(AccessLines::combined), refusing));
        try (EmbeddedChannel channel = Http1Channels.of(application)) {
            channel.receive("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na");
            assertThat(line()).contains("\"POST / HTTP/1.1\" 403 - ");
        }
    }

    private record From(@Nullable SocketAddress address, @Nullable Tls tls) implements Peer {
        @Override
        public @Nullable SocketAddress localAddress() {
            return null;
        }
    }

    private static FinishedExchange exchange(String target, String field, @Nullable Peer peer) {
        Headers headers = Headers.builder().add("referer", field).add("user-agent", field).build();
        Request request =
                Request.of(
                        Method.GET,
                        RequestTarget.of(target),
                        Version.HTTP_1_1,
                        headers,
                        Body.empty(),
                        peer);
        return new FinishedExchange(
                request, null, Response.of(Status.OK), 7, Duration.ofNanos(1_234_567), true);
    }

    @Test
    void noTextOfAClientForgesALine() throws Exception {
        FinishedExchange hostile = exchange("/'", "a\" \\ \t\u0085\u00e4\u009b[31m", null);
        log(AccessLines::combined).finished(hostile);
        String quoted = "\"a\\x22 \\x5c \\x09\\x85\\xe4\\x9b[31m\"";
        assertThat(line())
                .isEqualTo(
                        "- - - [23/Nov/2026:06:00:01 +0000] \"GET /' HTTP/1.1\" 200 7 "
                                + quoted
                                + " "
                                + quoted);
        log(AccessLines::json).finished(hostile);
        String json = "\"a\\u0022 \\u005c \\u0009\\u0085\\u00e4\\u009b[31m\"";
        assertThat(line())
                .isEqualTo(
                        "{\"time\":\"2026-11-23T06:00:01.500Z\",\"peer\":\"-\",\"method\":\"GET\","
                                + "\"target\":\"/'\",\"version\":\"HTTP/1.1\",\"status\":200,"
                                + "\"bytes\":7,\"micros\":1234,\"whole\":true,\"referer\":"
                                + json
                                + ",\"userAgent\":"
                                + json
                                + ",\"tls\":null,\"cipher\":null,\"subject\":null}");
    }

    @Test
    void peersAreTold() throws Exception {
        SocketAddress six = new InetSocketAddress(InetAddress.getByName("2001:db8::1"), 9);
        log(AccessLines::combined).finished(exchange("/", "a", new From(six, null)));
        assertThat(line()).startsWith("2001:db8::1 - - [");
        SocketAddress path = UnixDomainSocketAddress.of("/tmp/a b\nc");
        log(AccessLines::combined).finished(exchange("/", "a", new From(path, null)));
        assertThat(line()).startsWith("/tmp/a_b\\x0ac - - [");
        Peer.Tls tls = new Peer.Tls("TLSv1.3", "TLS_AES_128_GCM_SHA256", "x", List.of());
        log(AccessLines::json).finished(exchange("/", "a", new From(six, tls)));
        assertThat(line()).contains("\"tls\":\"TLSv1.3\",\"cipher\":\"TLS_AES_128_GCM_SHA256\",");
    }

    @Test
    void addressOfAConnectionThatBrokeWithinItsRequestIsTold() throws Exception {
        CountDownLatch asked = new CountDownLatch(1);
        try (HttpServer server =
                HttpServer.builder()
                        .port(0)
                        .loops(1)
                        .filter(log(AccessLines::combined))
                        .async(
                                _ -> {
                                    asked.countDown();
                                    return new CompletableFuture<>();
                                })
                        .listen()) {
            InetSocketAddress address = server.address();
            try (Socket client = new Socket(address.getAddress(), address.getPort())) {
                client.getOutputStream()
                        .write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(US_ASCII));
                asked.await();
                client.setSoLinger(true, 0); // the close is a reset
            }
            assertThat(line()).doesNotStartWith("-").contains("\"GET / HTTP/1.1\" - - ");
        }
    }

    @Test
    void addressIsThatOfTheEndOfTheRequestHoweverLateTheLine() throws Exception {
        SocketAddress six = new InetSocketAddress(InetAddress.getByName("2001:db8::1"), 9);
        AtomicReference<@Nullable SocketAddress> now = new AtomicReference<>(six);
        Peer peer =
                new Peer() {
                    @Override
                    public @Nullable SocketAddress address() {
                        return now.get();
                    }

                    @Override
                    public @Nullable SocketAddress localAddress() {
                        return null;
                    }

                    @Override
                    public @Nullable Tls tls() {
                        return null;
                    }
                };
        CountDownLatch goOn = new CountDownLatch(1);
        AccessLog log =
                AccessLog.combined(
                        line -> {
                            try {
                                goOn.await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            lines.add(line);
                        });
        log.finished(exchange("/a", "", null));
        log.finished(exchange("/b", "", peer));
        now.set(null);
        goOn.countDown();
        assertThat(line()).contains("/a ");
        assertThat(line()).startsWith("2001:db8::1 - - [");
    }

    @Test
    void longTextsAndQueriesAreLeftOut() throws Exception {
        AccessLog log = log(AccessLines::combined).withoutQueries();
        log.finished(exchange("/a?secret=" + "x".repeat(2000), "y".repeat(2000), null));
        assertThat(line()).contains("\"GET /a HTTP/1.1\"").contains("\"" + "y".repeat(1024) + "\"");
    }

    @Test
    @Warns
    void linesBeyondTheQueueAreDroppedAndCounted() throws Exception {
        CountDownLatch goOn = new CountDownLatch(1);
        AccessLog log =
                AccessLog.combined(
                                line -> {
                                    lines.add(line);
                                    try {
                                        goOn.await();
                                    } catch (InterruptedException e) {
                                        throw new IllegalStateException(e);
                                    }
                                })
                        .withQueue(2);
        try (LogCapture captured = new LogCapture("io.weft.http.server")) {
            for (int i = 0; i < 10; i++) {
                log.finished(exchange("/" + i, "", null));
            }
            goOn.countDown();
            assertThat(line()).contains("/0 ");
            assertThat(line()).contains("/1 ");
            assertThat(captured.warnings())
                    .containsExactly("access log: 8 lines dropped, more than 2 waited");
        }
        assertThat(lines).isEmpty();
        assertThatThrownBy(() -> log.withQueue(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    @Warns
    void aLineThatFailsDoesNotEndTheLog() throws Exception {
        AccessLog log =
                AccessLog.combined(
                        line -> {
                            lines.add(line);
                            if (line.contains("/a ")) {
                                throw new IllegalStateException("full");
                            }
                        });
        log.finished(exchange("/a", "", null));
        log.finished(exchange("/b", "", null));
        assertThat(line()).contains("/a ");
        assertThat(line()).contains("/b "); // behind the warning, which is not the next test's
    }
}
