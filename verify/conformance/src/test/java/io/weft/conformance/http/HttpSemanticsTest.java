package io.weft.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.http.server.HttpServer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Answers of the server to each kind of request, over sockets: in bytes, and to the JDK's client.
@EveryTransport
@Timeout(300)
class HttpSemanticsTest {
    private static final String HOST = "Host: a\r\n";
    private static final String END = HOST + "Connection: close\r\n\r\n";

    private final HttpServer server;

    HttpSemanticsTest(String transport) throws IOException {
        Rig.ofSockets(transport, 1).close(); // skips what does not work here
        server = EchoOrigin.start(transport);
    }

    @AfterEach
    void close() {
        server.close();
    }

    /// All that comes until the server closes, without the date.
    private String ask(String bytes) throws Exception {
        return RawHttp.exchange(server.address(), bytes, 20).replaceAll("date: [^\r]*\r\n", "");
    }

    @Test
    void headHasTheFieldsOfGetAndNoContent() throws Exception {
        String get = ask("GET /hello HTTP/1.1\r\n" + END);
        assertThat(get).startsWith("HTTP/1.1 200 OK\r\n").endsWith("\r\n\r\nhello");
        assertThat(ask("HEAD /hello HTTP/1.1\r\n" + END) + "hello").isEqualTo(get);
    }

