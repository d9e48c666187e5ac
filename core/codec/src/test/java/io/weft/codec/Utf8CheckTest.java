package io.weft.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Utf8CheckTest {
    private static int firstFault(byte[] bytes, int cut) {
        try (Buffer in = BufferAllocator.pooled().allocate(bytes.length + 1)) {
            in.writeBytes(bytes);
            Utf8Check check = new Utf8Check();
            int bad = check.check(in, 0, cut);
            bad = bad >= 0 ? bad : check.check(in, cut, bytes.length);
            return bad >= 0 ? bad : check.isWhole() ? -1 : bytes.length;
        }
    }

    @Test
    void decoderOfTheJdkAgreesOnAllSequencesOfThreeBytes() {
        int[] lasts = {0x00, 0x7F, 0x80, 0xBF, 0xC0, 0xFF};
        for (int first = 0; first < 256; first++) {
            for (int second = 0; second < 256; second++) {
                for (int last : lasts) {
                    byte[] bytes = {(byte) first, (byte) second, (byte) last};
                    assertThat(firstFault(bytes, 1) < 0)
                            .as(HexFormat.of().formatHex(bytes))
                            .isEqualTo(isText(bytes));
                }
            }
        }
    }

    private static boolean isText(byte[] bytes) {
        try {
            var _ = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
            return true;
        } catch (CharacterCodingException e) {
            return false;
        }
    }

    @Test
    void firstFaultIsTheSameWhereverTheTextIsCut() {
        for (String hex :
                new String[] {
                    "61626364656667686970e282ac", // whole
                    "6162636465666768f09f9880c0", // C0 begins nothing
                    "61e28261", // a character breaks off
                    "61eda080", // a surrogate
                    "f4908080", // above U+10FFFF
                    "61f09f98" // ends early
                }) {
            byte[] bytes = HexFormat.of().parseHex(hex);
            int whole = firstFault(bytes, 0);
            for (int cut = 1; cut <= bytes.length; cut++) {
                assertThat(firstFault(bytes, cut)).as(hex + " cut at " + cut).isEqualTo(whole);
            }
        }
    }

    @Test
    void missingBytesOfTheLastCharacterAreCounted() {
        try (Buffer in = BufferAllocator.pooled().allocate(4)) {
            in.writeByte(0xF0).writeByte(0x9F);
            Utf8Check check = new Utf8Check();
            assertThat(check.check(in, 0, 2)).isEqualTo(-1);
            assertThat(check.missing()).isEqualTo(2);
            assertThat(check.isWhole()).isFalse();
        }
    }
}
