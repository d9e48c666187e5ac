package io.weft.http.hpack;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;
import java.util.function.Consumer;

/// HPACK in the lab: a stream is one block.
class HpackLabTest implements CodecLab {
    private static final HpackLimits LIMITS = HpackLimits.DEFAULT.fieldSection(2000).fields(40);

    private static Machine machine() {
        HpackDecoder decoder = new HpackDecoder(LIMITS);
        return Machine.of(
                (in, out) -> decoder.decode(in, false, lines(out)),
                out -> {
                    try (Buffer none = BufferAllocator.pooled().allocate(1)) {
                        decoder.decode(none, true, lines(out));
                    }
                },
                () -> {});
    }

    private static Consumer<HpackField> lines(Consumer<Object> out) {
        return field -> out.accept(Blocks.line(field));
    }

    @Override
    public List<Subject> subjects() {
        return List.of(
                Subject.named("hpack")
                        .decoder(HpackLabTest::machine, HpackException.class)
                        .sample(Blocks.hex("828684418cf1e3c2e5f23a6ba0ab90f4ff"))
                        .sample(
                                Blocks.hex(
                                        """
                                        3fe101 4803333032580770726976617465611d4d6f6e2c203231204f63
                                        742032303133 2032303a31333a323120474d546e1768747470733a2f2f
                                        7777772e6578616d70 6c652e636f6d
                                        """))
                        .sample(
                                Blocks.hex(
                                        "400a637573746f6d2d6b65790d637573746f6d2d686561646572be"))
                        .sample(Blocks.hex("100870617373776f726406736563726574"))
                        .sample(
                                Blocks.encode(
                                        new HpackEncoder(HpackLimits.DEFAULT),
                                        List.of(
                                                ":status: 418",
                                                "x-latin: \u00e4\u00ff\u0080~{}|",
                                                "cookie: a=b; c=d",
                                                "x-long: " + "long ".repeat(40) + "end")))
                        .refuses("index 0", Blocks.hex("8280"), HpackException.class)
                        .refuses("integer", Blocks.hex("ffffffffff0f"), HpackException.class)
                        .refuses("EOS", Blocks.hex("00016184ffffffff"), HpackException.class)
                        .refuses("half a field", Blocks.hex("8200"), HpackException.class)
                        .roundTrip(
                                () ->
                                        Blocks.encode(
                                                new HpackEncoder(HpackLimits.DEFAULT),
                                                List.of(":path: /x", "via: a", "via: a")),
                                ":path: /x",
                                "via: a",
                                "via: a")
                        .endless(n -> fill(n, "40 01 78 7f a11e", 'a', 4000, 0xBE))
                        .endless(n -> fill(n, "00 01 78 ff ffffff01", 0, 0, 0))
                        .endless(n -> fill(n, "", 0, 0, 0x40)));
    }

    /// @param octet what comes after `head` and `count` times `value`, to the end
    private static byte[] fill(int length, String head, int value, int count, int octet) {
        byte[] wire = new byte[length];
        byte[] begin = Blocks.hex(head);
        for (int i = 0; i < length; i++) {
            wire[i] =
                    i < begin.length ? begin[i] : (byte) (i < begin.length + count ? value : octet);
        }
        return wire;
    }
}
