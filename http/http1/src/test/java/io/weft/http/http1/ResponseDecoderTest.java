package io.weft.http.http1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.http.model.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResponseDecoderTest {
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final String HELLO = OK + "Content-Length: 5\r\n\r\nhello";

    @Test
    void everyMalformedResponseIsRefusedWithItsReason() {
        assertThat(ResponseCorpus.BAD).hasSizeGreaterThanOrEqualTo(300).doesNotHaveDuplicates();
        for (ResponseCorpus.Bad bad : ResponseCorpus.BAD) {
            List<String> events = ResponseTrace.of(bad.methods(), bad.input());
            assertThat(events.getLast())
                    .as(bad.input())
                    .startsWith("error 502 ")
                    .contains(bad.reason());
            assertThat(events).noneMatch(event -> event.endsWith("smuggled] LENGTH 0 close"));
        }
    }

    @Test
    void everyWellFormedResponseIsTaken() {
        assertThat(ResponseCorpus.GOOD).hasSizeGreaterThanOrEqualTo(100).doesNotHaveDuplicates();
        for (ResponseCorpus.Good good : ResponseCorpus.GOOD) {
            List<String> events = ResponseTrace.of(good.methods(), good.input());
            assertThat(events.getLast()).as(good.input()).startsWith("end ");
            assertThat(events.stream().filter(e -> e.startsWith("end ")))
                    .hasSize(good.methods().split(" ", -1).length);
        }
    }

    @Test
    void segmentsDoNotMatter() {
        ResponseCorpus.BAD.forEach(bad -> checkSegments(bad.methods(), bad.input()));
        ResponseCorpus.GOOD.forEach(good -> checkSegments(good.methods(), good.input()));
    }

    private static void checkSegments(String methods, String input) {
        List<String> whole = ResponseTrace.of(methods, input);
        assertThat(ResponseTrace.of(methods, input.split("", -1))).as(input).isEqualTo(whole);
        int step = Math.max(1, input.length() / 200);
        for (int cut = 1; cut < input.length(); cut += step) {
            assertThat(ResponseTrace.of(methods, input.substring(0, cut), input.substring(cut)))
                    .as("%s cut at %s", input, cut)
                    .isEqualTo(whole);
        }
    }

    @Test
    void pipelinedResponsesAreReadAsTheirRequestsAsk() {
        String length = "Content-Length: 5\r\n\r\n";
        assertThat(
                        ResponseTrace.of(
                                "HEAD GET GET POST",
                                OK
                                        + length
                                        + HELLO
                                        + "HTTP/1.1 304 Not Modified\r\n"
                                        + length
                                        + "HTTP/1.1 100 Continue\r\n\r\n"
                                        + OK
                                        + "\r\nrest"))
                .containsExactly(
                        "head 200 HTTP/1.1 [content-length=5] NONE 0 keep-alive",
                        "end []",
                        "head 200 HTTP/1.1 [content-length=5] LENGTH 5 keep-alive",
                        "body hello",
                        "end []",
                        "head 304 HTTP/1.1 [content-length=5] NONE 0 keep-alive",
                        "end []",
                        "interim 100 []",
                        "head 200 HTTP/1.1 [] CLOSE -1 close",
                        "body rest",
                        "end []");
    }

    @Test
    void interimResponsesLeaveTheirRequestOutstanding() {
        try (ResponseTrace trace = new ResponseTrace(Http1Limits.DEFAULT).expect("GET")) {
            trace.feed("HTTP/1.1 103 Early Hints\r\nlink: a\r\n\r\n");
            assertThat(trace.decoder.outstanding()).isEqualTo(1);
            assertThat(trace.decoder.isWithinResponse()).isTrue();
            trace.feed(HELLO);
            assertThat(trace.decoder.outstanding()).isZero();
            assertThat(trace.decoder.isWithinResponse()).isFalse();
        }
    }

    @Test
    void anUpgradeLeavesTheOtherProtocolUnread() {
        assertThat(
                        ResponseTrace.of(
                                "GET+",
                                "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                                        + "Upgrade: websocket\r\n\r\n\u0081\u0000HTTP/1.1"))
                .containsExactly(
                        "head 101 HTTP/1.1 [connection=Upgrade, upgrade=websocket] TUNNEL 0 close",
                        "tunnel \u0081\u0000HTTP/1.1");
    }

    @Test
    void aConnectLeavesTheTunnelUnreadWhateverItsFieldsSay() {
        assertThat(
                        ResponseTrace.of(
                                "CONNECT",
                                OK
                                        + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n"
                                        + "0\r\n\r\n"))
                .containsExactly(
                        "head 200 HTTP/1.1 [content-length=5, transfer-encoding=chunked] TUNNEL 0"
                                + " close",
                        "tunnel 0\r\n\r\n");
        assertThat(ResponseTrace.of("CONNECT", "HTTP/1.1 300 No\r\n\r\nno"))
                .containsExactly("head 300 HTTP/1.1 [] CLOSE -1 close", "body no", "end []");
        assertThat(ResponseTrace.of("CONNECT", "HTTP/1.1 403 No\r\n\r\nno"))
                .containsExactly("head 403 HTTP/1.1 [] CLOSE -1 close", "body no", "end []");
    }

    @Test
    void nothingIsExpectedBehindARequestThatMayEndHttp() {
        ResponseDecoder upgrade = new ResponseDecoder();
        upgrade.expect(Method.GET, true);
        assertThatThrownBy(() -> upgrade.expect(Method.GET, false))
                .isInstanceOf(IllegalStateException.class);
        ResponseDecoder connect = new ResponseDecoder();
        connect.expect(Method.CONNECT, false);
        assertThatThrownBy(() -> connect.expect(Method.GET, false))
                .hasMessage("request behind CONNECT (expected: none before its response)");
    }

    @Test
    void outstandingRequestsAreBounded() {
        ResponseDecoder decoder = new ResponseDecoder();
        for (int i = 0; i < ResponseDecoder.MAX_EXPECTED; i++) {
            decoder.expect(Method.GET, false);
        }
        assertThatThrownBy(() -> decoder.expect(Method.GET, false))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("more than 128");
    }

    @Test
    void anEndWithoutAResponseIsNotAnError() {
        assertThat(ResponseTrace.of("GET")).isEmpty();
        assertThat(ResponseTrace.of("GET GET", HELLO)).hasSize(3);
    }

    @Test
    void pausingLeavesTheRestUnread() {
        List<String> events = new ArrayList<>();
        try (ResponseTrace trace = new ResponseTrace(Http1Limits.DEFAULT).expect("GET GET")) {
            trace.feed.in.writeAscii(HELLO + HELLO);
            trace.decoder.decode(
                    trace.feed.in,
                    part -> {
                        events.add(ResponseTrace.describe(part));
                        trace.decoder.pause();
                    });
            assertThat(events).hasSize(1);
            assertThat(trace.feed.in.readableBytes()).isEqualTo(HELLO.length() + 5);
            trace.decoder.resume();
            trace.feed("");
            assertThat(trace.events).hasSize(5);
        }
    }

    @Test
    void afterAnErrorInputIsIgnored() {
        try (ResponseTrace trace = new ResponseTrace(Http1Limits.DEFAULT).expect("GET GET")) {
            trace.feed.in.writeAscii("HTTP/2.0 200 OK\r\n");
            assertThatThrownBy(() -> trace.decoder.decode(trace.feed.in, part -> {}))
                    .isInstanceOf(HttpDecodeException.class);
            assertThat(trace.feed(HELLO).events).isEmpty();
            assertThat(trace.feed.in.isReadable()).isFalse();
            assertThatThrownBy(() -> trace.decoder.expect(Method.GET, false))
                    .isInstanceOf(IllegalStateException.class);
        }
    }
}
