package io.weft.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HttpException;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.Warns;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FiltersTest {
    private static final String LONG = "0123456789".repeat(200);

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static String ask(HttpFilter filter, HttpHandler handler, String request) {
        return ask(List.of(filter), handler, request);
    }

    private static String ask(List<HttpFilter> filters, HttpHandler handler, String request) {
        Application application =
                new Application.Filtered(new Application.Direct(handler), filters);
        try (EmbeddedChannel channel = Http1Channels.of(application)) {
            channel.receive(request.replace("\n", "\r\n") + "\r\n");
            channel.runPending();
            return new String(channel.takeOutbound(), ISO_8859_1);
        }
    }

    private static String get(HttpFilter filter, HttpHandler handler, String fields) {
        return ask(filter, handler, "GET / HTTP/1.1\nHost: x\n" + fields);
    }

    private static byte[] body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4).getBytes(ISO_8859_1);
    }

    private static String inflated(String answer) throws Exception {
        InputStream bytes = new ByteArrayInputStream(body(answer));
        try (InputStream in =
                answer.contains("content-encoding: gzip")
                        ? new GZIPInputStream(bytes)
                        : new InflaterInputStream(bytes)) {
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    @Test
    void changesOfFiltersStayWhenALaterOneFails() {
        List<@Nullable String> seen = new ArrayList<>();
        HttpFilter marks =
                new HttpFilter() {
                    @Override
                    public Request adapt(Request request) {
                        return request.withHeader("mark", "mine");
                    }

                    @Override
                    public void finished(FinishedExchange exchange) {
                        seen.add(exchange.request().headers().first("mark"));
                    }
                };
        HttpFilter fails =
                new HttpFilter() {
                    @Override
                    public Request adapt(Request request) {
                        throw new HttpException(Status.BAD_REQUEST, "no");
                    }
                };
        HttpHandler handler = _ -> Response.text("not reached");
        String answer = ask(List.of(marks, fails), handler, "GET / HTTP/1.1\nHost: x\n");
        assertThat(answer).startsWith("HTTP/1.1 400 ");
        assertThat(seen).containsExactly("mine");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip | gzip",
                "GZIP | gzip",
                "deflate | deflate",
                "deflate, gzip | gzip",
                "deflate;q=1, gzip;q=0.5 | deflate",
                "* | gzip",
                "gzip;q=0, * | deflate",
                "br |",
                "identity |",
                "gzip;q=0 |",
                "identity;q=1, gzip;q=0.5 |",
                "gzip;q=nonsense |",
                "'' |"
            })
    void compressesInTheCodingThatTheClientLikes(String accepted, @Nullable String coding)
            throws Exception {
        String answer =
                get(
                        Compression.DEFAULT,
                        _ -> Response.text(LONG),
                        "Accept-Encoding: " + accepted + "\n");
        assertThat(answer).contains("vary: accept-encoding\r\n");
        if (coding == null) {
            assertThat(answer).doesNotContain("content-encoding").endsWith(LONG);
        } else {
            assertThat(answer).contains("content-encoding: " + coding + "\r\n");
            assertThat(inflated(answer)).isEqualTo(LONG);
        }
    }

    @Test
    void compressesStreamsAsTheyCome() throws Exception {
        String longer = LONG.repeat(100);
        HttpHandler handler = _ -> Response.text(longer);
        String chunked = get(Compression.DEFAULT, handler, "Accept-Encoding: gzip\n");
        assertThat(chunked).contains("transfer-encoding: chunked");
        String body = new String(body(chunked), ISO_8859_1);
        StringBuilder bytes = new StringBuilder("content-encoding: gzip\r\n\r\n");
        for (int at = 0, size = 1; size > 0; ) {
            int line = body.indexOf("\r\n", at);
            size = Integer.parseInt(body.substring(at, line), 16);
            bytes.append(body, line + 2, line + 2 + size);
            at = line + 4 + size;
        }
        assertThat(inflated(bytes.toString())).isEqualTo(longer);
    }

    @ParameterizedTest
    @CsvSource({
        "content-type, image/png",
        "content-type, text/event-stream",
        "content-encoding, x",
        "cache-control, no-transform",
        "content-digest, sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
        "repr-digest, sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"
    })
    void leavesOtherAnswersAsTheyAre(String name, String value) {
        HttpHandler handler = _ -> Response.text(LONG).withHeader(name, value);
        assertThat(get(Compression.DEFAULT, handler, "Accept-Encoding: gzip\n")).endsWith(LONG);
    }

    @Test
    void leavesShortAnswersAsTheyAre() {
        String accept = "Accept-Encoding: gzip\n";
        assertThat(get(Compression.DEFAULT, _ -> Response.text("short"), accept)).endsWith("short");
    }

    /// Content-Length of a response to HEAD is that of GET, or missing (RFC 9110, 8.6).
    @ParameterizedTest
    @ValueSource(ints = {2000, 500_000})
    void headHasTheFieldsOfGet(int length) {
        String request = " / HTTP/1.1\nHost: x\nAccept-Encoding: gzip\n";
        HttpHandler handler = _ -> Response.text("x".repeat(length));
        String head = ask(Compression.DEFAULT, handler, "HEAD" + request);
        String get = ask(Compression.DEFAULT, handler, "GET" + request);
        Stream<String> fields = head.lines().filter(line -> !line.startsWith("transfer-encoding"));
        assertThat(fields.filter(line -> !line.startsWith("date"))) // may be of the second before
                .contains("content-encoding: gzip", "vary: accept-encoding")
                .allMatch(get::contains);
        assertThat(head).contains(length == 2000 ? "content-length: " : "").endsWith("\r\n\r\n");
    }

    @Test
    void weakensTagsAndKeepsWhatVaries() {
        HttpHandler handler =
                _ -> Response.text(LONG).withHeader("etag", "\"1\"").withHeader("vary", "cookie");
        assertThat(get(Compression.DEFAULT, handler, "Accept-Encoding: gzip\n"))
                .contains("etag: W/\"1\"\r\n")
                .contains("vary: cookie\r\n")
                .contains("vary: accept-encoding\r\n");
    }

    /// A cache must not take them for other variants (RFC 9110, 15.3.7 and 15.4.5).
    @ParameterizedTest
    @CsvSource({
        "304, text/plain, true",
        "304, image/png, false",
        "206, text/plain, true",
        "206, multipart/byteranges; boundary=x, true"
    })
    void partsAndUnmodifiedVaryAsTheWholeWould(int status, String type, boolean varies) {
        HttpHandler handler = _ -> Response.of(Status.of(status)).withHeader("content-type", type);
        String answer = get(Compression.DEFAULT, handler, "Accept-Encoding: gzip\n");
        assertThat(answer).startsWith("HTTP/1.1 " + status);
        assertThat(answer.contains("vary: accept-encoding\r\n")).isEqualTo(varies);
    }

    /// Else a cache that has the compressed 200 does not find what 304 is about (RFC 9111, 4.3.4).
    @ParameterizedTest
    @CsvSource({
        "W/\"1\", gzip, W/\"1\"",
        "'\"0\", W/\"1\"', gzip, W/\"1\"",
        "'\"0\", \"1\"', gzip, \"1\"",
        "*, gzip, W/\"1\"",
        "W/\"1\", identity, \"1\""
    })
    void unmodifiedHasTheTagOfTheWhole(String asked, String accepted, String tag) {
        HttpHandler handler =
                _ ->
                        Response.of(Status.NOT_MODIFIED)
                                .withHeader("content-type", "text/plain")
                                .withHeader("etag", "\"1\"");
        String fields = "Accept-Encoding: " + accepted + "\nIf-None-Match: " + asked + "\n";
        assertThat(get(Compression.DEFAULT, handler, fields)).contains("\r\netag: " + tag + "\r\n");
    }

    /// Its 200 is not compressed, and has its strong tag.
    @ParameterizedTest
    @ValueSource(strings = {"content-digest", "repr-digest", "content-encoding"})
    void unmodifiedKeepsTheTagOfAWholeThatIsNotCompressed(String field) {
        HttpHandler handler =
                _ ->
                        Response.of(Status.NOT_MODIFIED)
                                .withHeader("content-type", "text/plain")
                                .withHeader(field, "x")
                                .withHeader("etag", "\"1\"");
        String fields = "Accept-Encoding: gzip\nIf-None-Match: W/\"1\"\n";
        assertThat(get(Compression.DEFAULT, handler, fields)).contains("\r\netag: \"1\"\r\n");
    }

    @Test
    void trailersStayBehindACompressedBody() {
        BodySource summed =
                new BodySource() {
                    @Override
                    public Step read(Buffer out) {
                        out.writeAscii(LONG);
                        return Step.END;
                    }

                    @Override
                    public Headers trailers() {
                        return Headers.of("checksum", "7");
                    }
                };
        HttpHandler handler = _ -> Response.text("").withBody(Body.of(summed));
        String answer = get(Compression.DEFAULT, handler, "Accept-Encoding: gzip\nTE: trailers\n");
        assertThat(answer).contains("content-encoding: gzip\r\n");
        assertThat(answer).endsWith("\r\n0\r\nchecksum: 7\r\n\r\n");
    }

    private static final Cors CORS =
            Cors.of("https://a.example")
                    .withMethods(Method.PUT)
                    .withHeaders(HeaderName.of("x-a"))
                    .withExposed(HeaderName.ETAG)
                    .withCredentials()
                    .withPrivateNetwork();

    private static final String PREFLIGHT =
            "OPTIONS / HTTP/1.1\nHost: x\nAccess-Control-Request-Method: PUT\nOrigin: ";

    @Test
    void answersAPreflightOfAnOriginThatMayAsk() {
        String answer =
                ask(
                        CORS,
                        _ -> Response.text("handler"),
                        PREFLIGHT
                                + "https://a.example\nAccess-Control-Request-Private-Network: true\n");
        assertThat(answer)
                .startsWith("HTTP/1.1 204 ")
                .contains("access-control-allow-origin: https://a.example\r\n")
                .contains("access-control-allow-methods: GET, HEAD, POST, PUT\r\n")
                .contains("access-control-allow-headers: x-a\r\n")
                .contains("access-control-allow-credentials: true\r\n")
                .contains("access-control-allow-private-network: true\r\n")
                .contains("access-control-max-age: 600\r\n")
                .contains("vary: origin\r\n");
    }

    @Test
    void answersAPreflightOfAnotherOriginWithoutAllowing() {
        assertThat(ask(CORS, _ -> Response.text("handler"), PREFLIGHT + "https://b.example\n"))
                .startsWith("HTTP/1.1 204 ")
                .contains("vary: origin\r\n")
                .doesNotContain("access-control-allow");
    }

    @Test
    void saysWhoMayReadAnAnswer() {
        HttpHandler handler = _ -> Response.text("x").withHeader("vary", "cookie");
        assertThat(get(CORS, handler, "Origin: https://a.example\n"))
                .contains("access-control-allow-origin: https://a.example\r\n")
                .contains("access-control-expose-headers: etag\r\n")
                .contains("vary: cookie\r\n")
                .contains("vary: origin\r\n");
        assertThat(get(CORS, handler, "Origin: https://a.example.evil\n"))
                .doesNotContain("access-control-allow")
                .contains("vary: origin\r\n");
        assertThat(get(Cors.of("*"), handler, "Origin: https://b\n"))
                .contains("access-control-allow-origin: *\r\n")
                .doesNotContain("vary: origin");
        assertThat(get(Cors.of("*").withExposed(HeaderName.ETAG), handler, ""))
                .contains("access-control-allow-origin: *\r\n")
                .contains("access-control-expose-headers: etag\r\n");
        for (String none : List.of("https://a.example/", "a.example", "https://A.example", "")) {
            assertThatThrownBy(() -> Cors.of(none)).hasMessageContaining("expected: as https://");
        }
        assertThatThrownBy(() -> Cors.of("*").withCredentials())
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aFilterAnswersInThePlaceOfTheHandler() {
        HttpFilter closed =
                new HttpFilter() {
                    @Override
                    public Response before(Request request) {
                        throw new HttpException(Status.UNAUTHORIZED, "who are you");
                    }
                };
        String answers =
                ask(
                        closed,
                        _ -> Response.text("secret"),
                        "POST / HTTP/1.1\nHost: x\nContent-Length: 2\n\nabGET / HTTP/1.1\nHost: x\n");
        assertThat(answers.split("HTTP/1.1 401 ", -1)).hasSize(3);
        assertThat(answers).doesNotContain("secret").doesNotContain("connection: close");
    }

    @Test
    @Warns
    void aFilterThatFailsIsAnsweredWith500() {
        HttpFilter failing =
                new HttpFilter() {
                    @Override
                    public Response after(Request request, Response response) {
                        throw new IllegalStateException("on purpose");
                    }
                };
        HttpHandler handler =
                _ ->
                        Response.of(
                                Status.OK,
                                Headers.EMPTY,
                                Body.of(new ByteArrayInputStream(new byte[9])));
        assertThat(get(failing, handler, "")).startsWith("HTTP/1.1 500 ");
    }
}
