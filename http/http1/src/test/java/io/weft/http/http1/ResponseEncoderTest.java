package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import java.time.Instant;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ResponseEncoderTest {
    private static final Response STREAM =
            Response.of(Status.OK, Headers.EMPTY, Body.of(out -> BodySource.Step.END));
    private final ResponseEncoder encoder = new ResponseEncoder();
    private Buffer out;

    @BeforeEach
    void open() {
        out = BufferAllocator.pooled().allocate(16);
    }

    @AfterEach
    void everyBufferWasReleased() {
        out.release();
    }

    private String written() {
        return out.readString(ISO_8859_1);
    }

    private String head(Response response, Method method, Version version, boolean close) {
        encoder.head(response, method, version, close, out);
        return written();
    }

    private String head(Response response) {
        return head(response, Method.GET, Version.HTTP_1_1, false);
    }

    private Buffer data(String text) {
        return BufferAllocator.pooled().allocate(64).writeAscii(text);
    }

    private void assertRefused(Class<? extends Throwable> type, ThrowingCallable call) {
        boolean due = encoder.isBodyDue();
        int before = out.writeOffset();
        assertThatThrownBy(call).isInstanceOf(type);
        assertThat(out.writeOffset()).isEqualTo(before);
        assertThat(encoder.isBodyDue()).isEqualTo(due);
    }

    @Test
    void aBodyInMemoryGoesOutWithItsLength() {
        assertThat(head(Response.text("hello")))
                .isEqualTo(
                        "HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\n"
                                + "content-length: 5\r\n\r\nhello");
        assertThat(encoder.isBodyDue()).isFalse();
        assertThat(head(Response.of(Status.NOT_FOUND)))
                .isEqualTo("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
        assertThat(head(Response.of(Status.of(299), Headers.EMPTY, Body.of("x".repeat(1234)))))
                .startsWith("HTTP/1.1 299 \r\ncontent-length: 1234\r\n\r\nxx")
                .endsWith("x".repeat(1234));
    }

    private record Turn(Response response, Method method, Version version, boolean close) {
        Turn(Response response) {
            this(response, Method.GET, Version.HTTP_1_1, false);
        }

        boolean write(ResponseEncoder to, Buffer out) {
            return to.head(response, method, version, close, out);
        }
    }

    /// An encoder keeps a head that came twice; whatever it then writes is what a new one writes.
    @Test
    void theHeadThatIsKeptIsWrittenForTheSameResponseOnly() {
        Headers fields = Headers.of("a", "b");
        Body body = Body.of("hello");
        Response same = Response.of(Status.OK, fields, body);
        List<Turn> turns =
                List.of(
                        new Turn(same),
                        new Turn(same.withBody(Body.of("hello, world"))),
                        new Turn(same.withBody(Body.empty())),
                        new Turn(same.withBody(STREAM.body())),
                        new Turn(same.withStatus(Status.NOT_FOUND)),
                        new Turn(same.withStatus(Status.NOT_MODIFIED)),
                        new Turn(same.withHeaders(Headers.of("a", "c"))),
                        new Turn(same.withHeaders(Headers.of("connection", "close"))),
                        new Turn(same.withHeaders(Headers.of("date", "today"))),
                        new Turn(same.withHeaders(Headers.of("long", "x".repeat(600)))),
                        new Turn(same, Method.HEAD, Version.HTTP_1_1, false),
                        new Turn(same, Method.CONNECT, Version.HTTP_1_1, false),
                        new Turn(same, Method.GET, Version.HTTP_1_0, false),
                        new Turn(same, Method.GET, Version.HTTP_1_1, true));
        DateField date = new DateField(Instant.EPOCH);
        for (Turn first : turns) {
            for (Turn then : turns) {
                if (refused(first) || refused(then)) {
                    continue;
                }
                ResponseEncoder keeping = new ResponseEncoder(date);
                for (Turn turn : List.of(first, first, first, then, then, first)) {
                    ResponseEncoder anew = new ResponseEncoder(date);
                    boolean persists = turn.write(anew, out);
                    String expected = written();
                    assertThat(turn.write(keeping, out)).isEqualTo(persists);
                    assertThat(written()).isEqualTo(expected);
                    assertThat(keeping.isBodyDue()).isEqualTo(anew.isBodyDue());
                    if (keeping.isBodyDue()) {
                        keeping.end(Headers.EMPTY, out);
                        written();
                    }
                }
            }
        }
    }

    /// Content in answers to CONNECT.
    private boolean refused(Turn turn) {
        try {
            turn.write(new ResponseEncoder(), out);
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        } finally {
            written();
        }
    }

    @Test
    void aDateIsTheSameOnOtherWires() {
        DateField date = new DateField(Instant.EPOCH);
        assertThat(date.value()).isEqualTo("Thu, 01 Jan 1970 00:00:00 GMT");
        date.refresh(Instant.EPOCH.plusSeconds(61));
        assertThat(date.value()).isEqualTo("Thu, 01 Jan 1970 00:01:01 GMT");
    }

    @Test
    void aLengthThatTheResponseTellsIsNotToldTwice() {
        assertThat(head(Response.text("hello").withHeaders(Headers.of("Content-Length", "5"))))
                .isEqualTo("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello");
    }

    @Test
    void answersToHeadHaveTheLengthAndNoContent() {
        assertThat(head(Response.text("hello"), Method.HEAD, Version.HTTP_1_1, false))
                .endsWith("content-length: 5\r\n\r\n");
        assertThat(head(STREAM, Method.HEAD, Version.HTTP_1_1, false))
                .isEqualTo("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        assertThat(encoder.isBodyDue()).isFalse();
        assertThat(
                        head(
                                Response.of(Status.OK).withHeader("content-length", "7"),
                                Method.HEAD,
                                Version.HTTP_1_1,
                                false))
                .isEqualTo("HTTP/1.1 200 OK\r\ncontent-length: 7\r\n\r\n");
    }

    @Test
    void statusesWithoutContentHaveNone() {
        assertThat(head(Response.of(Status.NO_CONTENT)))
                .isEqualTo("HTTP/1.1 204 No Content\r\n\r\n");
        assertThat(head(Response.of(Status.NOT_MODIFIED)))
                .isEqualTo("HTTP/1.1 304 Not Modified\r\n\r\n");
        assertThat(head(Response.text("hello").withStatus(Status.NOT_MODIFIED)))
                .endsWith("content-length: 5\r\n\r\n");
        assertThat(head(Response.of(Status.RESET_CONTENT))).endsWith("content-length: 0\r\n\r\n");
        assertThat(head(Response.of(Status.SWITCHING_PROTOCOLS)))
                .isEqualTo("HTTP/1.1 101 Switching Protocols\r\n\r\n");
        assertThat(head(Response.of(Status.OK), Method.CONNECT, Version.HTTP_1_1, false))
                .isEqualTo("HTTP/1.1 200 OK\r\n\r\n");
        for (Status status :
                new Status[] {
                    Status.NO_CONTENT, Status.RESET_CONTENT, Status.SWITCHING_PROTOCOLS
                }) {
            assertRefused(
                    IllegalArgumentException.class,
                    () -> head(Response.text("hello").withStatus(status)));
        }
        assertRefused(
                IllegalArgumentException.class,
                () -> head(Response.text("x"), Method.CONNECT, Version.HTTP_1_1, false));
        assertRefused(
                IllegalArgumentException.class,
                () -> head(Response.of(Status.NO_CONTENT).withHeader("content-length", "0")));
        assertRefused(
                IllegalArgumentException.class,
                () -> head(Response.of(Status.OK).withHeader("content-length", "7")));
        assertRefused(IllegalArgumentException.class, () -> head(Response.of(Status.EARLY_HINTS)));
    }

    @Test
    void theSameHeadAgainIsWrittenTheSame() {
        ResponseEncoder dated = new ResponseEncoder(new DateField(Instant.EPOCH));
        for (int i = 0; i < 4; i++) {
            for (String text : new String[] {"hello", "world", "hello", "other length"}) {
                Response[] responses = {
                    Response.text(text),
                    Response.text(text).withStatus(Status.ACCEPTED),
                    Response.text(text).withHeader("a", "b")
                };
                for (Response response : responses) {
                    for (int again = 0; again < 4; again++) {
                        ResponseEncoder fresh = new ResponseEncoder(new DateField(Instant.EPOCH));
                        fresh.head(response, Method.GET, Version.HTTP_1_1, false, out);
                        String expected = written();
                        dated.head(response, Method.GET, Version.HTTP_1_1, false, out);
                        assertThat(written()).isEqualTo(expected);
                    }
                    dated.head(response, Method.HEAD, Version.HTTP_1_1, false, out);
                    assertThat(written()).endsWith("\r\n\r\n");
                    dated.head(response, Method.GET, Version.HTTP_1_1, true, out);
                    assertThat(written()).contains("connection: close");
                }
            }
        }
    }

    @Test
    void theConnectionIsToldWhenItDoesNotDoTheUsual() {
        Response response = Response.of(Status.OK);
        Response closing = response.withHeader("connection", "Close");
        String end = "content-length: 0\r\n\r\n";
        assertThat(head(response, Method.GET, Version.HTTP_1_1, true))
                .endsWith("connection: close\r\n" + end);
        assertThat(head(response, Method.GET, Version.HTTP_1_0, true))
                .endsWith("connection: close\r\n" + end);
        assertThat(head(response, Method.GET, Version.HTTP_1_0, false))
                .endsWith("connection: keep-alive\r\n" + end);
        assertThat(head(closing)).isEqualTo("HTTP/1.1 200 OK\r\nconnection: Close\r\n" + end);
        assertThat(encoder.head(closing, Method.GET, Version.HTTP_1_1, false, out)).isFalse();
        assertThat(encoder.head(response, Method.GET, Version.HTTP_1_1, false, out)).isTrue();
        assertThat(encoder.head(response, Method.GET, Version.HTTP_1_1, true, out)).isFalse();
    }

    @Test
    void aStreamOfUnknownLengthGoesOutInChunks() {
        assertThat(head(STREAM)).isEqualTo("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n");
        assertThat(encoder.isBodyDue()).isTrue();
        try (Buffer data = data("hello, hello, hello")) {
            encoder.data(data, out);
            encoder.data(data, out);
            assertThat(data.isReadable()).isFalse();
        }
        encoder.beginData(0x1F0, out);
        out.writeAscii("...");
        encoder.endData(out);
        encoder.end(Headers.of("sum", "1"), out);
        assertThat(written())
                .isEqualTo("13\r\nhello, hello, hello\r\n1f0\r\n...\r\n0\r\nsum: 1\r\n\r\n");
        assertThat(encoder.isBodyDue()).isFalse();
    }

    @Test
    void aStreamOfKnownLengthGoesOutAsItIs() {
        Response response =
                Response.of(Status.OK, Headers.EMPTY, Body.of(o -> BodySource.Step.END, 5));
        assertThat(head(response)).isEqualTo("HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n");
        try (Buffer data = data("hello!")) {
            assertRefused(IllegalStateException.class, () -> encoder.data(data, out));
            assertThat(data.readableBytes()).isEqualTo(6);
            data.writeOffset(4);
            encoder.data(data, out);
            assertRefused(IllegalStateException.class, () -> encoder.end(Headers.EMPTY, out));
            data.clear().writeAscii("o");
            encoder.data(data, out);
        }
        encoder.end(Headers.EMPTY, out);
        assertThat(written()).isEqualTo("hello");
    }

    @Test
    void aStreamToAnOldClientEndsWithTheConnection() {
        assertThat(encoder.head(STREAM, Method.GET, Version.HTTP_1_0, false, out)).isFalse();
        try (Buffer data = data("hello")) {
            encoder.data(data, out);
        }
        encoder.end(Headers.EMPTY, out);
        assertThat(written()).isEqualTo("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nhello");
    }

    @Test
    void callsOutOfOrderAreRefused() {
        try (Buffer data = data("x")) {
            assertRefused(IllegalStateException.class, () -> encoder.data(data, out));
        }
        assertRefused(IllegalStateException.class, () -> encoder.end(Headers.EMPTY, out));
        head(STREAM);
        assertRefused(IllegalStateException.class, () -> head(Response.text("x")));
        assertRefused(
                IllegalStateException.class,
                () -> encoder.interim(Status.CONTINUE, Headers.EMPTY, out));
        assertRefused(IllegalArgumentException.class, () -> encoder.beginData(0, out));
        assertRefused(
                IllegalArgumentException.class,
                () -> encoder.end(Headers.of("content-length", "1"), out));
        encoder.end(Headers.EMPTY, out);
        assertThat(written()).isEqualTo("0\r\n\r\n");
    }

    @Test
    void interimResponsesComeBeforeTheFinalOne() {
        encoder.interim(Status.CONTINUE, Headers.EMPTY, out);
        encoder.interim(Status.EARLY_HINTS, Headers.of("link", "</a>"), out);
        assertThat(written())
                .isEqualTo(
                        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n");
        assertRefused(
                IllegalArgumentException.class,
                () -> encoder.interim(Status.OK, Headers.EMPTY, out));
        assertRefused(
                IllegalArgumentException.class,
                () -> encoder.interim(Status.CONTINUE, Headers.of("content-length", "0"), out));
    }

    @Test
    void theDateIsAddedOnce() {
        DateField date = new DateField(Instant.ofEpochSecond(784111777));
        ResponseEncoder dated = new ResponseEncoder(date);
        dated.head(Response.of(Status.OK), Method.GET, Version.HTTP_1_1, false, out);
        assertThat(written()).contains("\r\ndate: Sun, 06 Nov 1994 08:49:37 GMT\r\n");
        date.refresh(Instant.EPOCH);
        dated.head(
                Response.of(Status.OK).withHeader(HeaderName.DATE, "mine"),
                Method.GET,
                Version.HTTP_1_1,
                false,
                out);
        assertThat(written()).contains("date: mine\r\n").doesNotContain("1970");
    }

    @Test
    void numbersAreWrittenInFull() {
        for (long value : new long[] {0, 9, 10, 15, 16, 99, 100, 255, 256, 12345, Long.MAX_VALUE}) {
            Digits.writeDecimal(value, out);
            assertThat(written()).isEqualTo(Long.toString(value));
            Digits.writeHex(value, out);
            assertThat(written()).isEqualTo(Long.toHexString(value));
        }
    }
}
