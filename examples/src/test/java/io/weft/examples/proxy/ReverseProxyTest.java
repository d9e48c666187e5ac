package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.examples.Ports;
import io.weft.examples.Served;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.client.HttpProtocol;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpHandler;
import io.weft.http.server.HttpServer;
import io.weft.http.server.HttpServerLimits;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Random;
import java.util.Scanner;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class ReverseProxyTest {
    private static final String TRANSPORT = "nio";

    private static final HttpClientLimits LARGE = HttpClientLimits.DEFAULT.withBody(16 << 20);

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private HttpServer upstream() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport(TRANSPORT)
                .loops(1)
                .blocking(
                        request -> {
                            String body =
                                    new String(
                                            request.body().asInputStream().readAllBytes(),
                                            ISO_8859_1);
                            seen.add(request.method() + " " + request.target() + " " + body);
                            return Response.text(
                                            body
                                                    + request.headers().first("forwarded")
                                                    + request.headers().first("x-hop"))
                                    .withHeader("x-up", "1");
                        })
                .listen();
    }

    private static Served proxy(int... ports) {
        List<String> args = new ArrayList<>();
        for (int port : ports) {
            args.add("--to");
            args.add("127.0.0.1:" + port);
        }
        Extras extras = ReverseProxy.extras(args.toArray(String[]::new));
        return Served.start(options -> ReverseProxy.start(options, extras), TRANSPORT);
    }

    private static String exchange(Served proxy, String wire) throws Exception {
        try (Socket socket = proxy.connect()) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(wire.getBytes(ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        } catch (SocketException e) {
            return "reset";
        }
    }

    @Test
    void requestAndAnswerPassWithoutHopByHopFields() throws Exception {
        try (HttpServer server = upstream();
                Served proxy = proxy(server.address().getPort())) {
            String answer =
                    exchange(
                            proxy,
                            """
                            POST /a?b=c HTTP/1.1
                            Host: example.org
                            Connection: x-hop
                            X-Hop: 1
                            Forwarded: for=evil
                            Transfer-Encoding: chunked

                            5
                            hello
                            0

                            """
                                    .replace("\n", "\r\n"));
            assertThat(answer)
                    .startsWith("HTTP/1.1 200")
                    .containsIgnoringCase("x-up: 1")
                    .contains("hello", "for=127.0.0.1;proto=http;host=\"example.org\"null")
                    .doesNotContain("evil");
            assertThat(seen).singleElement().asString().endsWith("/a?b=c hello");
        }
    }

    @Test
    void largeBodiesPassBothWays() throws Exception {
        byte[] large = new byte[10 << 20];
        new Random(1).nextBytes(large);
        try (HttpServer server =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .transport(TRANSPORT)
                                .loops(1)
                                .limits(HttpServerLimits.DEFAULT.withStreamedBody(large.length))
                                .streaming(
                                        request ->
                                                CompletableFuture.completedFuture(
                                                        Response.of(
                                                                Status.OK,
                                                                Headers.EMPTY,
                                                                request.body())))
                                .listen();
                Served proxy = proxy(server.address().getPort());
                HttpClient client = HttpClient.builder().limits(LARGE).build()) {
            String url = "http://127.0.0.1:" + proxy.address().getPort() + "/";
            for (int i = 0; i < 3; i++) {
                Response answer = client.post(url, Body.of(large));
                try (InputStream body = answer.body().asInputStream()) {
                    assertThat(body.readAllBytes()).isEqualTo(large);
                }
            }
        }
    }

    @Test
    void serverThatIsDownIsLeftOut() throws Exception {
        int down = Ports.free();
        try (HttpServer server = upstream();
                Served proxy = proxy(down, server.address().getPort())) {
            for (int i = 0; i < 4; i++) {
                assertThat(exchange(proxy, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
                        .startsWith("HTTP/1.1 200");
            }
        }
        try (Served proxy = proxy(down)) {
            assertThat(exchange(proxy, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 502");
        }
    }

    private static Served proxy(HttpServer server, String... more) {
        List<String> args = new ArrayList<>(List.of(more));
        args.add("--to");
        args.add("127.0.0.1:" + server.address().getPort());
        Extras extras = ReverseProxy.extras(args.toArray(String[]::new));
        return Served.start(options -> ReverseProxy.start(options, extras), TRANSPORT);
    }

    private static HttpServer serving(HttpHandler handler) {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport(TRANSPORT)
                .loops(1)
                .blocking(handler)
                .listen();
    }

    private static String get(Served proxy, String fields) throws Exception {
        return exchange(proxy, "GET / HTTP/1.1\r\nHost: example.org\r\n" + fields + "\r\n");
    }

    private static Response fields(Request request, String... names) {
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            text.append(name).append('=').append(request.headers().all(HeaderName.of(name)));
        }
        return Response.text(text + " " + request.version());
    }

    @Test
    void clientsClaimsAreBelievedOfTrustedProxiesAlone() throws Exception {
        String[] names = {"x-forwarded-for", "x-forwarded-proto", "x-forwarded-host", "x-real-ip"};
        String claims =
                String.join(
                        "\r\n",
                        "X-Forwarded-For: 192.0.2.1",
                        "X-Forwarded-Proto: https",
                        "X-Real-IP: 192.0.2.1",
                        "X_Forwarded_For: 192.0.2.9",
                        "");
        try (HttpServer server = serving(request -> fields(request, names));
                Served proxy = proxy(server);
                Served behind = proxy(server, "--trust", "127.0.0.0/8")) {
            assertThat(get(proxy, claims))
                    .contains(
                            "x-forwarded-for=[127.0.0.1]x-forwarded-proto=[http]"
                                    + "x-forwarded-host=[example.org]x-real-ip=[]");
            assertThat(get(behind, claims))
                    .contains(
                            "x-forwarded-for=[192.0.2.1, 127.0.0.1]x-forwarded-proto=[https]"
                                    + "x-forwarded-host=[example.org]x-real-ip=[192.0.2.1]");
        }
    }

    @Test
    void clientsAndServersMaySpeakHttp2() throws Exception {
        try (HttpServer server = serving(request -> Response.text("" + request.version()));
                Served proxy = proxy(server, "--upstream-http", "2");
                HttpClient client =
                        HttpClient.builder()
                                .transport(TRANSPORT)
                                .protocol(HttpProtocol.HTTP_2)
                                .build()) {
            String url = "http://127.0.0.1:" + proxy.address().getPort() + "/";
            assertThat(client.get(url).body().asString()).isEqualTo("HTTP/2");
            assertThat(get(proxy, "")).startsWith("HTTP/1.1 200").endsWith("HTTP/2");
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1_1, 1.1", "HTTP_1_1, 2", "HTTP_2, 1.1", "HTTP_2, 2"})
    void largeBodiesPassBothWays(HttpProtocol protocol, String upstream) throws Exception {
        byte[] bytes = new byte[5 << 20];
        new Random(Long.getLong("io.weft.test.seed", 1)).nextBytes(bytes);
        try (HttpServer server =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .transport(TRANSPORT)
                                .loops(1)
                                .streaming(
                                        request ->
                                                CompletableFuture.completedFuture(
                                                        Response.of(Status.OK)
                                                                .withBody(request.body())))
                                .listen();
                Served proxy = proxy(server, "--upstream-http", upstream);
                HttpClient client =
                        HttpClient.builder().transport(TRANSPORT).protocol(protocol).build()) {
            String url = "http://127.0.0.1:" + proxy.address().getPort() + "/";
            for (Body body :
                    List.of(
                            Body.of(new ByteArrayInputStream(bytes)),
                            Body.of(new ByteArrayInputStream(bytes), bytes.length))) {
                try (StreamedResponse answer = client.open(Request.post(url, body));
                        InputStream back = answer.inputStream()) {
                    assertThat(back.readAllBytes()).isEqualTo(bytes);
                }
            }
        }
    }

    @Test
    void serverThatFailsItsHealthChecksIsLeftOutUntilItPassesOne() throws Exception {
        AtomicBoolean healthy = new AtomicBoolean(true);
        HttpHandler handler =
                request ->
                        request.path().equals("/health")
                                ? Response.text("a page of any length".repeat(10_000))
                                        .withStatus(
                                                healthy.get()
                                                        ? Status.OK
                                                        : Status.SERVICE_UNAVAILABLE)
                                : Response.text("one");
        try (HttpServer one = serving(handler);
                HttpServer two = serving(_ -> Response.text("two"));
                Served proxy =
                        proxy(
                                one,
                                "--to",
                                "127.0.0.1:" + two.address().getPort(),
                                "--health",
                                "/health",
                                "--health-interval",
                                "20")) {
            await(() -> get(proxy, "").endsWith("one"));
            healthy.set(false);
            await(() -> neverIn(20, proxy, "one"));
            healthy.set(true);
            await(() -> get(proxy, "").endsWith("one"));
        }
    }

    @Test
    void withoutAHealthyServerTheAnswerIs503() throws Exception {
        try (HttpServer server = serving(_ -> Response.of(Status.INTERNAL_SERVER_ERROR));
                Served proxy = proxy(server, "--health", "/", "--health-interval", "20")) {
            await(() -> get(proxy, "").startsWith("HTTP/1.1 503"));
        }
    }

    private static boolean neverIn(int tries, Served proxy, String answer) throws Exception {
        for (int i = 0; i < tries; i++) {
            if (get(proxy, "").endsWith(answer)) {
                return false;
            }
        }
        return true;
    }

    private static void await(Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(100);
        while (!condition.call()) {
            assertThat(System.nanoTime() - deadline).isNegative();
            LockSupport.parkNanos(1_000_000);
        }
    }

    /// A server that takes requests and closes without an answer.
    private static ServerSocket broken(List<String> lines) throws Exception {
        ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(
                () -> {
                    while (!socket.isClosed()) {
                        try (Socket client = socket.accept()) {
                            var in = new Scanner(client.getInputStream(), ISO_8859_1);
                            lines.add(in.nextLine());
                            while (!in.nextLine().isEmpty()) {
                                // the head
                            }
                        } catch (IOException | NoSuchElementException e) {
                            // the next one
                        }
                    }
                });
        return socket;
    }

    @Test
    void idempotentRequestsAreRepeatedAtTheNextServerAndOthersAreNot() throws Exception {
        List<String> lines = new CopyOnWriteArrayList<>();
        try (ServerSocket broken = broken(lines);
                HttpServer server = upstream();
                Served proxy = proxy(broken.getLocalPort(), server.address().getPort())) {
            for (int i = 0; i < 6; i++) {
                assertThat(get(proxy, "")).startsWith("HTTP/1.1 200");
            }
            assertThat(lines).isNotEmpty();
            int gateway = 0;
            for (int i = 0; i < 6; i++) {
                String answer =
                        exchange(
                                proxy,
                                "POST /once HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
                gateway += answer.startsWith("HTTP/1.1 502") ? 1 : 0;
            }
            long asked = lines.stream().filter(line -> line.contains("/once")).count();
            long served = seen.stream().filter(line -> line.contains("/once")).count();
            assertThat(gateway).isPositive();
            assertThat(asked + served).as("no POST was sent twice").isEqualTo(6);
        }
    }

    @Test
    void proxyProtocolTellsClientsApartOnBothSides() throws Exception {
        try (HttpServer server =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .transport(TRANSPORT)
                                .loops(1)
                                .proxyProtocol("127.0.0.0/8")
                                .handler(
                                        request ->
                                                request.path().equals("/health")
                                                        ? Response.text("up")
                                                        : Response.text(
                                                                "from "
                                                                        + Objects.requireNonNull(
                                                                                        request
                                                                                                .peer())
                                                                                .address()))
                                .listen();
                Served proxy =
                        proxy(
                                server,
                                "--accept-proxy",
                                "127.0.0.0/8",
                                "--send-proxy",
                                "v2",
                                "--health",
                                "/health",
                                "--health-interval",
                                "20")) {
            String get = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
            for (String address : List.of("192.0.2.1", "192.0.2.2", "192.0.2.1")) {
                assertThat(
                                exchange(
                                        proxy,
                                        "PROXY TCP4 " + address + " 192.0.2.9 1234 80\r\n" + get))
                        .endsWith("from /" + address + ":1234");
            }
            assertThat(exchange(proxy, "PROXY TCP6 2001:db8::1 2001:db8::9 77 80\r\n" + get))
                    .endsWith("from /[2001:db8:0:0:0:0:0:1]:77");
        }
    }

    @Test
    void answerBeginsBeforeTheRequestHasEnded() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Served proxy = proxy(server.getLocalPort());
                Socket client = proxy.connect()) {
            server.setSoTimeout(60_000);
            client.getOutputStream()
                    .write(
                            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"
                                    .getBytes(ISO_8859_1));
            try (Socket behind = server.accept()) {
                behind.setSoTimeout(60_000);
                Scanner in = new Scanner(behind.getInputStream(), ISO_8859_1);
                assertThat(in.findWithinHorizon("ab", 4096)).isEqualTo("ab");
                behind.getOutputStream()
                        .write(
                                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\ncd\r\n"
                                        .getBytes(ISO_8859_1));
                Scanner out = new Scanner(client.getInputStream(), ISO_8859_1);
                assertThat(out.findWithinHorizon("cd", 4096)).isEqualTo("cd");
                client.getOutputStream().write("2\r\nef\r\n0\r\n\r\n".getBytes(ISO_8859_1));
                assertThat(in.findWithinHorizon("ef", 4096)).isEqualTo("ef");
                behind.getOutputStream().write("0\r\n\r\n".getBytes(ISO_8859_1));
                assertThat(out.findWithinHorizon("0\r\n\r\n", 4096)).isNotNull();
            }
        }
    }

    @Test
    void requestThatWasHereBeforeIsRefused() throws Exception {
        int port = Ports.free();
        Extras extras = ReverseProxy.extras("--to", "127.0.0.1:" + port);
        Options options = new Options(InetAddress.getLoopbackAddress(), port, TRANSPORT, 1);
        try (Served proxy = new Served(ReverseProxy.start(options, extras))) {
            assertThat(get(proxy, "")).startsWith("HTTP/1.1 508");
        }
    }

    /// Framing that servers have read in two ways. A request `GET /smuggled` hides in each body: the
    /// server behind the proxy must not see it as one.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 40\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: xchunked\r\n\r\n",
                "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: identity\r\n\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding:\u000bchunked\r\n\r\n0\r\n\r\n",
                "X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "X: y\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "X: y\rTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Content-Length: 0\r\nContent-Length: 40\r\n\r\n",
                "Content-Length: 0, 40\r\n\r\n",
                "Content-Length: +0\r\n\r\n",
                "Content-Length: 0x0\r\n\r\n",
                "Content-Length: -1\r\n\r\n",
                "Content-Length : 0\r\n\r\n",
                "Content-Length: 99999999999999999999\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n0\n\n",
                "Transfer-Encoding: chunked\r\n\r\n0;a\nb\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n-1\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff1\r\n\r\n",
                "Transfer-Encoding: chunked\r\n\r\n1\r\nZZ\r\n0\r\n\r\n",
            })
    void malformedFramingIsNotPassedOn(String framing) throws Exception {
        try (HttpServer server = upstream();
                Served proxy = proxy(server.address().getPort())) {
            String hidden = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
            String answer = exchange(proxy, "POST / HTTP/1.1\r\nHost: x\r\n" + framing + hidden);
            assertThat(seen).as(answer).noneMatch(request -> request.contains("smuggled"));
        }
    }
}
