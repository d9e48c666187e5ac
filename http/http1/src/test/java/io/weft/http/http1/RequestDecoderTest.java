package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http1.RequestPart.BodyPart;
import io.weft.http.http1.RequestPart.EndOfRequest;
import io.weft.http.http1.RequestPart.RequestHead;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Method;
import io.weft.http.model.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequestDecoderTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: a\r\n\r\n";
    private final RequestDecoder decoder = new RequestDecoder();
    private final List<RequestPart> parts = new ArrayList<>();

    private static Buffer buffer(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    private static String get(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n";
    }

    private void decode(String text) {
        try (Buffer in = buffer(text)) {
            decoder.decode(in, parts::add);
            assertThat(in.isReadable()).isFalse();
        }
    }

    @Test
    void aRequestWithoutABodyIsAHeadAndAnEnd() {
        decode(GET);
        assertThat(parts).hasSize(2);
        assertThat(parts.getLast()).isSameAs(EndOfRequest.WITHOUT_TRAILERS);
        RequestHead head = (RequestHead) parts.getFirst();
        assertThat(head.method()).isSameAs(Method.GET);
        assertThat(head.target().path()).isEqualTo("/");
        assertThat(head.headers().first(HeaderName.HOST)).isEqualTo("a");
        assertThat(head.keepAlive()).isTrue();
        assertThat(head.contentLength()).isZero();
    }

    @Test
    void theSameHeadAgainIsTheSameObject() {
        decode(GET + GET + "GET /b HTTP/1.1\r\nHost: a\r\n\r\n" + GET.replace("a", "c"));
        RequestHead[] heads =
                parts.stream()
                        .filter(RequestHead.class::isInstance)
                        .map(RequestHead.class::cast)
                        .toArray(RequestHead[]::new);
        assertThat(heads[1]).isSameAs(heads[0]);
        assertThat(heads[2].headers()).isSameAs(heads[0].headers());
        assertThat(heads[2].target().path()).isEqualTo("/b");
        assertThat(heads[3].headers().first("host")).isEqualTo("c");
    }

    @Test
    void aTargetAsLongAsTheOneBeforeIsReadAnew() {
        decode(get("/a/1") + get("/a/2") + get("/b/3?"));
        assertThat(parts.stream().filter(RequestHead.class::isInstance))
                .map(part -> ((RequestHead) part).target().toString())
                .containsExactly("/a/1", "/a/2", "/b/3?");
    }

    @Test
    void aDecoderThatForgetsIsAsNew() {
        decode(GET);
        decoder.forget();
        decode(GET);
        assertThat(parts).hasSize(4);
        assertThat(parts.get(2)).isNotSameAs(parts.get(0));
        assertThat(((RequestHead) parts.get(2)).headers().first("host")).isEqualTo("a");
        decode("\r\n");
        decoder.forget();
        decode("\r\n" + GET); // one empty line before a request is allowed, of a new decoder too
        assertThat(parts).hasSize(6);
    }

    @Test
    void forgettingWithinARequestLosesNothingOfIt() {
        String post = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
        String whole = "\r\n" + post + "2\r\nhi\r\n0\r\nx: y\r\n\r\n" + GET;
        for (int cut = 1; cut < whole.length(); cut++) {
            try (Trace trace = new Trace(Http1Limits.DEFAULT)) {
                trace.feed(whole.substring(0, cut));
                trace.decoder.forget();
                assertThat(trace.feed(whole.substring(cut)).end())
                        .as("cut at %s", cut)
                        .isEqualTo(Trace.of(whole));
            }
        }
        try (Trace trace = new Trace(Http1Limits.DEFAULT)) {
            trace.feed("\r\n\r");
            trace.decoder.forget();
            assertThat(trace.feed("\n" + GET).end()).isEqualTo(Trace.of("\r\n\r\n" + GET));
        }
    }

    @Test
    void theSameFieldsAreJudgedAnewForAnotherRequestLine() {
        String fields = "Host: a\r\nContent-Length: 2\r\n\r\n";
        String chunked = "Host: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
        assertThat(Trace.of("POST / HTTP/1.1\r\n" + fields + "hiTRACE / HTTP/1.1\r\n" + fields))
                .endsWith("error 400");
        assertThat(Trace.of("POST / HTTP/1.1\r\n" + chunked + "POST / HTTP/1.0\r\n" + chunked))
                .endsWith("error 400");
        assertThat(Trace.of(GET + "GET / HTTP/1.0\r\nHost: a\r\n\r\n"))
                .contains("head GET / HTTP/1.0 [host=a] NONE 0 close");
    }

    @Test
    void bodyPiecesAreSplitOffTheInput() {
        try (Buffer in = buffer("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhelloG")) {
            decoder.decode(in, parts::add);
            assertThat(in.readableBytes()).isEqualTo(1);
        }
        BodyPart body = (BodyPart) parts.get(1);
        assertThat(body.data().readString(ISO_8859_1)).isEqualTo("hello");
        body.data().release();
        assertThat(parts.get(2)).isSameAs(EndOfRequest.WITHOUT_TRAILERS);
    }

    @Test
    void chunksAndTrailersComeOutDecoded() {
        assertThat(
                        Trace.of(
                                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
                                        + "5\r\nhello\r\n6;x=\"y\"\r\n world\r\n0\r\nSum: 1\r\n\r\n"
                                        + GET))
                .containsExactly(
                        "head POST / HTTP/1.1 [host=a, transfer-encoding=chunked] CHUNKED -1 keep-alive",
                        "body hello world",
                        "end [sum=1]",
                        "head GET / HTTP/1.1 [host=a] NONE 0 keep-alive",
                        "end []");
    }

    @Test
    void whetherToKeepTheConnectionDependsOnVersionAndTokens() {
        String[][] table = {
            {"1.1", "", "keep-alive"},
            {"1.1", "Connection: close\r\n", "close"},
            {"1.1", "Connection: x, Close\r\n", "close"},
            {"1.1", "Connection: keep-alive, close\r\n", "close"},
            {"1.1", "Connection: closed\r\n", "keep-alive"},
            {"1.0", "", "close"},
            {"1.0", "Connection: Keep-Alive\r\n", "keep-alive"},
            {"1.0", "Connection: keep-alive\r\nConnection: close\r\n", "close"},
        };
        for (String[] row : table) {
            String request = "GET / HTTP/" + row[0] + "\r\nHost: a\r\n" + row[1] + "\r\n";
            assertThat(Trace.of(request).getFirst()).as(request).endsWith(row[2]);
        }
    }

    @Test
    void anExpectationIsToldWhereABodyFollows() {
        String expect = "Host: a\r\nExpect: 100-continue\r\n";
        assertThat(Trace.of("POST / HTTP/1.1\r\n" + expect + "Content-Length: 1\r\n\r\nx"))
                .first()
                .asString()
                .endsWith(" expect");
        assertThat(Trace.of("POST / HTTP/1.1\r\n" + expect + "Content-Length: 0\r\n\r\n"))
                .first()
                .asString()
                .endsWith(" keep-alive");
    }

    @Test
    void pausesBehindThePartThatIsHandedOver() {
        try (Buffer in = buffer(GET + GET + GET)) {
            int[] ends = {0};
            decoder.decode(
                    in,
                    part -> {
                        if (part instanceof EndOfRequest && ++ends[0] == 2) {
                            decoder.pause();
                        }
                    });
            assertThat(ends[0]).isEqualTo(2);
            assertThat(in.readableBytes()).isEqualTo(GET.length());
            decoder.decode(in, parts::add);
            assertThat(parts).isEmpty();
            decoder.resume();
            decoder.decode(in, parts::add);
            assertThat(parts).hasSize(2);
        }
    }

    @Test
    void aChangeOfProtocolFindsItsFirstBytesUnread() {
        try (Buffer in = buffer("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n\u0016\u0003")) {
            decoder.decode(in, part -> decoder.pause());
            assertThat(in.readableBytes()).isEqualTo(2);
        }
    }

    @Test
    void afterAnErrorInputIsIgnored() {
        try (Buffer in = buffer("\0" + GET)) {
            assertThatThrownBy(() -> decoder.decode(in, parts::add))
                    .isInstanceOf(HttpDecodeException.class)
                    .hasMessage("request line: \"\\x00\" (expected: a method first)")
                    .extracting(e -> ((HttpDecodeException) e).status())
                    .isSameAs(Status.BAD_REQUEST);
            decoder.decode(in, parts::add);
            assertThat(in.isReadable()).isFalse();
        }
        decode(GET);
        decoder.end(parts::add);
        assertThat(parts).isEmpty();
    }

    @Test
    void garbageIsRefusedAtItsFirstByte() {
        for (int c = 0; c < 256; c++) {
            boolean method = c < 128 && HeaderName.isTokenChar(c);
            if (!method && c != '\r') {
                String first = "" + (char) c;
                try (Trace trace = new Trace(Http1Limits.DEFAULT)) {
                    assertThat(trace.feed(first).events).containsExactly("error 400");
                }
            }
        }
    }

    @Test
    void aMessageShowsThePeersBytesEscaped() {
        try (Buffer in = buffer("GET / HTTP/1.1\r\nHost: a\r\nbad name: x\r\n\r\n")) {
            assertThatThrownBy(() -> decoder.decode(in, parts::add))
                    .hasMessageStartingWith("header line: \"bad name: x\\u000d\\u000a")
                    .message()
                    .doesNotContain("\n");
        }
    }

    @Test
    void theEndIsFineBetweenRequestsOnly() {
        decode(GET);
        decoder.end(parts::add);
        try (Buffer in = buffer("G")) {
            decoder.decode(in, parts::add);
        }
        assertThatThrownBy(() -> decoder.end(parts::add))
                .hasMessage("end of input in REQUEST_LINE (expected: a whole request)");
    }

    @Test
    void isWithinARequestFromItsFirstByteToItsLast() {
        String request = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi";
        try (Buffer in = BufferAllocator.pooled().allocate(request.length())) {
            assertThat(decoder.isWithinRequest()).isFalse();
            for (int i = 0; i < request.length(); i++) {
                in.writeByte(request.charAt(i));
                decoder.decode(in, parts::add);
                assertThat(decoder.isWithinRequest())
                        .as("after " + (i + 1))
                        .isEqualTo(i + 1 < request.length());
            }
        }
        parts.stream()
                .filter(BodyPart.class::isInstance)
                .forEach(part -> ((BodyPart) part).data().release());
    }
}
