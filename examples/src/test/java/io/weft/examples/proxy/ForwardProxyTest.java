package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.examples.Ports;
import io.weft.examples.Served;
import io.weft.handler.proxy.ProxyChain;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpProxy;
import io.weft.http.model.Body;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class ForwardProxyTest {
    private static final String TRANSPORT = "nio";

    private final List<String> seen = new CopyOnWriteArrayList<>();

    private HttpServer origin() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport(TRANSPORT)
                .loops(1)
                .blocking(
                        request -> {
                            StringBuilder fields = new StringBuilder();
                            request.headers()
                                    .forEach(
                                            f -> fields.append(f.name() + ": " + f.value() + "\n"));
                            seen.add(request.method() + " " + request.target() + "\n" + fields);
                            return Response.of(
                                            request.headers().contains("x-missing")
                                                    ? Status.NOT_FOUND
                                                    : Status.OK)
                                    .withHeader("x-up", "1")
                                    .withBody(
                                            Body.of(
                                                    "<"
                                                            + new String(
                                                                    request.body()
                                                                            .asInputStream()
                                                                            .readAllBytes(),
                                                                    ISO_8859_1)
                                                            + ">"));
                        })
                .listen();
    }

    private static Served proxy(String... args) {
        Extras extras = ForwardProxy.extras(args);
        return Served.start(options -> ForwardProxy.start(options, extras), TRANSPORT);
    }

    private static String exchange(Served proxy, String wire) throws Exception {
        try (Socket socket = proxy.connect()) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(wire.getBytes(ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    private static String at(HttpServer server) {
        return "127.0.0.1:" + server.address().getPort();
    }

    @Test
    void absoluteFormGoesToItsServerWithoutHopByHopFields() throws Exception {
        try (HttpServer origin = origin();
                Served proxy = proxy()) {
            String answer =
                    exchange(
                            proxy,
                            ("POST http://" + at(origin) + "/a?b=c HTTP/1.1\r\n")
                                    + "Host: elsewhere\r\nConnection: x-hop, close\r\n"
                                    + "X-Hop: 1\r\nProxy-Connection: keep-alive\r\n"
                                    + "Proxy-Authorization: Basic eDp5\r\nContent_Length: 9\r\n"
                                    + "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n");
            assertThat(answer).startsWith("HTTP/1.1 200").endsWith("<hello>");
            assertThat(answer)
                    .containsIgnoringCase("x-up: 1")
                    .containsPattern("(?i)via: 1.1 weft-");
            assertThat(seen).hasSize(1);
            assertThat(seen.getFirst().toLowerCase(Locale.ROOT))
                    .startsWith("post /a?b=c\n")
                    .contains("host: " + at(origin) + "\n", "via: 1.1 weft-")
                    .doesNotContain("x-hop", "proxy-", "content_length", "elsewhere");
        }
    }

    @Test
    void onlyViaIsAdded() throws Exception {
        try (HttpServer origin = origin();
                Served proxy = proxy()) {
            String wire = "GET http://" + at(origin) + "/ HTTP/1.1\r\nHost: x\r\nA: b\r\n\r\n";
            assertThat(exchange(proxy, wire)).startsWith("HTTP/1.1 200");
            assertThat(seen.getFirst().toLowerCase(Locale.ROOT).replaceAll("weft-.*", "weft"))
                    .isEqualTo("get /\na: b\nhost: " + at(origin) + "\nvia: 1.1 weft\n");
        }
    }

    @Test
    void requestWithoutPathGoesToTheRoot() throws Exception {
        try (HttpServer origin = origin();
                Served proxy = proxy()) {
            String wire = "GET http://" + at(origin) + " HTTP/1.1\r\nHost: x\r\n\r\n";
            assertThat(exchange(proxy, wire)).startsWith("HTTP/1.1 200");
            assertThat(seen.getFirst()).startsWith("GET /\n");
        }
    }

    /// The last proxy asks for `*` (RFC 9112, 3.2.4).
    @Test
    void optionsWithoutPathAreThoseOfTheServer() throws Exception {
        try (HttpServer origin = origin();
                Served proxy = proxy()) {
            for (String[] asked : new String[][] {{"", "*"}, {"/", "/"}, {"?a", "/?a"}}) {
                seen.clear();
                String wire =
                        "OPTIONS http://" + at(origin) + asked[0] + " HTTP/1.1\r\nHost: x\r\n\r\n";
                assertThat(exchange(proxy, wire)).startsWith("HTTP/1.1 200");
                assertThat(seen.getFirst()).startsWith("OPTIONS " + asked[1] + "\n");
            }
        }
    }

    @Test
    void tunnelPassesBytesAndHalfCloses() throws Exception {
        try (HttpServer origin = origin();
                Served proxy = proxy("--connect-port", "any")) {
            String wire =
                    "CONNECT "
                            + at(origin)
                            + " HTTP/1.1\r\nHost: x\r\n\r\n"
                            + "GET /inside HTTP/1.1\r\nHost: y\r\n\r\n";
            assertThat(exchange(proxy, wire))
                    .startsWith("HTTP/1.1 200")
                    .contains("\r\n\r\nHTTP/1.1 200")
                    .endsWith("<>");
            assertThat(seen).singleElement().asString().startsWith("GET /inside\nhost: y");
        }
    }

    @Test
    void tunnelsGoToPort443AloneUnlessTold() throws Exception {
        try (HttpServer origin = origin();
                Served proxy = proxy();
                Served told = proxy("--connect-port", "" + origin.address().getPort())) {
            String wire = "CONNECT " + at(origin) + " HTTP/1.1\r\nHost: x\r\n\r\n";
            assertThat(exchange(proxy, wire)).startsWith("HTTP/1.1 403");
            assertThat(exchange(told, wire)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void loginIsAskedForAndChecked() throws Exception {
        try (HttpServer origin = origin();
                Served proxy = proxy("--user", "me:secret")) {
            String get = "GET http://" + at(origin) + "/ HTTP/1.1\r\nHost: x\r\n";
            for (String wrong :
                    List.of(
                            "",
                            field("me:wrong"),
                            field("me:secre"),
                            field(""),
                            "Proxy-Authorization: Basic ***\r\n",
                            "Proxy-Authorization: Bearer bWU6c2VjcmV0\r\n")) {
                assertThat(exchange(proxy, get + wrong + "\r\n"))
                        .startsWith("HTTP/1.1 407")
                        .containsIgnoringCase("proxy-authenticate: Basic realm=");
            }
            assertThat(exchange(proxy, get + field("me:secret") + "\r\n"))
                    .startsWith("HTTP/1.1 200");
            assertThat(seen).singleElement().asString().doesNotContainIgnoringCase("authorization");
        }
    }

    private static String field(String login) {
        return "Proxy-Authorization: Basic "
                + Base64.getEncoder().encodeToString(login.getBytes(ISO_8859_1))
                + "\r\n";
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "localhost"})
    void deniedDestinationsAreRefusedByTheirAddresses(String host) throws Exception {
        try (HttpServer origin = origin();
                Served proxy =
                        proxy(
                                "--deny-to",
                                "127.0.0.0/8",
                                "--deny-to",
                                "::1",
                                "--connect-port",
                                "any")) {
            String to = host + ":" + origin.address().getPort();
            assertThat(exchange(proxy, "GET http://" + to + "/ HTTP/1.1\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 403");
            assertThat(exchange(proxy, "CONNECT " + to + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 403");
            assertThat(seen).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "GET / HTTP/1.1,                              400",
        "GET https://example.org/ HTTP/1.1,           501",
        "GET ftp://example.org/ HTTP/1.1,             4",
        "CONNECT example.org HTTP/1.1,                4",
        "CONNECT example.org:80 HTTP/1.1,             403",
        "CONNECT example.org:99999 HTTP/1.1,          4",
        "GET http://127.0.0.1:0/ HTTP/1.1,            4",
        "GET http://127.0.0.1:25/ HTTP/1.1,           403",
        "GET http://[::1]:22/ HTTP/1.1,               403",
        "GET http://127.0.0.1:00025/ HTTP/1.1,        403",
        "GET http://127.0.0.1:000025/ HTTP/1.1,       403",
        "GET http://[::1]:0000000022/ HTTP/1.1,       403",
        "CONNECT 127.0.0.1:00025 HTTP/1.1,            403",
        "CONNECT 127.0.0.1:000025 HTTP/1.1,           4",
        "OPTIONS * HTTP/1.1,                          400",
    })
    void requestsForNobodyAreRefused(String line, String status) throws Exception {
        try (Served proxy = proxy()) {
            assertThat(exchange(proxy, line + "\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 " + status);
        }
    }

    @Test
    void loopIsFound() throws Exception {
        try (Served proxy = proxy()) {
            String self = "127.0.0.1:" + proxy.address().getPort();
            // As a server of its own it is asked for a path, but by its own name for a way.
            assertThat(exchange(proxy, "GET http://" + self + "/ HTTP/1.1\r\nHost: x\r\n\r\n"))
                    .startsWith("HTTP/1.1 508");
        }
    }

    @Test
    void serverThatIsNotThereIsABadGateway() throws Exception {
        int down = Ports.free();
        try (Served proxy = proxy("--connect-port", "any")) {
            for (String line :
                    List.of("GET http://127.0.0.1:" + down + "/", "CONNECT 127.0.0.1:" + down)) {
                assertThat(exchange(proxy, line + " HTTP/1.1\r\nHost: x\r\n\r\n"))
                        .startsWith("HTTP/1.1 502");
            }
        }
    }

    @Test
    void maxForwardsEndsHere() throws Exception {
        try (HttpServer origin = origin();
                Served proxy = proxy()) {
            String options = "OPTIONS http://" + at(origin) + "/ HTTP/1.1\r\nHost: x\r\n";
            for (String none : List.of("0", "00", "0".repeat(40))) {
                assertThat(exchange(proxy, options + "Max-Forwards: " + none + "\r\n\r\n"))
                        .startsWith("HTTP/1.1 204");
                assertThat(
                                exchange(
                                        proxy,
                                        options.replace("OPTIONS", "TRACE")
                                                + "Max-Forwards: "
                                                + none
                                                + "\r\n\r\n"))
                        .startsWith("HTTP/1.1 501");
            }
            assertThat(seen).isEmpty();
            for (String[] some :
                    new String[][] {
                        {"7", "6"},
                        {"010", "9"},
                        {"0".repeat(20) + "1", "0"},
                        {"9".repeat(30), "999999999"},
                        {"many", "many"}
                    }) {
                seen.clear();
                exchange(proxy, options + "Max-Forwards: " + some[0] + "\r\n\r\n");
                assertThat(seen.getFirst().toLowerCase(Locale.ROOT))
                        .contains("max-forwards: " + some[1] + "\n");
            }
        }
    }

    @Test
    void openRelayIsRefused() {
        Options everywhere = Options.parse(0, "--host", "0.0.0.0", "--transport", TRANSPORT);
        assertThatThrownBy(() -> ForwardProxy.start(everywhere, ForwardProxy.extras()))
                .hasMessageContaining("open relay");
        assertThatThrownBy(
                        () ->
                                ForwardProxy.start(
                                        everywhere, ForwardProxy.extras("--user", "nocolon")))
                .hasMessageContaining("NAME:PASSWORD");
    }

    @Test
    void ourClientsComeThrough() throws Exception {
        try (HttpServer origin = origin();
                Served proxy = proxy("--connect-port", "any")) {
            String url = "http://" + at(origin) + "/";
            int port = proxy.address().getPort();
            try (HttpClient absolute =
                            HttpClient.builder()
                                    .transport(TRANSPORT)
                                    .proxy(new HttpProxy("127.0.0.1", port))
                                    .build();
                    HttpClient tunnelled =
                            HttpClient.builder()
                                    .transport(TRANSPORT)
                                    .tunnel(ProxyChain.of("http://127.0.0.1:" + port))
                                    .build()) {
                byte[] large = new byte[3 << 20];
                Arrays.fill(large, (byte) 'x');
                for (HttpClient client : List.of(absolute, tunnelled)) {
                    Response answer =
                            client.send(Request.post(url, Body.of(new String(large, ISO_8859_1))));
                    assertThat(answer.body().length()).isEqualTo(large.length + 2);
                }
            }
        }
    }

    @Test
    void clientThatVanishesLeavesNoTunnel() throws Exception {
        try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Served proxy = proxy("--connect-port", "any")) {
            server.setSoTimeout(60_000);
            Socket client = proxy.connect();
            client.getOutputStream()
                    .write(
                            ("CONNECT 127.0.0.1:"
                                            + server.getLocalPort()
                                            + " HTTP/1.1\r\nHost: x\r\n\r\n")
                                    .getBytes(ISO_8859_1));
            Socket behind = server.accept();
            behind.setSoTimeout(60_000);
            client.setSoLinger(true, 0);
            client.close();
            assertThat(end(behind)).isEqualTo(-1);
        }
    }

    private static int end(Socket socket) {
        try (socket) {
            return socket.getInputStream().read();
        } catch (IOException e) {
            return -1;
        }
    }
}