    @Test
    void otherMethodsAreAnsweredWithThoseThatThereAre() throws Exception {
        assertThat(ask("DELETE /echo HTTP/1.1\r\n" + END))
                .startsWith("HTTP/1.1 405 ")
                .contains("\r\nallow: ")
                .contains("POST");
        assertThat(ask("OPTIONS /hello HTTP/1.1\r\n" + END))
                .startsWith("HTTP/1.1 204 ")
                .containsPattern("allow: .*GET");
        assertThat(ask("OPTIONS * HTTP/1.1\r\n" + END)).matches("(?s)HTTP/1.1 (200|204) .*");
        assertThat(ask("GET /none HTTP/1.1\r\n" + END)).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void theAbsoluteFormIsTheSameResource() throws Exception {
        assertThat(ask("GET http://b:1/hello HTTP/1.1\r\n" + END)).endsWith("\r\n\r\nhello");
        assertThat(ask("GET http://a HTTP/1.1\r\n" + END)).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void aClientThatWaitsIsAskedForItsBody() throws Exception {
        String head = "POST /echo HTTP/1.1\r\nContent-Length: 5\r\nExpect: 100-continue\r\n" + END;
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            byte[] line = socket.getInputStream().readNBytes(25);
            assertThat(new String(line, StandardCharsets.US_ASCII))
                    .isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            socket.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
            assertThat(
                            new String(
                                    socket.getInputStream().readAllBytes(),
                                    StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("\r\n\r\nhello");
        }
    }

    @Test
    void expectationsThatCannotBeMetAreRefused() throws Exception {
        assertThat(ask("POST /echo HTTP/1.1\r\nContent-Length: 5\r\nExpect: magic\r\n" + END))
                .startsWith("HTTP/1.1 417 ");
        String large = "Content-Length: 2000000\r\nExpect: 100-continue\r\n";
        assertThat(ask("POST /echo HTTP/1.1\r\n" + large + END)).startsWith("HTTP/1.1 413 ");
        assertThat(ask("POST /echo HTTP/1.0\r\nContent-Length: 2\r\nExpect: x\r\n" + END + "hi"))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void limitsHaveTheirStatuses() throws Exception {
        String fields = "a: b\r\n".repeat(120);
        assertThat(ask("GET /hello HTTP/1.1\r\n" + fields + END)).startsWith("HTTP/1.1 431 ");
        String field = "a: " + "b".repeat(17_000) + "\r\n";
        assertThat(ask("GET /hello HTTP/1.1\r\n" + field + END)).startsWith("HTTP/1.1 431 ");
        assertThat(ask("GET /" + "a".repeat(9_000) + " HTTP/1.1\r\n" + END))
                .startsWith("HTTP/1.1 414 ");
        String below = "a: " + "b".repeat(15_000) + "\r\n";
        assertThat(ask("GET /hello HTTP/1.1\r\n" + below + END)).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void trailersReachTheHandler() throws Exception {
        String body = "5\r\nhello\r\n0\r\nx-sum: 1\r\n\r\n";
        assertThat(ask("POST /echo HTTP/1.1\r\nTransfer-Encoding: chunked\r\n" + END + body))
                .endsWith("\r\n\r\nhello x-sum=1");
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrderUpToTheLast() throws Exception {
        String get = "GET /hello HTTP/1.1\r\n" + HOST + "\r\n";
        String post = "POST /echo HTTP/1.1\r\n" + HOST + "Content-Length: 3\r\n\r\nabc";
        String answers = ask((get + post).repeat(40) + "GET /hello HTTP/1.1\r\n" + END + get);
        String contents = answers.replaceAll("(?s)HTTP/1.1 200 OK\r\n.*?\r\n\r\n", " ");
        assertThat(contents).isEqualTo(" hello abc".repeat(40) + " hello");
    }

    @Test
    void clientsThatCloseEarlyHarmNobody() throws Exception {
        for (String part :
                List.of(
                        "G",
                        "GET /hello",
                        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx")) {
            for (int linger : new int[] {-1, 0}) {
                try (Socket socket =
                        new Socket(server.address().getAddress(), server.address().getPort())) {
                    socket.setSoLinger(linger == 0, 0);
                    socket.getOutputStream().write(part.getBytes(StandardCharsets.US_ASCII));
                }
            }
        }
        try (Socket socket =
                new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.setSoLinger(true, 0);
            socket.getOutputStream()
                    .write(("GET /large HTTP/1.1\r\n" + END).getBytes(StandardCharsets.US_ASCII));
            assertThat(socket.getInputStream().read()).isEqualTo('H');
        }
        assertThat(ask("GET /hello HTTP/1.1\r\n" + END)).endsWith("hello");
    }

    @Test
    void theClientOfTheJdkIsServed() throws Exception {
        URI uri = URI.create("http://localhost:" + server.address().getPort());
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            HttpRequest hello = HttpRequest.newBuilder(uri.resolve("/hello")).build();
            List<CompletableFuture<HttpResponse<String>>> many = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                many.add(client.sendAsync(hello, BodyHandlers.ofString()));
            }
            for (CompletableFuture<HttpResponse<String>> one : many) {
                assertThat(one.get(60, TimeUnit.SECONDS).body()).isEqualTo("hello");
            }
            String text = "0123456789".repeat(50_000);
            for (boolean waits : new boolean[] {false, true}) {
                HttpRequest.Builder echo =
                        HttpRequest.newBuilder(uri.resolve("/echo")).expectContinue(waits);
                HttpRequest byLength = echo.POST(BodyPublishers.ofString(text)).build();
                assertThat(client.send(byLength, BodyHandlers.ofString()).body()).isEqualTo(text);
                HttpRequest chunked =
                        echo.POST(BodyPublishers.fromPublisher(BodyPublishers.ofString(text)))
                                .build();
                assertThat(client.send(chunked, BodyHandlers.ofString()).body()).isEqualTo(text);
            }
            HttpRequest large = HttpRequest.newBuilder(uri.resolve("/large")).build();
            assertThat(client.send(large, BodyHandlers.ofString()).body())
                    .isEqualTo(EchoOrigin.LARGE);
            HttpRequest head = HttpRequest.newBuilder(uri.resolve("/large")).HEAD().build();
            assertThat(
                            client.send(head, BodyHandlers.ofString())
                                    .headers()
                                    .firstValue("content-length"))
                    .hasValue("" + EchoOrigin.LARGE.length());
        }
    }
}
