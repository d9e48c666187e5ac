package io.weft.codec.memcache;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.DecoderException;
import io.weft.codec.Output;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Gathered;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.function.Supplier;

class MemcacheLabTest implements CodecLab {
    static final MemcacheLimits LIMITS = new MemcacheLimits(300, 250, 5000, 1000);

    static String shown(Object message) {
        try (MemcachePart part = (MemcachePart) message) {
            return switch (part) {
                case MemcachePart.ValueChunk chunk -> "piece " + content(chunk.content());
                case MemcachePart.ValueEnd end -> end.toString();
                case TextMessage text ->
                        text + (text.hasData() && !text.isStreamed() ? ": " + of(text.data()) : "");
                case BinaryMessage binary ->
                        binary
                                + ": "
                                + binary.key()
                                + (binary.isStreamed() ? "" : "=" + of(binary.value()));
            };
        }
    }

    private static String of(Buffer owned) {
        try (owned) {
            return content(owned);
        }
    }

    private static String content(Buffer content) {
        return content.getString(content.readOffset(), content.readableBytes(), ISO_8859_1);
    }

    @SafeVarargs
    static byte[] encoded(Supplier<? extends MemcachePart>... parts) {
        try (Output out = new Output()) {
            MemcacheEncoder encoder = new MemcacheEncoder();
            for (Supplier<? extends MemcachePart> part : parts) {
                encoder.encode(part.get(), out);
            }
            return Gathered.bytes(out::drain);
        }
    }

    static MemcachePart.ValueChunk chunk(String text) {
        return new MemcachePart.ValueChunk(
                BufferAllocator.pooled()
                        .allocate(Math.max(16, text.length()))
                        .writeBytes(text.getBytes(UTF_8)));
    }

