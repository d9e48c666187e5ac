package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Served;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server is asked the same by [ReverseProxy] over either version of HTTP, and answers the same.
@Timeout(300)
class UpstreamVersionsTest {
    private final List<String> seen = new CopyOnWriteArrayList<>();

    private HttpServer origin() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport("nio")
                .loops(1)
                .blocking(this::answer)
                .listen();
    }

    private Response answer(Request request) throws Exception {
        String body = new String(request.body().asInputStream().readAllBytes(), ISO_8859_1);
        List<String> fields = new ArrayList<>();
        request.headers()
                .forEach(
                        f ->
                                fields.add(
                                        f.name().toString().toLowerCase(Locale.ROOT)
                                                + ": "
                                                + f.value()));
        // Of the connection: HTTP/2 has none.
        fields.removeIf(f -> f.equals("connection: te") || f.startsWith("transfer-encoding"));
        fields.sort(null);
        seen.add(request.method() + " " + request.target() + "\n" + fields + "\n" + body);
        String status = request.headers().first("x-status");
        return Response.of(
                Status.of(status == null ? 200 : Integer.parseInt(status)),
                Headers.builder()
                        .add(HeaderName.of("x-up"), "1")
                        .add(HeaderName.of("set-cookie"), "a=b")
                        .add(HeaderName.of("set-cookie"), "c=d")
                        .build(),
                "204".equals(status) || "304".equals(status)
                        ? Body.empty()
                        : Body.of("<" + body + ">"));
    }

    private static String exchange(Served proxy, String wire) throws Exception {
        try (Socket socket = proxy.connect()) {
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(wire.getBytes(ISO_8859_1));
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /a%20b?c=%00&d HTTP/1.1\r\nHost: x:81\r\n\r\n",
                "GET //a/../b HTTP/1.1\r\nHost: x\r\n\r\n",
                "HEAD / HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.0\r\n\r\n",
                "GET http://y/z HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nConnection: x-a, keep-alive\r\nX-A: 1\r\nKeep-Alive: 1\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nCookie: a=b; c=d\r\nX-B: 1\r\nX-B: 2\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nTE: trailers, gzip\r\nConnection: te\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nProxy-Connection: a\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\nConnection: upgrade, http2-settings\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello",
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi",
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhe\r\n3\r\nllo\r\n0\r\nX-T: 1\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello",
                "OPTIONS / HTTP/1.1\r\nHost: x\r\nMax-Forwards: 3\r\n\r\n",
                "DELETE / HTTP/1.1\r\nHost: x\r\nX-Status: 204\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nX-Status: 304\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nX-Status: 500\r\n\r\n",
                "PATCH / HTTP/1.1\r\nHost: x\r\nX-Status: 404\r\nContent-Length: 1\r\n\r\n!",
                "FOO / HTTP/1.1\r\nHost: x\r\nX-\u00e9: 1\r\n\r\n",
                "FOO / HTTP/1.1\r\nHost: x\r\nX-Value: \u00e9\t.\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\nX-Empty:\r\nX-Long: LONG\r\n\r\n",
            })
    void requestMeansTheSame(String wire) throws Exception {
        String request = wire.replace("LONG", "y".repeat(6_000));
        List<String> answers = new ArrayList<>();
        for (String version : List.of("1.1", "2")) {
            try (HttpServer server = origin();
                    Served proxy =
                            PlayedServer.proxy(
                                    "--to",
                                    "127.0.0.1:" + server.address().getPort(),
                                    "--upstream-http",
                                    version)) {
                String port = ":" + server.address().getPort();
                answers.add(sorted(normal(exchange(proxy, request), port)));
                seen.replaceAll(text -> normal(text, port));
            }
        }
        assertThat(answers.get(1)).isEqualTo(answers.get(0));
        if (!seen.isEmpty()) {
            assertThat(seen).hasSize(2);
            assertThat(seen.get(1)).isEqualTo(seen.get(0));
        }
    }

    /// With the fields of the head in an order.
    private static String sorted(String answer) {
        int end = answer.indexOf("\r\n\r\n");
        return answer.substring(0, end).lines().sorted().toList() + answer.substring(end);
    }

    /// Without what differs from run to run, and the fields that the versions need.
    private static String normal(String text, String port) {
        return text.replaceAll("weft-[0-9a-f]+", "weft")
                .replace(port, ":0")
                // Which the answer says if the end of the client's input is in by then.
                .replaceAll("(?i)connection: close\r\n", "")
                .replaceAll("(?i)date: [^\r\n]*", "date");
    }
}
