package io.weft.http.hpack;

import static io.weft.http.hpack.Blocks.decode;
import static io.weft.http.hpack.Blocks.hex;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MalformedBlockTest {
    private final HpackDecoder decoder = new HpackDecoder(HpackLimits.DEFAULT);

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "index 0, 80, index: 0",
        "index beyond the tables, be, index: 62 (expected: 1 to 61)",
        "index beyond the tables, ff80ffffff07, index: 2147483647",
        "name beyond the tables, '7e 00', index: 62",
        "name beyond the tables, '7f 20 00', index: 95",
        "name beyond the tables, '0f 7f 00', index: 142",
        "integer of 6 further octets, ff8080808080, integer",
        "integer with zeros behind it, ff808080808000, integer",
        "integer above 2^31 - 1, ff81ffffff07, integer",
        "integer above 2^31 - 1, ffffffffff0f, integer",
        "length above 2^31 - 1, 007fffffffff0f, integer",
        "size update behind a field, 8220, dynamic table size update: behind",
        "size update beyond the limit, 3fe21f, dynamic table size update: 4097",
        "end inside an integer, ff80, header block",
        "end inside an index, 00, header block",
        "end inside a name, 000361, header block",
        "end before a value, 000161, header block",
        "end inside a value, 0001610362, header block",
        "EOS inside a string, 000161 84 ffffffff, Huffman code: EOS",
        "EOS after a symbol, 000161 85 1fffffffff, Huffman code: EOS",
        "padding of zeros, 000161 81 18, Huffman padding: 3 bits (expected: ones)",
        "padding of 8 bits, 000161 82 07ff, Huffman padding",
        "nothing but padding of 8 bits, 000161 81 ff, Huffman padding: 8 bits",
        "half of a long code, 000161 82 fffe, Huffman padding",
    })
    void isRefused(String what, String block, String message) {
        for (int piece = 1; piece < 8; piece++) {
            HpackDecoder fresh = new HpackDecoder(HpackLimits.DEFAULT);
            int n = piece;
            assertThatThrownBy(() -> decode(fresh, hex(block), n))
                    .as(what)
                    .isInstanceOf(HpackException.class)
                    .hasMessageStartingWith(message);
        }
    }

    @Test
    void inputAfterAnErrorIsIgnored() {
        assertThatThrownBy(() -> decode(decoder, "80")).isInstanceOf(HpackException.class);
        assertThat(decode(decoder, "82")).isEmpty();
    }

    @Test
    void sizeUpdateIsDueAfterTheLimitHasFallen() {
        decoder.tableSize(100);
        assertThatThrownBy(() -> decode(decoder, "82"))
                .isInstanceOf(HpackException.class)
                .hasMessage("dynamic table size update: none (expected: to at most 100)");
    }

    @Test
    void sizeUpdateWithinTheNewLimitIsTaken() {
        decoder.tableSize(100);
        assertThat(decode(decoder, "3f45 82")).containsExactly(":method: GET");
        decoder.tableSize(8192);
        assertThat(decode(decoder, "82")).containsExactly(":method: GET");
        assertThat(decode(decoder, "20 3fe13f 82")).containsExactly(":method: GET");
    }

    @Test
    void sizeUpdateBeyondTheNewLimitIsRefused() {
        decoder.tableSize(100);
        assertThatThrownBy(() -> decode(decoder, "3f46 82"))
                .isInstanceOf(HpackException.class)
                .hasMessage("dynamic table size update: 101 (expected: at most 100)");
    }

    @Test
    void evictedEntryIsNotFound() {
        decode(decoder, "400a637573746f6d2d6b65790d637573746f6d2d686561646572");
        assertThat(decode(decoder, "be")).hasSize(1);
        assertThatThrownBy(() -> decode(decoder, "20 be")).hasMessageStartingWith("index: 62");
    }

    @Test
    void malformedFieldsAreNoErrorOfCompression() {
        HpackDecoder fresh = new HpackDecoder(HpackLimits.DEFAULT);
        for (String block :
                new String[] {
                    "4001 41 01 62", // upper case
                    "4000 01 62", // no name
                    "4001 3a 01 62", // a lone colon
                    "4004 3a666f6f 01 62", // an unknown pseudo-header field
                    "4001 61 01 0a", // LF in the value
                    "4001 61 02 2062" // a leading blank
                }) {
            try (var in = Blocks.buffer(hex(block))) {
                fresh.decode(in, true, field -> assertThat(field.isWellFormed()).isFalse());
            }
        }
        try (var in = Blocks.buffer(hex("c0bfbe"))) {
            fresh.decode(in, true, field -> assertThat(field.isWellFormed()).isFalse());
        }
    }
}
