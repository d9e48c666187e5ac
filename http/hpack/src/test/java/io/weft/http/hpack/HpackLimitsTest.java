package io.weft.http.hpack;

import static io.weft.http.hpack.Blocks.decode;
import static io.weft.http.hpack.Blocks.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class HpackLimitsTest {
    private static final String INDEXED_X = "40 01 78 03 313233";

    private static HpackDecoder decoder(int fieldSection, int fields) {
        return new HpackDecoder(HpackLimits.DEFAULT.fieldSection(fieldSection).fields(fields));
    }

    private static byte[] repeat(String head, int octet, int count) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(hex(head));
        for (int i = 0; i < count; i++) {
            block.write(octet);
        }
        return block.toByteArray();
    }

    /// The HPACK bomb: each octet refers to an entry of almost 4 KiB.
    @Test
    void indexedBombIsCutAtTheSectionLimit() {
        HpackDecoder decoder = decoder(16_384, 1000);
        byte[] value = new byte[4000];
        Arrays.fill(value, (byte) 'a');
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(hex("40 01 78 7f a11e"));
        block.writeBytes(value);
        block.writeBytes(repeat("", 0xBE, 10_000));
        List<HpackField> fields = new ArrayList<>();
        try (Buffer in = Blocks.buffer(block.toByteArray())) {
            decoder.decode(in, true, fields::add);
        }
        assertThat(fields).hasSize(4).allMatch(field -> field == fields.getFirst());
        assertThat(decoder.isTruncated()).isTrue();
        assertThat(decoder.tableBytes()).isEqualTo(4033);
    }

    @Test
    void cookieCrumbsAreCountedAsFields() {
        HpackDecoder decoder = decoder(16_384, 100);
        assertThat(decode(decoder, repeat("", 0xA0, 5000), 5000)).hasSize(100);
        assertThat(decoder.isTruncated()).isTrue();
        assertThat(decode(decoder, repeat("", 0xA0, 100), 100)).hasSize(100);
        assertThat(decoder.isTruncated()).isFalse();
    }

    @Test
    void eachFieldCountsThirtyTwoBytesMore() {
        assertThat(decode(decoder(108, 10), INDEXED_X + INDEXED_X + INDEXED_X)).hasSize(3);
        HpackDecoder less = decoder(107, 10);
        assertThat(decode(less, INDEXED_X + INDEXED_X + INDEXED_X)).hasSize(2);
        assertThat(less.isTruncated()).isTrue();
    }

    @Test
    void tableKeepsStepWithFieldsThatAreDropped() {
        HpackDecoder decoder = decoder(64, 10);
        assertThat(decode(decoder, INDEXED_X + INDEXED_X + "40 01 79 01 31")).hasSize(1);
        assertThat(decode(decoder, "be")).containsExactly("y: 1");
        assertThat(decode(decoder, "bf")).containsExactly("x: 123");
    }

    @Test
    void fieldLargerThanEverythingIsNotKeptAndEmptiesTheTable() {
        for (boolean longName : new boolean[] {true, false}) {
            for (boolean huffman : new boolean[] {true, false}) {
                HpackDecoder decoder = decoder(4096, 10);
                decode(decoder, INDEXED_X);
                ByteArrayOutputStream block = new ByteArrayOutputStream();
                block.write(0x40);
                // 100,000 octets: of "0" in Huffman's code, which is five zeros, or of NUL.
                String length = huffman ? "ff a18c06" : "7f a18c06";
                block.writeBytes(longName ? repeat(length, 0, 100_000) : hex("0179"));
                block.writeBytes(repeat(length, 0, 100_000));
                assertThat(decode(decoder, block.toByteArray(), 20_000)).isEmpty();
                assertThat(decoder.isTruncated()).isTrue();
                assertThat(decoder.tableBytes()).isZero();
                assertThat(decode(decoder, "82")).containsExactly(":method: GET");
                assertThat(decoder.isTruncated()).isFalse();
            }
        }
    }

    @Test
    void fieldLargerThanTheTableEmptiesIt() {
        HpackDecoder decoder = decoder(4096, 10);
        assertThat(decode(decoder, "3f25" + INDEXED_X)).hasSize(1);
        assertThat(decoder.tableBytes()).isEqualTo(36);
        assertThat(decode(decoder, "40 01 78 24" + "61".repeat(36))).hasSize(1);
        assertThat(decoder.tableBytes()).isZero();
    }

    @Test
    void nameOfAnEvictedEntryServesTheNewOne() {
        // RFC 7541, 4.4: the entry that gives the name may be evicted by the new one.
        HpackDecoder decoder = decoder(4096, 10);
        assertThat(decode(decoder, "3f05" + INDEXED_X)).hasSize(1);
        assertThat(decode(decoder, "7e 02 6162")).containsExactly("x: ab");
        assertThat(decode(decoder, "be")).containsExactly("x: ab");
    }

    @Test
    void limitsAreChecked() {
        HpackLimits limits = HpackLimits.DEFAULT;
        assertThatThrownBy(() -> limits.decoderTable(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("decoderTable: -1 (expected: 0 to 65536)");
        assertThatThrownBy(() -> limits.encoderTable(70_000))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> limits.fieldSection(10))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> limits.fields(0)).isInstanceOf(IllegalArgumentException.class);
    }
}
