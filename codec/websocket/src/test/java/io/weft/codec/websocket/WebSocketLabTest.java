package io.weft.codec.websocket;

import static io.weft.codec.websocket.Frames.buffer;
import static io.weft.codec.websocket.Frames.encode;
import static io.weft.codec.websocket.Frames.hex;
import static io.weft.codec.websocket.Frames.join;
import static io.weft.codec.websocket.Frames.masked;
import static io.weft.codec.websocket.Frames.plain;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.websocket.WebSocketFrame.Binary;
import io.weft.codec.websocket.WebSocketFrame.Close;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Ping;
import io.weft.codec.websocket.WebSocketFrame.Text;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

class WebSocketLabTest implements CodecLab {
    static final WebSocketLimits LIMITS =
            WebSocketLimits.DEFAULT.frameBytes(3000).messageBytes(5000);

    private static Subject subject(String name, Supplier<? extends Decoder<?>> decoder) {
        return Subject.named(name)
                .decoder(
                        () -> {
                            Decoder<?> d = decoder.get();
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class)
                .describe(Frames::describe);
    }

    @Override
    public List<Subject> subjects() {
        return List.of(server(), client(), pieces(), joined(), compressed());
    }

    private static Subject server() {
        Subject subject =
                subject("websocket-server", () -> new FrameDecoder(Role.SERVER, LIMITS, 4, false));
        Vectors.VALID.forEach(subject::sample);
        Vectors.MALFORMED.forEach(
                bad -> subject.refuses(bad.what(), bad.wire(), WebSocketException.class));
        return subject.refuses("half a header", hex("81"), PrematureEndException.class)
                .refuses("half a frame", hex("8184 00000000 4142"), PrematureEndException.class)
                .refuses("half a message", masked(1, "a"), PrematureEndException.class)
                .roundTrip(
                        () ->
                                encode(
                                        new FrameEncoder(Frames.key(), 1000),
                                        () -> WebSocketFrame.text("h\u00E4llo"),
                                        () -> new Binary(buffer("abc"), false, 4),
                                        () -> new Ping(buffer("?")),
                                        () -> new Continuation(buffer("x".repeat(1500)), true, 0),
                                        () -> new Close(CloseStatus.GOING_AWAY.because("bye"))),
                        "text h\u00C3\u00A4llo",
                        "binary bits 4 begun abc",
                        "ping ?",
                        "continuation begun " + "x".repeat(1000),
                        "continuation " + "x".repeat(500),
                        "close 1001 bye")
                .endless(n -> masked(0x82, new byte[Math.min(n, 2990)]))
                .endless(n -> repeated(masked(0x89, "ping"), n))
                .endless(n -> join(masked(1, ""), repeated(masked(0, "\u20AC"), n)))
                .endless(n -> repeated(masked(0x81, ""), n));
    }

    private static byte[] repeated(byte[] one, int length) {
        byte[] all = new byte[length - length % one.length];
        for (int i = 0; i < all.length; i++) {
            all[i] = one[i % one.length];
        }
        return all;
    }

    private static Subject client() {
        return subject("websocket-client", () -> new FrameDecoder(Role.CLIENT, LIMITS))
                .sample(plain(0x81, "hello".getBytes(UTF_8)))
                .sample(
                        join(
                                plain(2, new byte[2000]),
                                plain(0x8A, hex("0102")),
                                plain(0x80, hex(""))))
                .sample(plain(0x88, hex("03e8")))
                .refuses("masked", masked(0x81, "a"), WebSocketException.class)
                .refuses("compressed", plain(0xC1, hex("00")), WebSocketException.class)
                .roundTrip(
                        () ->
                                encode(
                                        new FrameEncoder(Role.SERVER),
                                        () -> WebSocketFrame.text("x".repeat(2500)),
                                        () -> new Close(CloseStatus.NO_STATUS)),
                        "text " + "x".repeat(2500),
                        "close 1005")
                .endless(n -> plain(0x81, "x".repeat(Math.min(n, 3000)).getBytes(ISO_8859_1)));
    }

    private static Subject pieces() {
        Subject subject =
                subject("websocket-pieces", () -> new FrameDecoder(Role.SERVER, LIMITS, 0, true))
                        .describe(Frames::describePiece);
        Vectors.VALID.stream().filter(wire -> (wire[0] & 0x70) == 0).forEach(subject::sample);
        return subject.sample(masked(0x82, "y".repeat(4900)))
                .refuses("not UTF-8", masked(0x81, hex("61ff62")), WebSocketException.class)
                .refuses("too long", masked(0x82, new byte[5001]), WebSocketException.class);
    }

    private static Subject joined() {
        return subject(
                        "websocket-messages",
                        () -> new FrameDecoder(Role.SERVER, LIMITS).then(new FrameJoiner(LIMITS)))
                .sample(
                        join(
                                masked(1, "he"),
                                masked(0x89, "?"),
                                masked(0, "ll"),
                                masked(0x80, "o"),
                                masked(0x82, "1"),
                                masked(0x88, "")))
                .refuses(
                        "too long",
                        join(masked(2, new byte[3000]), masked(0x80, new byte[2001])),
                        WebSocketException.class)
                .roundTrip(
                        () ->
                                encode(
                                        new FrameEncoder(Frames.key(), 125),
                                        () -> new Text(buffer("a".repeat(1000)), true, 0),
                                        () -> new Binary(buffer(""), false, 0),
                                        () -> new Continuation(buffer("b"), true, 0)),
                        "text " + "a".repeat(1000),
                        "binary b")
                .endless(n -> join(masked(1, ""), repeated(masked(0, "a"), n)));
    }

    private static Subject compressed() {
        DeflateParameters agreed = DeflateParameters.DEFAULT;
        WebSocketLimits limits = LIMITS.ratioFrom(1000).ratio(10);
        return subject(
                        "websocket-deflate",
                        () ->
                                new FrameDecoder(Role.SERVER, LIMITS, WebSocketFrame.RSV1, false)
                                        .then(new MessageInflater(Role.SERVER, agreed, limits))
                                        .then(new FrameJoiner(limits)))
                .reserves(32 << 10)
                // RFC 7692, 7.2.3: one block, the next with the context, without, stored, final,
                // two blocks.
                .sample(join(masked(0xC1, hex("f248cdc9c90700")), masked(0xC1, hex("f200110000"))))
                .sample(join(masked(0x41, hex("f248")), masked(0x80, hex("cdc9c90700"))))
                .sample(masked(0xC1, hex("000500faff48656c6c6f00")))
                .sample(join(masked(0xC1, hex("f348cdc9c9070000")), masked(0xC2, hex("00"))))
                .sample(masked(0xC1, hex("f248050000 00ffff cac9c90700")))
                .sample(join(masked(0x81, "plain"), masked(0x41, hex("")), masked(0x80, hex("00"))))
                .roundTrip(
                        () -> deflated(agreed, "hello ".repeat(100)),
                        "text " + "hello ".repeat(100))
                .refuses("no block", masked(0xC2, hex("07")), WebSocketException.class)
                .refuses("no text", Frames.compressed(hex("61ff62")), WebSocketException.class)
                .refuses("half a text", Frames.compressed(hex("e282")), WebSocketException.class)
                .refuses("too far", masked(0xC2, hex("f200110000")), WebSocketException.class)
                .refuses("ratio", Frames.compressed(new byte[4000]), WebSocketException.class)
                .endless(n -> join(masked(0x41, ""), repeated(masked(0, hex("00")), n)));
    }

    private static byte[] deflated(DeflateParameters agreed, String text) {
        List<WebSocketFrame> frames = new ArrayList<>();
        MessageDeflater deflater = new MessageDeflater(Role.CLIENT, agreed, -1, 1);
        try {
            deflater.encode(WebSocketFrame.text(text), frames::add);
        } finally {
            deflater.close();
        }
        return encode(new FrameEncoder(Frames.key(), 1000), frames::getFirst);
    }
}
