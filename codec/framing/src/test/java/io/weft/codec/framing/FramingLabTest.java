package io.weft.codec.framing;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.codec.Encoder;
import io.weft.codec.LimitExceededException;
import io.weft.codec.Output;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Gathered;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

class FramingLabTest implements CodecLab {
    private static final String LONG_LINE = "x".repeat(600);

    private static Subject subject(String name, Supplier<? extends Decoder<?>> decoder) {
        return Subject.named(name)
                .decoder(
                        () -> {
                            Decoder<?> d = decoder.get();
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class);
    }

    private static <M> byte[] encoded(Encoder<M> encoder, M message) {
        try (Output out = new Output()) {
            encoder.encode(message, out);
            return Gathered.bytes(out::drain);
        }
    }

    private static Buffer bytes(String latin1) {
        byte[] bytes = latin1.getBytes(ISO_8859_1);
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    private static byte[] begun(int n, int... head) {
        byte[] wire = new byte[n];
        for (int i = 0; i < head.length; i++) {
            wire[i] = (byte) head[i];
        }
        return wire;
    }

    private static byte[] filled(int n, char c) {
        byte[] wire = new byte[n];
        Arrays.fill(wire, (byte) c);
        return wire;
    }

    @Override
    public List<Subject> subjects() {
        return List.of(
                lengthField(),
                lengthFieldLong(),
                lengthFieldDiscarding(),
                line(),
                strictLine(),
                lineDiscarding(),
                strictLineDiscarding(),
                strictShortLine(),
                delimiter(),
                delimiterDiscarding(),
                fixedLength(),
                varint(),
                varintDiscarding());
    }

    private static Subject lengthField() {
        return subject("length-field", () -> new LengthFieldDecoder(LengthField.of(2), 1000))
                .sample("\0\0\0\4abcd\0\1x")
                .refuses("too long", "\0\0\003\347", LimitExceededException.class)
                .refuses("cut off", "\0\4abc", PrematureEndException.class)
                .roundTrip(() -> encoded(new LengthFieldPrepender(2), bytes("abc")), "abc")
                .roundTrip(() -> encoded(new LengthFieldPrepender(2), bytes(LONG_LINE)), LONG_LINE);
    }

    private static Subject lengthFieldLong() {
        LengthField field =
                new LengthField(2, 8, -10, 10, ByteOrder.LITTLE_ENDIAN); // counts the whole frame
        return subject("length-field-8", () -> new LengthFieldDecoder(field, 1 << 20))
                .sample("HI\14\0\0\0\0\0\0\0abHI\12\0\0\0\0\0\0\0")
                .refuses("below zero", "HI\0\0\0\0\0\0\0\200", LimitExceededException.class)
                .refuses(
                        "overflow",
                        "HI\377\377\377\377\377\377\377\177",
                        LimitExceededException.class)
                .refuses("short", "HI\11\0\0\0\0\0\0\0", CorruptedFrameException.class)
                .endless(n -> begun(n, 'H', 'I', 0, 0, 8));
    }

    private static Subject lengthFieldDiscarding() {
        return subject(
                        "length-field-discarding",
                        () ->
                                new LengthFieldDecoder(
                                        LengthField.of(1), 5, TooLong.discard(e -> {})))
                .sample("\1a\7bbbbbbb\1c")
                .refuses("cut off", "\7bbb", PrematureEndException.class)
                .endless(n -> filled(n, '\7'));
    }

    private static Subject line() {
        return subject("line", () -> new LineDecoder(600))
                .sample("one\ntwo\r\n\n\r\nthr\ree\r\r\n")
                .sample(LONG_LINE + "\r\n" + LONG_LINE + "\n")
                .refuses("too long", "ok\n" + LONG_LINE + "x\n", LimitExceededException.class)
                .refuses("too long with CR", LONG_LINE + "\r\r\n", LimitExceededException.class)
                .refuses("cut off", "ok\nabc", PrematureEndException.class)
                .roundTrip(() -> encoded(new LineEncoder(), "héllo"), utf8("héllo"))
                .roundTrip(() -> encoded(new LineEncoder("\n"), ""), "")
                .injection(text -> encoded(new LineEncoder(), text))
                .injection(text -> encoded(new LineEncoder("\n"), text))
                .injection(text -> encoded(new LineEncoder("\0"), text))
                .endless(n -> filled(Math.min(n, 600), 'x'));
    }

    private static String utf8(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    private static Subject strictLine() {
        return subject(
                        "line-crlf",
                        () -> new LineDecoder(1 << 16, LineDecoder.End.CRLF, TooLong.fail()))
                .sample("one\r\n\r\ntwo\r\n")
                .refuses("LF alone", "one\r\ntwo\n", CorruptedFrameException.class)
                .refuses("LF first", "\n", CorruptedFrameException.class)
                .endless(n -> filled(n, '\r'))
                .endless(n -> filled(n, 'x'));
    }

    private static Subject strictShortLine() {
        return subject(
                        "line-crlf-short",
                        () -> new LineDecoder(3, LineDecoder.End.CRLF, TooLong.fail()))
                .sample("abc\r\n\r\nab\r\n")
                .refuses("too long, LF alone", "abcd\n", LimitExceededException.class)
                .refuses("too long", "abcd\r\n", LimitExceededException.class)
                .refuses("CR and more", "abc\rd\r\n", LimitExceededException.class)
                .refuses("LF alone", "abc\n", CorruptedFrameException.class);
    }

    private static Subject lineDiscarding() {
        return subject(
                        "line-discarding",
                        () ->
                                new LineDecoder(
                                        3, LineDecoder.End.LF_OR_CRLF, TooLong.discard(e -> {})))
                .sample("abc\nabcd\nabc\r\nabcd\r\nabc\r\r\nabcdef\nx\n")
                .refuses("cut off", "abcdef", PrematureEndException.class)
                .endless(n -> filled(n, 'x'));
    }

    private static Subject strictLineDiscarding() {
        return subject(
                        "line-crlf-discarding",
                        () -> new LineDecoder(3, LineDecoder.End.CRLF, TooLong.discard(e -> {})))
                .sample("abc\r\nabcd\r\nab\r\nabcdef\rg\r\r\n\r\n")
                .refuses("LF alone", "abcdef\nGET\r\n", CorruptedFrameException.class)
                .refuses("LF alone at the limit", "abcd\n", CorruptedFrameException.class)
                .refuses("LF alone below it", "abc\n", CorruptedFrameException.class)
                .refuses("cut off", "abcdef\r", PrematureEndException.class)
                .endless(n -> filled(n, '\r'));
    }

    private static byte[][] delimiters(String... latin1) {
        return Arrays.stream(latin1).map(d -> d.getBytes(ISO_8859_1)).toArray(byte[][]::new);
    }

    private static Subject delimiter() {
        return subject(
                        "delimiter",
                        () ->
                                new DelimiterDecoder(
                                        700, delimiters("\n", "\r\n", "ABCD", "C", "\0")))
                .sample("one\r\ntwo\nABABCDABCD\0\0x\n")
                .refuses("too long", LONG_LINE + LONG_LINE, LimitExceededException.class)
                .refuses("cut off", "x\nabc", PrematureEndException.class)
                .endless(n -> filled(Math.min(n, 690), 'A'));
    }

    private static Subject delimiterDiscarding() {
        return subject(
                        "delimiter-discarding",
                        () ->
                                new DelimiterDecoder(
                                        3,
                                        false,
                                        TooLong.discard(e -> {}),
                                        delimiters("--end--", "ndd-")))
                .sample("abc--end--abcd--end------end--ab--end----end--")
                .refuses("cut off", "abcdefghijklmnop", PrematureEndException.class)
                .endless(n -> filled(n, '-'));
    }

    private static Subject fixedLength() {
        return subject("fixed-length", () -> new FixedLengthDecoder(3))
                .sample("abcdef")
                .refuses("cut off", "abcd", PrematureEndException.class);
    }

    private static Subject varint() {
        return subject("varint", () -> new VarintDecoder(1 << 20))
                .sample("\0\3abc\203\0abc\200\200\200\200\0")
                .refuses("too long", "\201\200\100", LimitExceededException.class)
                .refuses("more than 32 bits", "\200\200\200\200\20", CorruptedFrameException.class)
                .refuses(
                        "more than 5 bytes",
                        "\200\200\200\200\200\0",
                        CorruptedFrameException.class)
                .refuses("cut off", "\3ab", PrematureEndException.class)
                .refuses("cut off behind the number", "\3", PrematureEndException.class)
                .roundTrip(() -> encoded(new VarintPrepender(), bytes("abc")), "abc")
                .roundTrip(() -> encoded(new VarintPrepender(), bytes(LONG_LINE)), LONG_LINE)
                .endless(n -> begun(n, 0x80, 0x80, 0x20));
    }

    private static Subject varintDiscarding() {
        return subject("varint-discarding", () -> new VarintDecoder(2, TooLong.discard(e -> {})))
                .sample("\1a\3bbb\2cc")
                .refuses("cut off", "\3bb", PrematureEndException.class)
                .endless(n -> filled(n, '\3'));
    }
}
