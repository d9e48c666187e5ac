package io.weft.examples.proxy;

import static io.weft.examples.proxy.PlayedServer.send;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Served;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpProtocol;
import io.weft.http.model.Request;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// [ReverseProxy] before a server that is played line by line.
@Timeout(300)
class ReverseProxyEdgesTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: example.org\r\n";

    private final PlayedServer server = new PlayedServer();
    private final Served proxy = server.proxy();

    ReverseProxyEdgesTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    /// Reads up to the end of `until`; null when the connection ends before.
    private static @Nullable String read(Socket from, String until) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(until) < 0) {
            int b;
            try {
                b = from.getInputStream().read();
            } catch (SocketException e) {
                return null; // reset
            }
            if (b < 0) {
                return null;
            }
            text.append((char) b);
        }
        return text.toString();
    }

    private static @Nullable String head(Socket from) throws IOException {
        return read(from, "\r\n\r\n");
    }

    private static boolean ends(Socket socket) {
        try {
            return socket.getInputStream().read() < 0;
        } catch (IOException e) {
            return true; // reset
        }
    }

    /// The answer to a request, when the server has answered it so, and closed.
    private String answered(String request, String answer) throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, request + "Connection: close\r\n\r\n");
            try (Socket behind = server.accept()) {
                head(behind);
                send(behind, answer);
            }
            return new String(client.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @Test
    void clientThatGoesEndsItsRequestAtTheServer() throws Exception {
        Socket client = proxy.connect();
        send(client, GET + "\r\n");
        try (Socket behind = server.accept()) {
            head(behind);
            client.setSoLinger(true, 0);
            client.close();
            assertThat(ends(behind)).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP_1_1", "HTTP_2"})
    void requestThatIsCancelledEndsAtTheServer(HttpProtocol protocol) throws Exception {
        try (HttpClient client = HttpClient.builder().transport("nio").protocol(protocol).build()) {
            int port = proxy.address().getPort();
            var answer = client.openAsync(Request.get("http://127.0.0.1:" + port + "/"));
            try (Socket behind = server.accept()) {
                head(behind);
                answer.cancel(true);
                assertThat(ends(behind)).isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "204 No Content\r\nContent-Length: 0",
                "205 Reset Content\r\nContent-Length: 0",
                "304 Not Modified\r\nContent-Length: 9"
            })
    void answersWithoutContentPass(String answer) throws Exception {
        String code = answer.substring(0, 4);
        assertThat(answered(GET, "HTTP/1.1 " + answer + "\r\n\r\n"))
                .startsWith("HTTP/1.1 " + code)
                .endsWith("\r\n\r\n");
    }

    @Test
    void lengthOfHeadPassesWithoutABody() throws Exception {
        assertThat(
                        answered(
                                "HEAD / HTTP/1.1\r\nHost: x\r\n",
                                "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n"))
                .contains("1234")
                .endsWith("\r\n\r\n");
    }

    @Test
    void connectionCannotHaveHostDropped() throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, GET + "Connection: host, via, x-gone\r\nX-Gone: 1\r\n\r\n");
            try (Socket behind = server.accept()) {
                assertThat(head(behind))
                        .containsIgnoringCase("host: example.org\r\n")
                        .doesNotContainIgnoringCase("x-gone");
            }
        }
    }

    @Test
    void answerThatIsCutOffIsNotPassedOnAsWhole() throws Exception {
        for (String framing :
                List.of("Content-Length: 10\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\n5\r\n")) {
            try (Socket client = proxy.connect()) {
                send(client, GET + "\r\n");
                try (Socket behind = server.accept()) {
                    head(behind);
                    send(behind, "HTTP/1.1 200 OK\r\n" + framing + "12345");
                }
                assertThat(head(client)).startsWith("HTTP/1.1 200");
                assertThat(read(client, "\r\n0\r\n")).isNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void trailersPassToClientsThatTakeThem(boolean taken) throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, GET + (taken ? "TE: trailers\r\nConnection: te\r\n\r\n" : "\r\n"));
            try (Socket behind = server.accept()) {
                String head = Objects.requireNonNull(head(behind));
                assertThat(head.contains("te: trailers\r\n")).isEqualTo(taken);
                assertThat(head.contains("connection: te\r\n")).isEqualTo(taken);
                send(
                        behind,
                        """
                        HTTP/1.1 200 OK\r
                        Transfer-Encoding: chunked\r
                        \r
                        2\r
                        hi\r
                        0\r
                        X-Sum: 7\r
                        \r
                        """);
                assertThat(head(client)).contains("200");
                assertThat(head(client))
                        .isEqualToIgnoringCase(
                                "2\r\nhi\r\n0\r\n" + (taken ? "x-sum: 7\r\n\r\n" : "\r\n"));
            }
        }
    }

    /// Attack class: a field that a server takes for the proxy's own word, by its family, by
    /// another spelling, or behind the body.
    @Test
    void claimsOfStrangersDoNotPass() throws Exception {
        try (Socket client = proxy.connect()) {
            send(
                    client,
                    """
                    POST / HTTP/1.1\r
                    Host: example.org\r
                    X-Forwarded-Prefix: /evil\r
                    X-Forwarded-Ssl: evil\r
                    X.Forwarded.For: evil\r
                    X_Real~IP: evil\r
                    True-Client-IP: evil\r
                    X-Original-URL: /evil\r
                    X-Kept: 1\r
                    Transfer-Encoding: chunked\r
                    \r
                    2\r
                    hi\r
                    0\r
                    X-Forwarded-For: evil\r
                    Forwarded: for=evil\r
                    X-Sum: 7\r
                    \r
                    """);
            try (Socket behind = server.accept()) {
                assertThat(head(behind)).contains("x-kept: 1\r\n").doesNotContain("evil");
                assertThat(head(behind)).contains("hi", "x-sum: 7\r\n").doesNotContain("evil");
            }
        }
    }

    @Test
    void interimAnswersAreNotTheAnswer() throws Exception {
        String answer =
                answered(
                        GET,
                        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
        assertThat(answer).contains("HTTP/1.1 200").endsWith("ok");
    }

    @Test
    void answersThatNobodyAskedForAreNotTheNextOne() throws Exception {
        assertThat(
                        answered(
                                GET,
                                "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
                                        + "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nevil!"))
                .endsWith("ok");
        assertThat(answered(GET, "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nnext"))
                .endsWith("next");
    }

    @Test
    void serverMayRefuseABodyThatIsStillOnItsWay() throws Exception {
        CompletableFuture<Void> up;
        try (Socket client = proxy.connect()) {
            send(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n");
            up = CompletableFuture.runAsync(() -> fill(client), Thread::startVirtualThread);
            try (Socket behind = server.accept()) {
                head(behind);
                send(behind, "HTTP/1.1 413 Too Large\r\nContent-Length: 2\r\n\r\nno");
                assertThat(head(client)).startsWith("HTTP/1.1 413");
            }
        }
        up.get(60, TimeUnit.SECONDS);
    }

    private static void fill(Socket client) {
        byte[] piece = new byte[1 << 16];
        try {
            while (true) {
                client.getOutputStream().write(piece);
            }
        } catch (IOException _) {
            // No more is wanted.
        }
    }

    @Test
    void postIsNotSentAgainOnAConnectionThatTheServerCloses() throws Exception {
        List<String> heads = new ArrayList<>();
        try (Socket client = proxy.connect()) {
            send(client, GET + "\r\n");
            Socket kept = server.accept();
            heads.add(head(kept));
            send(kept, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            assertThat(read(client, "ok")).startsWith("HTTP/1.1 200");
            send(client, "POST /once HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\nx");
            heads.add(head(kept));
            kept.close();
            assertThat(head(client)).startsWith("HTTP/1.1 502");
        }
        assertThat(heads.get(1)).startsWith("POST /once ");
    }
}
