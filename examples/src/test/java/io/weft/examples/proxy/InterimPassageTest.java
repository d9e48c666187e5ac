package io.weft.examples.proxy;

import static io.weft.examples.proxy.PlayedServer.send;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Served;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpProtocol;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Interim answers, and bodies that wait for one, through [ReverseProxy].
@Timeout(300)
class InterimPassageTest {
    private static final String HINTS =
            "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\nConnection: x-hop\r\nX-Hop: 1\r\n\r\n";
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final String EXPECTING =
            "POST / HTTP/%s\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";

    private final PlayedServer server = new PlayedServer();
    private final Served proxy = server.proxy();

    InterimPassageTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private static String head(Socket from) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int b = from.getInputStream().read();
            assertThat(b).as(text.toString()).isNotNegative();
            text.append((char) b);
        }
        return text.toString();
    }

    private static String body(Socket from, int length) throws IOException {
        return new String(from.getInputStream().readNBytes(length), ISO_8859_1);
    }

    @Test
    void hintsPassBeforeTheAnswerIsThere() throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            try (Socket behind = server.accept()) {
                head(behind);
                send(behind, HINTS);
                assertThat(head(client))
                        .startsWith("HTTP/1.1 103 Early Hints\r\n")
                        .containsIgnoringCase("link: </a.css>\r\n")
                        .containsIgnoringCase("via: 1.1 weft-")
                        .doesNotContainIgnoringCase("hop");
                send(behind, "HTTP/1.1 102 Processing\r\n\r\n" + OK);
                assertThat(head(client)).startsWith("HTTP/1.1 102 ");
                assertThat(head(client)).startsWith("HTTP/1.1 200 ");
                assertThat(body(client, 2)).isEqualTo("ok");
            }
        }
    }

    @Test
    void clientsOfHttp10GetTheAnswerAlone() throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, "GET / HTTP/1.0\r\n\r\n");
            try (Socket behind = server.accept()) {
                head(behind);
                send(behind, HINTS + OK);
            }
            assertThat(head(client)).startsWith("HTTP/1.1 200 ");
        }
    }

    /// Attack class: a server that answers nothing, without end.
    @Test
    void floodOfHintsIsTheServersFailure() throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, "GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            try (Socket behind = server.accept()) {
                head(behind);
                send(behind, HINTS.repeat(33));
                for (int i = 0; i < 32; i++) {
                    assertThat(head(client)).startsWith("HTTP/1.1 103 ");
                }
                assertThat(head(client)).startsWith("HTTP/1.1 502 ");
            }
        }
    }

    @Test
    void serverIsAskedIfItWantsTheBody() throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, EXPECTING.formatted("1.1"));
            try (Socket behind = server.accept()) {
                assertThat(head(behind)).containsIgnoringCase("expect: 100-continue\r\n");
                send(behind, HINTS + "HTTP/1.1 100 Continue\r\n\r\n");
                assertThat(head(client)).startsWith("HTTP/1.1 103 ");
                assertThat(head(client)).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
                send(client, "hello");
                assertThat(body(behind, 5)).isEqualTo("hello");
                send(behind, OK);
                assertThat(head(client)).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    void serverMayRefuseTheBodyBeforeItIsSent() throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, EXPECTING.formatted("1.1"));
            try (Socket behind = server.accept()) {
                head(behind);
                send(behind, "HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno");
                assertThat(head(client)).startsWith("HTTP/1.1 401 ");
                assertThat(body(client, 2)).isEqualTo("no");
            }
        }
    }

    @Test
    void serverThatKnowsNoExpectationGetsTheBodyAllTheSame() throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, EXPECTING.formatted("1.1"));
            try (Socket behind = server.accept()) {
                head(behind);
                assertThat(head(client)).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
                send(client, "hello");
                assertThat(body(behind, 5)).isEqualTo("hello");
            }
        }
    }

    @Test
    void expectationOfHttp10EndsHere() throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, EXPECTING.formatted("1.0") + "hello");
            try (Socket behind = server.accept()) {
                assertThat(head(behind)).doesNotContainIgnoringCase("expect");
                assertThat(body(behind, 5)).isEqualTo("hello");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"HTTP_1_1, 1.1", "HTTP_1_1, 2", "HTTP_2, 1.1", "HTTP_2, 2"})
    void hintsPassBetweenVersions(HttpProtocol protocol, String upstream) throws Exception {
        Headers link = Headers.of("link", "</a.css>");
        List<String> told = new CopyOnWriteArrayList<>();
        try (HttpServer hinting =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .transport("nio")
                                .loops(1)
                                .blocking(
                                        request -> {
                                            HttpServer.sendInterim(
                                                    request, Status.EARLY_HINTS, link);
                                            return Response.text("ok");
                                        })
                                .listen();
                Served between =
                        PlayedServer.proxy(
                                "--to",
                                "127.0.0.1:" + hinting.address().getPort(),
                                "--upstream-http",
                                upstream);
                HttpClient client =
                        HttpClient.builder().transport("nio").protocol(protocol).build()) {
            StreamedResponse answer =
                    client.openAsync(
                                    Request.get(
                                            "http://127.0.0.1:"
                                                    + between.address().getPort()
                                                    + "/"),
                                    (status, headers) ->
                                            told.add(status.code() + headers.first("link")))
                            .get(60, TimeUnit.SECONDS);
            answer.close();
            assertThat(told).containsExactly("103</a.css>");
        }
    }
}
