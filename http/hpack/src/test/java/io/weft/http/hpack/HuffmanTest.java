package io.weft.http.hpack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/// Strings that are decoded at once, beside the same ones in parts.
class HuffmanTest {
    private final Random random = new Random(Long.getLong("io.weft.test.seed", 1));

    /// Bytes behind the string are random, and make no difference.
    private String whole(byte[] coded) {
        byte[] in = new byte[3 + coded.length + StringLiteral.SLACK];
        random.nextBytes(in);
        System.arraycopy(coded, 0, in, 3, coded.length);
        byte[] out = new byte[HuffmanDecoder.most(coded.length)];
        try {
            int n = new HuffmanDecoder().whole(in, 3, 3 + coded.length, out);
            return new String(out, 0, n, ISO_8859_1);
        } catch (HpackException e) {
            return "refused: " + e.getMessage();
        }
    }

    private static String parts(byte[] coded, int piece) {
        HuffmanDecoder decoder = new HuffmanDecoder();
        byte[] out = new byte[HuffmanDecoder.most(coded.length) + coded.length * 8 + 16];
        try {
            int n = 0;
            for (int at = 0; at < coded.length; at += piece) {
                n = decoder.decode(coded, at, Math.min(at + piece, coded.length), out, n);
            }
            return new String(out, 0, decoder.end(out, n), ISO_8859_1);
        } catch (HpackException e) {
            return "refused: " + e.getMessage();
        }
    }

    private static byte[] encode(byte[] text) {
        byte[] coded = new byte[text.length * 4 + 8];
        return Arrays.copyOf(coded, HuffmanEncoder.encode(text, text.length, coded, 0));
    }

    private byte[] text() {
        byte[] text = new byte[random.nextInt(80)];
        int kind = random.nextInt(4);
        for (int i = 0; i < text.length; i++) {
            boolean any = kind == 0 || (kind == 1 && random.nextInt(20) == 0);
            text[i] = (byte) (any ? random.nextInt(256) : ' ' + random.nextInt(0x5F));
        }
        return text;
    }

    @Test
    void allSymbolsAreDecoded() {
        for (int symbol = 0; symbol < 256; symbol++) {
            for (int count = 1; count < 20; count++) {
                byte[] text = new byte[count];
                Arrays.fill(text, (byte) symbol);
                assertThat(whole(encode(text))).isEqualTo(new String(text, ISO_8859_1));
            }
        }
    }

    @RepeatedTest(20)
    void stringsAreDecodedAlikeAtOnceAndInParts() {
        for (int i = 0; i < 500; i++) {
            byte[] text = text();
            byte[] coded = encode(text);
            assertThat(whole(coded)).isEqualTo(new String(text, ISO_8859_1));
            assertThat(parts(coded, 1 + random.nextInt(20)))
                    .isEqualTo(new String(text, ISO_8859_1));
        }
    }

    @RepeatedTest(20)
    void anyBytesAreDecodedOrRefusedAlikeAtOnceAndInParts() {
        for (int i = 0; i < 500; i++) {
            byte[] coded = random.nextBoolean() ? encode(text()) : new byte[random.nextInt(40)];
            if (coded.length > 0 && random.nextBoolean()) {
                coded[random.nextInt(coded.length)] = (byte) (random.nextBoolean() ? -1 : i);
            }
            byte[] cut = Arrays.copyOf(coded, random.nextInt(coded.length + 1));
            if (random.nextInt(4) == 0) {
                random.nextBytes(cut);
            } else if (cut.length > 0 && random.nextInt(4) == 0) {
                Arrays.fill(cut, random.nextInt(cut.length), cut.length, (byte) -1);
            }
            assertThat(whole(cut)).isEqualTo(parts(cut, 1 + random.nextInt(20)));
        }
    }
}
