package io.weft.http.rtsp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;

class RtspLabTest implements CodecLab {
    private static final RtspLimits LIMITS = new RtspLimits(60, 200, 16, 100, 1000);
    private static final String PLAY = "PLAY rtsp://a/b RTSP/1.0\r\nCSeq: 835\r\n";

    @Override
    public List<Subject> subjects() {
        Subject subject =
                Subject.named("rtsp")
                        .decoder(
                                () -> {
                                    RtspDecoder d = new RtspDecoder(LIMITS);
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .describe(Messages::describe);
        for (String[] bad : RtspDecoderTest.BAD) {
            subject.refuses(bad[0], bad[1], RtspException.class);
        }
        return List.of(
                subject.sample(PLAY + "Session: 12345678\r\nRange: npt=10-15\r\n\r\n")
                        .sample("\r\n" + PLAY + "\r\n\r\n\r\n" + PLAY + "\r\n")
                        .sample("RTSP/1.0 200 OK\r\nCSeq: 1\r\nContent-Length: 3\r\n\r\nv=0")
                        .sample("$\0\0\5hello$\1\0\0RTSP/2.0 200\r\nCSeq: 0\r\n\r\n$\377\0\1x")
                        .sample("OPTIONS * RTSP/1.0\r\nCSeq: 999999999\r\nRequire: a, b\r\n\r\n")
                        .refuses("half a message", PLAY, PrematureEndException.class)
                        .refuses("half of data", "$\0\0\5hell", PrematureEndException.class)
                        .roundTrip(
                                () ->
                                        Messages.bytes(
                                                () ->
                                                        RtspRequest.of(
                                                                RtspMethod.SETUP,
                                                                "rtsp://a/b",
                                                                3,
                                                                Headers.of("Transport", "x")),
                                                () -> new RtspData(7, Messages.buffer("data")),
                                                () ->
                                                        new RtspResponse(
                                                                RtspVersion.RTSP_2_0,
                                                                Status.OK,
                                                                3,
                                                                Headers.of("cseq", "9"),
                                                                Body.of("v=0"))),
                                "SETUP rtsp://a/b RTSP/1.0 3 [cseq=3, transport=x] ",
                                "$7 data",
                                "RTSP/2.0 200 3 [cseq=3, content-length=3] v=0")
                        .injection(
                                text -> {
                                    RtspRequest request =
                                            RtspRequest.of(
                                                    RtspMethod.PLAY,
                                                    "rtsp://a/b",
                                                    1,
                                                    Headers.of("x", text));
                                    String wire = Messages.encode(request);
                                    int at = wire.indexOf("x: ") + 3;
                                    return wire.substring(at, wire.length() - 4)
                                            .getBytes(ISO_8859_1);
                                })
                        .endless(n -> "\r\n".repeat(n / 2).getBytes(ISO_8859_1))
                        .endless(
                                n ->
                                        (PLAY + "\r\n$\0\0\5hello".repeat(Math.max(1, n / 9)))
                                                .getBytes(ISO_8859_1)));
    }
}