    private static Subject subject(String name, Supplier<MemcacheDecoder> decoder) {
        return Subject.named(name)
                .decoder(
                        () -> {
                            MemcacheDecoder d = decoder.get();
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class)
                .describe(MemcacheLabTest::shown);
    }

    @Override
    public List<Subject> subjects() {
        return List.of(requests(), textReplies(), binaryReplies());
    }

    private static byte[] everyRequest() {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (Opcode opcode : Opcode.values()) {
            all.writeBytes(
                    encoded(
                            () ->
                                    BinaryMessage.request(opcode)
                                            .opaque(opcode.number())
                                            .cas(-1)
                                            .extras(1, 2)
                                            .key("key")
                                            .value("value".getBytes(UTF_8))
                                            .build()));
        }
        return all.toByteArray();
    }

    private static Subject requests() {
        Subject subject = subject("memcache-requests", () -> MemcacheDecoder.requests(LIMITS));
        Malformed.requests()
                .forEach(v -> subject.refuses(v.toString(), v.wire(), MemcacheException.class));
        return subject.sample(
                        String.join(
                                "",
                                "get a\r\nget a b c\n  gets   a \r\nset a 0 0 3\r\nabc\r\n",
                                "cas a 1 2 0 99 noreply\r\n\r\nappend a 0 0 2 noreply\r\n\r\n\r\n",
                                "incr a 1\r\nflush_all\r\nmg a v t f\r\n",
                                "ms a 2 T0 I\r\nhi\r\nmn\r\nms a\r\n",
                                "set a 0 0 2000\r\n",
                                "x".repeat(2000),
                                "\r\nquit\r\n"))
                .sample(everyRequest())
                .sample(
                        encoded(
                                () ->
                                        BinaryMessage.request(Opcode.SET)
                                                .extras(0, 0)
                                                .key("k")
                                                .value(new byte[2000])
                                                .build()))
                .refuses("cut", "set a 0 0 3\r\nab", PrematureEndException.class)
                .refuses("cut line", "get", PrematureEndException.class)
                .refuses("cut value", "set a 0 0 2000\r\nab", PrematureEndException.class)
                .roundTrip(
                        () ->
                                encoded(
                                        () -> TextMessage.of("get", "a"),
                                        () -> TextMessage.of("hi".getBytes(UTF_8), "ms", "a", "2"),
                                        () ->
                                                TextMessage.streamed(
                                                        1003, "set", "a", "0", "0", "1003"),
                                        () -> chunk("x".repeat(1000)),
                                        () -> chunk("end"),
                                        () -> MemcachePart.ValueEnd.END),
                        "get a",
                        "ms a 2 + 2 bytes: hi",
                        "set a 0 0 1003 + 1003 bytes",
                        "piece " + "x".repeat(1000) + "end",
                        "ValueEnd[]")
                .roundTrip(
                        () ->
                                encoded(
                                        () -> BinaryMessage.request(Opcode.GET).key("a").build(),
                                        () ->
                                                BinaryMessage.request(Opcode.SET)
                                                        .extras(0, 0)
                                                        .key("k")
                                                        .streamed(1001)
                                                        .build(),
                                        () -> chunk("x".repeat(1001)),
                                        () -> MemcachePart.ValueEnd.END),
                        "request GET, vbucket 0, opaque 0, cas 0, 0 + 1 + 0 bytes: a=",
                        "request SET, vbucket 0, opaque 0, cas 0, 8 + 1 + 1001 bytes: k",
                        "piece " + "x".repeat(1001),
                        "ValueEnd[]")
                .injection(text -> encoded(() -> TextMessage.of("get", text)))
                .injection(text -> encoded(() -> TextMessage.line(text)))
                .endless(n -> ("get " + "a ".repeat(n / 2)).getBytes(ISO_8859_1))
                .endless(n -> ("set a 0 0 5000\r\n" + "a".repeat(n)).getBytes(ISO_8859_1))
                .endless(
                        n ->
                                ("set a 0 0 1000" + " x".repeat(140) + "\r\n" + "a".repeat(n))
                                        .getBytes(ISO_8859_1))
                .endless(n -> "mn\r\n".repeat(n / 4).getBytes(ISO_8859_1));
    }

    private static Subject textReplies() {
        Subject subject =
                subject("memcache-text-replies", () -> MemcacheDecoder.textReplies(LIMITS));
        Malformed.textReplies()
                .forEach(v -> subject.refuses(v.toString(), v.wire(), MemcacheException.class));
        return subject.sample(
                        String.join(
                                "",
                                "VALUE a 0 3\r\nabc\r\nVALUE b 1 0 77\r\n\r\nEND\r\nSTORED\r\n",
                                "STAT pid 1\r\nEND\r\nVA 2 f1 t-1\r\nhi\r\nHD\r\nEN\r\nMN\r\n",
                                "ERROR\r\nCLIENT_ERROR bad data chunk\r\n12\r\nVERSION 1.6.18\r\n",
                                "VA 1500 c\r\n",
                                "x".repeat(1500),
                                "\r\nNF\r\n"))
                .roundTrip(
                        () ->
                                encoded(
                                        () ->
                                                TextMessage.of(
                                                        "abc".getBytes(UTF_8),
                                                        "VALUE",
                                                        "a",
                                                        "0",
                                                        "3"),
                                        () -> TextMessage.of("END")),
                        "VALUE a 0 3 + 3 bytes: abc",
                        "END")
                .endless(n -> ("VALUE a 0 5000\r\n" + "a".repeat(n)).getBytes(ISO_8859_1));
    }

    private static Subject binaryReplies() {
        Subject subject =
                subject("memcache-binary-replies", () -> MemcacheDecoder.binaryReplies(LIMITS));
        Malformed.binaryReplies()
                .forEach(v -> subject.refuses(v.toString(), v.wire(), MemcacheException.class));
        return subject.sample(
                        encoded(
                                () ->
                                        BinaryMessage.response(0, 0)
                                                .extras(7)
                                                .cas(1)
                                                .value("abc".getBytes(UTF_8))
                                                .build(),
                                () -> BinaryMessage.response(1, 2).opaque(5).build()))
                .refuses("cut", "\u0081\0\0", PrematureEndException.class)
                .endless(n -> new byte[n]);
    }
}
