package io.weft.http.http2;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;
import java.util.function.Consumer;

class Http2LabTest implements CodecLab {
    @Override
    public List<Subject> subjects() {
        Subject subject =
                Subject.named("http2-frames")
                        .decoder(
                                () -> {
                                    FrameDecoder d = new FrameDecoder(1 << 14);
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .describe(message -> describe((Http2Frame) message));
        samples(subject);
        refusals(subject);
        return List.of(
                subject.endless(n -> frame(Math.min(n, 16_384) - 9, 0, 0, 1, n))
                        .endless(n -> frame(16_384, 1, 4, 1, n)));
    }

    private static void samples(Subject subject) {
        subject.sample(
                        encode(
                                out -> {
                                    FrameEncoder.settings(
                                            Settings.EMPTY
                                                    .with(Setting.ENABLE_PUSH, 0)
                                                    .with(Setting.MAX_FRAME_SIZE, 1 << 20),
                                            out);
                                    FrameEncoder.settingsAck(out);
                                    FrameEncoder.windowUpdate(0, 1 << 20, out);
                                    FrameEncoder.ping(false, 42, out);
                                    FrameEncoder.ping(true, -1, out);
                                }))
                .sample(
                        encode(
                                out -> {
                                    try (Buffer block =
                                            Side.bytes("a block of forty bytes or so")) {
                                        FrameEncoder.headers(1, false, block, 10, out);
                                    }
                                    FrameEncoder.dataHeader(1, 5, false, out);
                                    out.writeBytes("hello".getBytes(ISO_8859_1));
                                    FrameEncoder.dataHeader(1, 0, true, out);
                                    FrameEncoder.rstStream(1, ErrorCode.CANCEL, out);
                                    FrameEncoder.priorityUpdate(3, "u=1, i", out);
                                    FrameEncoder.goAway(1, ErrorCode.NO_ERROR, "bye", out);
                                }))
                // Padding, a priority, a promise, and a type that is not known
                .sample(payload(0, 9, 1, "\2hi\0\0"))
                .sample(payload(1, 0x2D, 3, "\1\0\0\0\1\20block\0"))
                .sample(payload(2, 0, 3, "\0\0\0\1\20"))
                .sample(payload(2, 0, 3, "\0\0\0\3\20"))
                .sample(payload(2, 0, 3, "\0\0\0"))
                .sample(payload(5, 0xC, 3, "\1\0\0\0\4block\0"))
                .sample(payload(8, 0, 3, "\0\0\0\0"))
                .sample(payload(0x2F, 0xFF, 9, "anything"));
    }

    private static void refusals(Subject subject) {
        subject.refuses("DATA on stream 0", payload(0, 0, 0, "x"), Http2Exception.class)
                .refuses("HEADERS on stream 0", payload(1, 4, 0, "x"), Http2Exception.class)
                .refuses("SETTINGS on a stream", payload(4, 0, 1, ""), Http2Exception.class)
                .refuses("PING on a stream", payload(6, 0, 1, "12345678"), Http2Exception.class)
                .refuses("PING of 7 bytes", payload(6, 0, 0, "1234567"), Http2Exception.class)
                .refuses("ACK with settings", payload(4, 1, 0, "123456"), Http2Exception.class)
                .refuses("SETTINGS of 5 bytes", payload(4, 0, 0, "12345"), Http2Exception.class)
                .refuses("ENABLE_PUSH 2", payload(4, 0, 0, "\0\2\0\0\0\2"), Http2Exception.class)
                .refuses("padding beyond DATA", payload(0, 8, 1, "\3hi"), Http2Exception.class)
                .refuses("no padding length", payload(0, 8, 1, ""), Http2Exception.class)
                .refuses("no window for all", payload(8, 0, 0, "\0\0\0\0"), Http2Exception.class)
                .refuses("CONTINUATION first", payload(9, 4, 1, "x"), Http2Exception.class)
                .refuses(
                        "PING within a section",
                        join(payload(1, 0, 1, "x"), payload(6, 0, 0, "12345678")),
                        Http2Exception.class)
                .refuses(
                        "another stream's CONTINUATION",
                        join(payload(1, 0, 1, "x"), payload(9, 4, 3, "x")),
                        Http2Exception.class)
                .refuses("too long", frame(16_385, 0, 0, 1, 9), Http2Exception.class)
                .refuses("half a frame", frame(100, 0, 0, 1, 50), PrematureEndException.class);
    }

    private static byte[] encode(Consumer<Buffer> frames) {
        try (Buffer out = BufferAllocator.pooled().allocate(256)) {
            frames.accept(out);
            byte[] bytes = new byte[out.readableBytes()];
            out.readBytes(bytes);
            return bytes;
        }
    }

    private static byte[] payload(int type, int flags, int stream, String payload) {
        return encode(
                out -> {
                    FrameEncoder.header(payload.length(), type, flags, stream, out);
                    out.writeBytes(payload.getBytes(ISO_8859_1));
                });
    }

    /// The first bytes of a frame.
    private static byte[] frame(int length, int type, int flags, int stream, int bytes) {
        return encode(
                out -> {
                    FrameEncoder.header(length, type, flags, stream, out);
                    out.writeBytes(new byte[Math.max(0, bytes - 9)]);
                });
    }

    private static byte[] join(byte[] a, byte[] b) {
        return encode(out -> out.writeBytes(a).writeBytes(b));
    }

    private static String describe(Http2Frame frame) {
        return switch (frame) {
            case Http2Frame.Data data ->
                    "data " + data.stream() + data.endStream() + text(data.data());
            case Http2Frame.Headers h ->
                    "headers " + h.stream() + h.endStream() + h.endHeaders() + text(h.fragment());
            case Http2Frame.Continuation more ->
                    "more " + more.stream() + more.endHeaders() + text(more.fragment());
            case Http2Frame.PushPromise push ->
                    "push " + push.stream() + " " + push.promised() + text(push.fragment());
            case Http2Frame.Priority _,
                    Http2Frame.RstStream _,
                    Http2Frame.SettingsFrame _,
                    Http2Frame.SettingsAck _,
                    Http2Frame.Ping _,
                    Http2Frame.GoAway _,
                    Http2Frame.WindowUpdate _,
                    Http2Frame.PriorityUpdate _,
                    Http2Frame.Unknown _,
                    Http2Frame.Malformed _ ->
                    frame.toString();
        };
    }

    private static String text(Buffer bytes) {
        try (bytes) {
            return " " + bytes.readString(ISO_8859_1);
        }
    }
}
