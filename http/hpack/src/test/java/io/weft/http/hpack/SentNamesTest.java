package io.weft.http.hpack;

import static io.weft.http.hpack.Blocks.decode;
import static io.weft.http.hpack.Blocks.hex;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.http.model.HeaderName;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/// Names that are sent as literals again and again.
class SentNamesTest {
    private final HpackDecoder decoder = new HpackDecoder(HpackLimits.DEFAULT);

    /// A literal without indexing, with the value "1".
    private static byte[] literal(String name, boolean huffman) {
        byte[] text = name.getBytes(ISO_8859_1);
        byte[] coded = new byte[text.length * 4 + 8];
        int length = huffman ? HuffmanEncoder.encode(text, text.length, coded, 0) : text.length;
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.write(0);
        int first = huffman ? 0x80 : 0;
        if (length < 127) {
            block.write(first | length);
        } else {
            block.write(first | 127);
            block.write(length - 127);
        }
        block.write(huffman ? coded : text, 0, length);
        block.writeBytes(hex("0131"));
        return block.toByteArray();
    }

    private HeaderName nameOf(String name, boolean huffman) {
        List<HeaderName> names = new ArrayList<>();
        try (Buffer in = Blocks.buffer(literal(name, huffman))) {
            decoder.decode(in, true, field -> names.add(field.name()));
        }
        return names.getFirst();
    }

    @Test
    void nameIsOneObject() {
        for (boolean huffman : new boolean[] {true, false}) {
            for (String name : List.of("x", "x-12345", "x-1234567890", "x".repeat(40))) {
                HeaderName first = nameOf(name, huffman);
                assertThat(first).hasToString(name);
                assertThat(nameOf(name, huffman)).isSameAs(first);
            }
        }
    }

    @Test
    void nameInPartsIsOneObject() {
        HeaderName first = nameOf("x-in-parts", false);
        List<HeaderName> names = new ArrayList<>();
        byte[] block = literal("x-in-parts", true);
        for (int i = 0; i < block.length; i++) {
            try (Buffer in = Blocks.buffer(new byte[] {block[i]})) {
                decoder.decode(in, i == block.length - 1, field -> names.add(field.name()));
            }
        }
        assertThat(names).hasSize(1);
        assertThat(names.getFirst()).isSameAs(first);
    }

    @Test
    void namesThatDifferInTheMiddleAreTwo() {
        for (boolean huffman : new boolean[] {true, false}) {
            for (char c = 'a'; c <= 'z'; c++) {
                String name = "x-begin-" + ("" + c).repeat(12) + "-ending-";
                assertThat(nameOf(name, huffman)).hasToString(name);
            }
        }
    }

    @Test
    void sameOctetsAreAnotherNameInHuffmansCode() {
        int both = 0;
        for (char a = 'a'; a <= 'z'; a++) {
            for (char b = 'a'; b <= 'z'; b++) {
                String octets = HexFormat.of().formatHex(new byte[] {(byte) a, (byte) b});
                String coded = "0082" + octets + "0131";
                try {
                    List<String> lines = decode(new HpackDecoder(HpackLimits.DEFAULT), coded);
                    for (int i = 0; i < 2; i++) {
                        assertThat(decode(decoder, "0002" + octets + "0131"))
                                .containsExactly("" + a + b + ": 1");
                        assertThat(decode(decoder, coded)).isEqualTo(lines);
                    }
                    both++;
                } catch (HpackException e) {
                    // Most octets are no code.
                    assertThat(e).hasMessageStartingWith("Huffman padding");
                }
            }
        }
        assertThat(both).isGreaterThan(10);
    }

    @Test
    void namesThatAreMalformedAreSoAgain() {
        for (String name : List.of("", "X", ":", ":x", ":statuses", "a b", "\u00e4", "x\n")) {
            for (int i = 0; i < 3; i++) {
                boolean huffman = i > 0;
                try (Buffer in = Blocks.buffer(literal(name, huffman))) {
                    decoder.decode(
                            in,
                            true,
                            field -> {
                                assertThat(field.nameText()).isEqualTo(name);
                                assertThat(field.isWellFormed()).isFalse();
                                assertThat(field.name()).isNull();
                                assertThat(field.pseudo()).isNull();
                            });
                }
            }
        }
    }

    @Test
    void moreNamesThanAreKeptAreDecoded() {
        Random random = new Random(Long.getLong("io.weft.test.seed", 1));
        for (int i = 0; i < 5000; i++) {
            int n = random.nextInt(random.nextBoolean() ? 20 : 400);
            String name = n % 7 == 0 ? ":status" : "x-" + "name-".repeat(n % 30) + n;
            boolean huffman = random.nextBoolean();
            assertThat(decode(decoder, literal(name, huffman), 1 + random.nextInt(300)))
                    .containsExactly(name + ": 1");
        }
    }
}
