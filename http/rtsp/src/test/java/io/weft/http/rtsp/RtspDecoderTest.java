package io.weft.http.rtsp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.buffer.Buffer;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import java.util.List;
import org.junit.jupiter.api.Test;

class RtspDecoderTest {
    private static final String OPTIONS = "OPTIONS * RTSP/1.0\r\n";

    /// Messages that have to be refused, each with the reason.
    static final String[][] BAD = {
        {"no method", " * RTSP/1.0\r\nCSeq: 1\r\n\r\n"},
        {"no URI", "OPTIONS RTSP/1.0\r\nCSeq: 1\r\n\r\n"},
        {"a blank in the URI", "OPTIONS a b RTSP/1.0\r\nCSeq: 1\r\n\r\n"},
        {"two blanks", "OPTIONS  * RTSP/1.0\r\nCSeq: 1\r\n\r\n"},
        {"no token", "OPT(ONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n"},
        {"another protocol", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"},
        {"another version", "OPTIONS * RTSP/3.0\r\nCSeq: 1\r\n\r\n"},
        {"lower case", "OPTIONS * rtsp/1.0\r\nCSeq: 1\r\n\r\n"},
        {"LF alone", "OPTIONS * RTSP/1.0\nCSeq: 1\r\n\r\n"},
        {"CR alone", "OPTIONS * RTSP/1.0\rCSeq: 1\r\n\r\n"},
        {"a control", "OPTIONS *\0 RTSP/1.0\r\nCSeq: 1\r\n\r\n"},
        {"a status of four digits", "RTSP/1.0 2000 OK\r\nCSeq: 1\r\n\r\n"},
        {"a status of two digits", "RTSP/1.0 20 OK\r\nCSeq: 1\r\n\r\n"},
        {"a status out of range", "RTSP/1.0 600 OK\r\nCSeq: 1\r\n\r\n"},
        {"no number", OPTIONS + "\r\n"},
        {"two numbers", OPTIONS + "CSeq: 1\r\nCSeq: 1\r\n\r\n"},
        {"an empty number", OPTIONS + "CSeq:\r\n\r\n"},
        {"a sign", OPTIONS + "CSeq: +1\r\n\r\n"},
        {"a large number", OPTIONS + "CSeq: 1000000000\r\n\r\n"},
        {"a blank before the colon", OPTIONS + "CSeq : 1\r\n\r\n"},
        {"a folded line", OPTIONS + "CSeq: 1\r\nA: b\r\n c\r\n\r\n"},
        {"two lengths", OPTIONS + "CSeq: 1\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n"},
        {"a list of lengths", OPTIONS + "CSeq: 1\r\nContent-Length: 0, 0\r\n\r\n"},
        {"a negative length", OPTIONS + "CSeq: 1\r\nContent-Length: -1\r\n\r\n"},
        {"a long body", OPTIONS + "CSeq: 1\r\nContent-Length: 9223372036854775807\r\n\r\n"},
        {"a transfer coding", OPTIONS + "CSeq: 1\r\nTransfer-Encoding: chunked\r\n\r\n"},
        {"content with 304", "RTSP/1.0 304 x\r\nCSeq: 1\r\nContent-Length: 1\r\n\r\nx"},
    };

    private static String lines(String... lines) {
        return String.join("\r\n", lines) + "\r\n\r\n";
    }

    private static List<String> decode(String text) {
        return Messages.decode(text).stream().map(Messages::describe).toList();
    }

    private static RtspException refusal(String text) {
        RtspDecoder decoder = new RtspDecoder();
        try (Buffer in = Messages.buffer(text)) {
            return assertThatExceptionOfType(RtspException.class)
                    .isThrownBy(() -> decoder.decode(in, _ -> {}))
                    .actual();
        }
    }

    /// RFC 2326, 10.2, 10.4 and 10.12.
    @Test
    void theExamplesOfTheStandardAreRead() {
        assertThat(
                        decode(
                                "DESCRIBE rtsp://server.example.com/fizzle/foo RTSP/1.0\r\n"
                                        + "CSeq: 312\r\n"
                                        + "Accept: application/sdp, application/rtsl,"
                                        + " application/mheg\r\n\r\n"))
                .containsExactly(
                        "DESCRIBE rtsp://server.example.com/fizzle/foo RTSP/1.0 312 [cseq=312,"
                                + " accept=application/sdp, application/rtsl, application/mheg] ");
        assertThat(
                        decode(
                                lines(
                                        "RTSP/1.0 200 OK",
                                        "CSeq: 302",
                                        "Date: 23 Jan 1997 15:35:06 GMT",
                                        "Session: 47112344",
                                        "Transport: RTP/AVP;unicast;")))
                .containsExactly(
                        "RTSP/1.0 200 302 [cseq=302, date=23 Jan 1997 15:35:06 GMT,"
                                + " session=47112344, transport=RTP/AVP;unicast;] ");
        assertThat(decode("$\0\0\4abcd$\1\0\2ef")).containsExactly("$0 abcd", "$1 ef");
    }

    @Test
    void aRefusalHasItsStatus() {
        assertThat(refusal("OPTIONS * RTSP/3.0\r\n").status())
                .isSameAs(RtspStatus.VERSION_NOT_SUPPORTED);
        assertThat(refusal("GET / HTTP/1.1\r\n").status()).isSameAs(Status.BAD_REQUEST);
        assertThat(refusal("OPTIONS " + "x".repeat(9000)).status()).isSameAs(Status.URI_TOO_LONG);
        assertThat(refusal(OPTIONS + "a: " + "x".repeat(17_000)).status())
                .isSameAs(Status.REQUEST_HEADER_FIELDS_TOO_LARGE);
        assertThat(refusal(OPTIONS + "a: b\r\n".repeat(101)).status())
                .isSameAs(Status.REQUEST_HEADER_FIELDS_TOO_LARGE);
        assertThat(refusal(OPTIONS + "CSeq: 1\r\nContent-Length: 262145\r\n\r\n").status())
                .isSameAs(Status.CONTENT_TOO_LARGE);
    }

    @Test
    void anAnswerHasNumberVersionAndSessionOfItsRequest() {
        RtspRequest request =
                (RtspRequest)
                        Messages.decode(
                                        lines(
                                                "PAUSE rtsp://a/b RTSP/2.0",
                                                "CSeq: 834",
                                                "Session: 12345678"))
                                .getFirst();
        assertThat(request.method()).isEqualTo(RtspMethod.PAUSE);
        assertThat(Messages.encode(request.answer(Status.OK, Headers.EMPTY)))
                .isEqualTo("RTSP/2.0 200 OK\r\nCSeq: 834\r\nsession: 12345678\r\n\r\n");
        assertThat(
                        Messages.encode(
                                request.answer(
                                        RtspStatus.SESSION_NOT_FOUND,
                                        Headers.of("session", "x"),
                                        Body.of("no"))))
                .isEqualTo(
                        "RTSP/2.0 454 Session Not Found\r\nCSeq: 834\r\nsession: x\r\n"
                                + "Content-Length: 2\r\n\r\nno");
    }

    @Test
    void messagesThatCannotBeSentCannotBeMade() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RtspRequest.of(RtspMethod.PLAY, "a b", 1, Headers.EMPTY));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RtspRequest.of(RtspMethod.PLAY, "*\r\nx: y", 1, Headers.EMPTY));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RtspRequest.of(RtspMethod.PLAY, "*", -1, Headers.EMPTY));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new RtspResponse(
                                        RtspVersion.RTSP_1_0,
                                        Status.NOT_MODIFIED,
                                        1,
                                        Headers.EMPTY,
                                        Body.of("x")));
    }
}
