package io.weft.codec.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Aggregator;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.codec.Encoder;
import io.weft.codec.LimitExceededException;
import io.weft.codec.Output;
import io.weft.codec.PrematureEndException;
import io.weft.codec.framing.FixedLengthDecoder;
import io.weft.codec.framing.LengthFieldPrepender;
import io.weft.codec.framing.LineDecoder;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Gathered;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;
import java.util.function.Supplier;

class TextLabTest implements CodecLab {
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

    @Override
    public List<Subject> subjects() {
        return List.of(json(), jsonElements(), strings(), byteArrays(), base64(), aggregator());
    }

    private static String utf8(String text) {
        return new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    private static Subject json() {
        return subject("json", () -> new JsonDecoder(5000, 20))
                .sample(" {} [1,{\"a\":[\"}\\\"]\",2]}]\r\n{\"k\\\\\":\"{\"}\t[]")
                .refuses("scalar", "{}1", CorruptedFrameException.class)
                .refuses("wrong bracket", "[1}", CorruptedFrameException.class)
                .refuses("too deep", "[".repeat(21), LimitExceededException.class)
                .refuses("too long", "[\"" + "x".repeat(5000), LimitExceededException.class)
                .refuses("cut off", "{} {\"", PrematureEndException.class)
                .endless(n -> begun(n, '[', '"'));
    }

    private static Subject jsonElements() {
        return subject("json-elements", () -> JsonDecoder.elements(5000, 20))
                .sample(
                        " [] [ ] [1 , -2.5e+3,\"a,]\\\"\" ,true,null,[[],1],{\"k\":\"}\"}]"
                                + "{\"a\":[1,2]}\r\n[\"\",\"\"]"
                                + utf8("[\"é€\"]"))
                .refuses("scalar outside", "[1] 1", CorruptedFrameException.class)
                .refuses("nothing before a comma", "[,1]", CorruptedFrameException.class)
                .refuses("nothing behind a comma", "[1,]", CorruptedFrameException.class)
                .refuses("no comma", "[1 2]", CorruptedFrameException.class)
                .refuses("no comma behind a string", "[\"a\"\"b\"]", CorruptedFrameException.class)
                .refuses("wrong bracket", "[1}", CorruptedFrameException.class)
                .refuses("wrong bracket within", "[{]", CorruptedFrameException.class)
                .refuses("too deep", "[" + "[".repeat(21), LimitExceededException.class)
                .refuses("too long", "[" + "1".repeat(5001), LimitExceededException.class)
                .refuses(
                        "too long a string", "[\"" + "x".repeat(5000), LimitExceededException.class)
                .refuses("cut off between", "[1,2", PrematureEndException.class)
                .refuses("cut off behind", "[{} ", PrematureEndException.class)
                .refuses("cut off within", "[[1", PrematureEndException.class)
                .endless(n -> endlessArray(n))
                .endless(n -> begun(n, '[', '['));
    }

    /// One that never ends: none of it is kept.
    private static byte[] endlessArray(int n) {
        byte[] wire = new byte[n];
        for (int i = 1; i < n; i++) {
            wire[i] = (byte) ((i & 1) == 0 ? ',' : '7');
        }
        wire[0] = '[';
        return wire;
    }

    private static Subject strings() {
        return subject("string", () -> new LineDecoder(600).then(new StringDecoder()))
                .sample(utf8("plain\nhéllo\n\n€\n"))
                .refuses("no UTF-8", "ok\n\303(\n", CorruptedFrameException.class)
                .roundTrip(() -> encoded(new LengthFieldPrepender(1), bytes("\1x\n")), "\3\1x");
    }

    private static Subject byteArrays() {
        return subject("bytes", () -> new FixedLengthDecoder(4).then(new BytesDecoder()))
                .describe(m -> new String((byte[]) m, ISO_8859_1))
                .sample("abcd")
                .roundTrip(
                        () -> encoded(new BytesEncoder(), new byte[] {'a', 'b', 'c', 'd'}), "abcd")
                .roundTrip(() -> encoded(new StringEncoder(), "four"), "four")
                .roundTrip(() -> encoded(new StringEncoder(ISO_8859_1), "f\377ur"), "f\377ur");
    }

    private static Subject base64() {
        return subject(
                        "base64",
                        () -> new FixedLengthDecoder(8).then(new Base64Decoder(Base64.URL_SAFE)))
                .sample("Zm9vYmFyZm9vYmE9Zm9vYg==AP__-v4A")
                .refuses("other alphabet", "Zm9/YmFy", CorruptedFrameException.class)
                .refuses("line end", "Zm9\r\nYmF", CorruptedFrameException.class)
                .refuses("bits behind the end", "Zm9vYmF=Zm9vYh==", CorruptedFrameException.class)
                .refuses("padding inside", "Zg==Zg==", CorruptedFrameException.class)
                .refuses("only padding", "========", CorruptedFrameException.class)
                .roundTrip(
                        () -> encoded(new Base64Encoder(Base64.URL_SAFE), bytes("fooba")), "fooba");
    }

    /// Lines that end with a backslash go on with the next one.
    static final class Continued implements Aggregator.Parts<String, String> {
        private String last = "";

        @Override
        public boolean isFirst(String part) {
            boolean first = !last.endsWith("\\");
            last = part;
            return first || part.startsWith("!");
        }

        @Override
        public boolean isLast(String part) {
            return !part.endsWith("\\");
        }

        @Override
        public Buffer content(String part) {
            return bytes(part);
        }

        @Override
        public String whole(String first, Buffer content, String last) {
            try (content) {
                return content.readString(ISO_8859_1);
            }
        }
    }

    private static Subject aggregator() {
        return subject(
                        "aggregator",
                        () ->
                                new LineDecoder(600)
                                        .then(new StringDecoder(ISO_8859_1))
                                        .then(new Aggregator<>(new Continued(), 1000)))
                .sample("one\ntwo\\\nmore\\\n\\\nend\n\nx\n")
                .refuses("cut off", "a\\\n", PrematureEndException.class)
                .refuses("first inside", "a\\\n!\n", CorruptedFrameException.class)
                .refuses(
                        "too long",
                        (LONG_LINE.substring(1) + "\\\n").repeat(2),
                        LimitExceededException.class);
    }
}
