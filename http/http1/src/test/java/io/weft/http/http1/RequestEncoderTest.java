package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestEncoderTest {
    private static final BodySource NEVER = out -> BodySource.Step.WAIT;

    private final RequestEncoder encoder = new RequestEncoder();

    private static Request request(Method method, String target, Body body, String... fields) {
        var headers = Headers.builder();
        for (String field : fields) {
            int colon = field.indexOf(": ");
            headers.add(field.substring(0, colon), field.substring(colon + 2));
        }
        return Request.of(method, RequestTarget.of(target))
                .withHeaders(headers.build())
                .withBody(body);
    }

    private static Request post(Body body, String... fields) {
        Request request = request(Method.POST, "/", body, fields);
        return request.withHeaders(request.headers().with("host", "a"));
    }

    private static String written(Consumer<Buffer> write) {
        try (Buffer out = BufferAllocator.pooled().allocate(16)) {
            write.accept(out);
            return out.readString(ISO_8859_1);
        }
    }

    private String head(Request request) {
        return written(out -> assertThat(encoder.head(request, false, out)).isTrue());
    }

    private static Buffer ascii(String text) {
        return BufferAllocator.pooled().allocate(16).writeAscii(text);
    }

    @Test
    void writesRequestsWithoutContent() {
        assertThat(head(request(Method.GET, "/a?b", Body.empty(), "host: a", "x: y")))
                .isEqualTo("GET /a?b HTTP/1.1\r\nhost: a\r\nx: y\r\n\r\n");
        assertThat(encoder.isBodyDue()).isFalse();
    }

    @ParameterizedTest
    @CsvSource({
        "POST, true",
        "PUT, true",
        "PATCH, true",
        "QUERY, true",
        "GET, false",
        "DELETE, false"
    })
    void tellsALengthOfZeroWhereContentIsExpected(String method, boolean told) {
        assertThat(head(request(Method.of(method), "/", Body.empty(), "host: a")))
                .matches(text -> text.contains("\r\ncontent-length: 0\r\n") == told);
    }

    @Test
    void writesContentInMemoryAtOnce() {
        assertThat(head(post(Body.of("hello"))))
                .isEqualTo("POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nhello");
        assertThat(encoder.isBodyDue()).isFalse();
        assertThat(head(post(Body.of("hello"), "content-length: 5")))
                .isEqualTo("POST / HTTP/1.1\r\ncontent-length: 5\r\nhost: a\r\n\r\nhello");
    }

    @Test
    void piecesMayBeSentBesideTheEncoder() {
        assertThat(head(post(Body.of(NEVER)))).endsWith("transfer-encoding: chunked\r\n\r\n");
        assertThat(written(out -> encoder.beginData(0x1F0, out))).isEqualTo("1f0\r\n");
        assertThat(written(encoder::endData)).isEqualTo("\r\n");
        assertThat(written(out -> encoder.end(Headers.EMPTY, out))).isEqualTo("0\r\n\r\n");
        assertThat(head(post(Body.of(NEVER, 5)))).endsWith("content-length: 5\r\n\r\n");
        assertThatIllegalStateException()
                .isThrownBy(() -> written(out -> encoder.beginData(6, out)))
                .withMessage("data: 6 (expected: at most 5, what is left)");
        assertThat(written(out -> encoder.beginData(5, out))).isEmpty();
        assertThat(written(encoder::endData)).isEmpty();
        assertThat(written(out -> encoder.end(Headers.EMPTY, out))).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> written(out -> encoder.beginData(1, out)));
        try (Buffer none = ascii("")) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> written(out -> encoder.data(none, out)));
        }
    }

    @Test
    void requestsForOtherWiresAreChecked() {
        RequestEncoder.check(post(Body.of("hello")));
        Request twice = request(Method.GET, "/", Body.empty(), "host: a", "host: b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RequestEncoder.check(twice))
                .withMessageContaining("host: several");
    }

    @Test
    void contentThatWaitsFor100IsDue() {
        assertThat(head(post(Body.of("hello"), "expect: 100-continue")))
                .endsWith("expect: 100-continue\r\nhost: a\r\ncontent-length: 5\r\n\r\n");
        assertThat(encoder.isBodyDue()).isTrue();
        try (Buffer hello = ascii("hello")) {
            assertThat(written(out -> encoder.data(hello, out))).isEqualTo("hello");
        }
        assertThat(written(out -> encoder.end(Headers.EMPTY, out))).isEmpty();
        assertThat(encoder.isBodyDue()).isFalse();
    }

    /// RFC 9110, 10.1.4.
    @Test
    void teIsAFieldOfTheConnection() {
        assertThat(head(request(Method.GET, "/", Body.empty(), "host: a", "te: trailers")))
                .endsWith("te: trailers\r\nconnection: te\r\n\r\n");
        Request named =
                request(Method.GET, "/", Body.empty(), "host: a", "te: x", "connection: x, TE");
        assertThat(head(named)).endsWith("te: x\r\nconnection: x, TE\r\n\r\n");
    }

    @Test
    void streamsOfUnknownLengthGoInChunks() {
        assertThat(head(post(Body.of(NEVER))))
                .isEqualTo("POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\n");
        try (Buffer hello = ascii("hello");
                Buffer none = ascii("")) {
            assertThat(written(out -> encoder.data(none, out))).isEmpty();
            assertThat(written(out -> encoder.data(hello, out))).isEqualTo("5\r\nhello\r\n");
        }
        assertThat(written(out -> encoder.end(Headers.of("x", "y"), out)))
                .isEqualTo("0\r\nx: y\r\n\r\n");
    }

    @Test
    void streamsOfKnownLengthHaveToHaveIt() {
        assertThat(head(post(Body.of(NEVER, 5)))).endsWith("\r\ncontent-length: 5\r\n\r\n");
        try (Buffer six = ascii("hello!");
                Buffer three = ascii("hel");
                Buffer out = ascii("")) {
            assertThatIllegalStateException().isThrownBy(() -> encoder.data(six, out));
            encoder.data(three, out);
            assertThatIllegalStateException()
                    .isThrownBy(() -> encoder.end(Headers.EMPTY, out))
                    .withMessage("end: 2 bytes missing (expected: 0)");
            assertThat(out.readString(ISO_8859_1)).isEqualTo("hel");
        }
    }

    @Test
    void anEmptyStreamHasToBeEnded() {
        assertThat(head(post(Body.of(NEVER, 0)))).endsWith("\r\ncontent-length: 0\r\n\r\n");
        assertThat(encoder.isBodyDue()).isTrue();
    }

    @Test
    void closeIsSaidOnce() {
        for (String field : List.of("x: y", "connection: close")) {
            Request request = request(Method.GET, "/", Body.empty(), "host: a", field);
            String text = written(out -> assertThat(encoder.head(request, true, out)).isFalse());
            assertThat(text).containsOnlyOnce("connection: close\r\n");
        }
        Request own = request(Method.GET, "/", Body.empty(), "host: a", "connection: Close");
        assertThat(written(out -> assertThat(encoder.head(own, false, out)).isFalse()))
                .containsOnlyOnce("connection: Close\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, http://a:80/b, a:80",
        "OPTIONS, *, a",
        "OPTIONS, /, a",
        "CONNECT, a:443, a:443",
        "PURGE, /, '[::1]:80'"
    })
    void formsOfTargets(String method, String target, String host) {
        assertThat(head(request(Method.of(method), target, Body.empty(), "host: " + host)))
                .startsWith(method + " " + target + " HTTP/1.1\r\n");
    }

    @ParameterizedTest
    @CsvSource({
        "GET, *, a, target form",
        "CONNECT, /, a, target form",
        "GET, a:80, a:80, target form",
        "GET, http://a/, b, the target's",
        "GET, http://a:80/, a, the target's",
        "CONNECT, a:443, a, the target's",
        "GET, /, 'a,b', malformed",
        "GET, /, '', malformed",
        "GET, /, u@a, malformed",
        "GET, /, a:99999, malformed"
    })
    void refusesTargetsAndHostsThatDoNotFit(
            String method, String target, String host, String reason) {
        refused(request(Method.of(method), target, Body.empty(), "host: " + host), reason);
    }

    @Test
    void refusesNoneOrSeveralHosts() {
        refused(request(Method.GET, "/", Body.empty()), "host: none");
        refused(request(Method.GET, "/", Body.empty(), "host: a", "host: a"), "host: several");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "transfer-encoding: chunked",
                "transfer-encoding: identity",
                "content-length: 4",
                "content-length: 05",
                "content-length: +5",
                "content-length: 5, 5",
                "content-length: -1",
                "expect: 200-ok",
                "connection: content-length",
                "connection: close, Host",
                "connection: authorization",
                "connection: upgrade",
                "upgrade: websocket"
            })
    void refusesFieldsThatWouldSmuggle(String field) {
        refused(post(Body.of("hello"), field), "(expected: ");
    }

    @Test
    void refusesLengthsOfStreamsWithout() {
        refused(post(Body.of(NEVER), "content-length: 5"), "content-length");
        refused(post(Body.of("hello"), "content-length: 5", "content-length: 5"), "once");
        refused(post(Body.empty(), "expect: 100-continue"), "with a body");
        refused(request(Method.TRACE, "/", Body.of("a"), "host: a"), "TRACE with a body");
        refused(request(Method.CONNECT, "a:1", Body.of("a"), "host: a:1"), "with a body");
    }

    private void refused(Request request, String reason) {
        try (Buffer out = ascii("")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> encoder.head(request, false, out))
                    .withMessageContaining(reason);
            assertThat(out.readableBytes()).isZero();
        }
        assertThat(encoder.isBodyDue()).isFalse();
    }

    @Test
    void trailersThatMayNotBeAreRefused() {
        head(post(Body.of(NEVER)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> written(out -> encoder.end(Headers.of("host", "b"), out)));
        assertThat(encoder.isBodyDue()).isTrue();
    }

    /// The decoder finds one request in the output: the one that was encoded.
    @Test
    void theDecoderReadsWhatIsWritten() {
        try (Trace trace = new Trace(Http1Limits.DEFAULT)) {
            trace.feed(head(post(Body.of("hello"), "x: \u00e9")));
            trace.feed(head(request(Method.GET, "http://a/b", Body.empty(), "host: a")));
            trace.feed(head(post(Body.of(NEVER))));
            try (Buffer data = ascii("0\r\n\r\n")) {
                trace.feed(written(out -> encoder.data(data, out)));
            }
            trace.feed(written(out -> encoder.end(Headers.of("x", "y"), out)));
            assertThat(trace.events)
                    .containsExactly(
                            "head POST / HTTP/1.1 [x=\u00e9, host=a, content-length=5] LENGTH 5"
                                    + " keep-alive",
                            "body hello",
                            "end []",
                            "head GET http://a/b HTTP/1.1 [host=a] NONE 0 keep-alive",
                            "end []",
                            "head POST / HTTP/1.1 [host=a, transfer-encoding=chunked] CHUNKED -1"
                                    + " keep-alive",
                            "body 0\r\n\r\n",
                            "end [x=y]");
        }
    }
}
