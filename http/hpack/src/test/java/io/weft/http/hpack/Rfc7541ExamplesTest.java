package io.weft.http.hpack;

import static io.weft.http.hpack.Blocks.decode;
import static io.weft.http.hpack.Blocks.hex;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// The examples of RFC 7541, Appendix C.
class Rfc7541ExamplesTest {
    private final HpackDecoder decoder = new HpackDecoder(HpackLimits.DEFAULT);

    private static final String DATE = "date: Mon, 21 Oct 2013 20:13:21 GMT";

    private static final List<List<String>> REQUESTS =
            List.of(
                    List.of(
                            ":method: GET",
                            ":scheme: http",
                            ":path: /",
                            ":authority: www.example.com"),
                    List.of(
                            ":method: GET",
                            ":scheme: http",
                            ":path: /",
                            ":authority: www.example.com",
                            "cache-control: no-cache"),
                    List.of(
                            ":method: GET",
                            ":scheme: https",
                            ":path: /index.html",
                            ":authority: www.example.com",
                            "custom-key: custom-value"));

    private static final List<List<String>> RESPONSES =
            List.of(
                    List.of(
                            ":status: 302",
                            "cache-control: private",
                            DATE,
                            "location: https://www.example.com"),
                    List.of(
                            ":status: 307",
                            "cache-control: private",
                            DATE,
                            "location: https://www.example.com"),
                    List.of(
                            ":status: 200",
                            "cache-control: private",
                            "date: Mon, 21 Oct 2013 20:13:22 GMT",
                            "location: https://www.example.com",
                            "content-encoding: gzip",
                            "set-cookie: foo=ASDJKHQKBZXOQWEOPIUAXQWEOIU; max-age=3600; version=1"));

    private static final String[] HUFFMAN_REQUESTS = {
        "828684418cf1e3c2e5f23a6ba0ab90f4ff",
        "828684be5886a8eb10649cbf",
        "828785bf408825a849e95ba97d7f8925a849e95bb8e8b4bf"
    };

    private void assertBlocks(List<List<String>> expected, int[] tableBytes, String... blocks) {
        for (int piece : new int[] {Integer.MAX_VALUE, 1, 3}) {
            HpackDecoder fresh = new HpackDecoder(HpackLimits.DEFAULT);
            if (expected == RESPONSES) {
                // The examples of C.5 and C.6 have a table of 256 bytes.
                decode(fresh, "3fe101");
            }
            for (int i = 0; i < blocks.length; i++) {
                assertThat(decode(fresh, hex(blocks[i]), piece)).isEqualTo(expected.get(i));
                assertThat(fresh.tableBytes()).isEqualTo(tableBytes[i]);
            }
        }
    }

    @Test
    void c21LiteralWithIndexing() {
        assertThat(decode(decoder, "400a637573746f6d2d6b65790d637573746f6d2d686561646572"))
                .containsExactly("custom-key: custom-header");
        assertThat(decoder.tableBytes()).isEqualTo(55);
    }

    @Test
    void c22LiteralWithoutIndexing() {
        assertThat(decode(decoder, "040c2f73616d706c652f70617468"))
                .containsExactly(":path: /sample/path");
        assertThat(decoder.tableBytes()).isZero();
    }

    @Test
    void c23LiteralNeverIndexed() {
        assertThat(decode(decoder, "100870617373776f726406736563726574"))
                .containsExactly("password: secret (never)");
        assertThat(decoder.tableBytes()).isZero();
    }

    @Test
    void c24Indexed() {
        assertThat(decode(decoder, "82")).containsExactly(":method: GET");
        assertThat(decoder.tableBytes()).isZero();
    }

    @Test
    void c3RequestsWithoutHuffman() {
        assertBlocks(
                REQUESTS,
                new int[] {57, 110, 164},
                "828684410f7777772e6578616d706c652e636f6d",
                "828684be58086e6f2d6361636865",
                "828785bf400a637573746f6d2d6b65790c637573746f6d2d76616c7565");
    }

    @Test
    void c4RequestsWithHuffman() {
        assertBlocks(REQUESTS, new int[] {57, 110, 164}, HUFFMAN_REQUESTS);
    }

    @Test
    void c4RequestsAreEncodedSo() {
        HpackEncoder encoder = new HpackEncoder(HpackLimits.DEFAULT);
        for (int i = 0; i < HUFFMAN_REQUESTS.length; i++) {
            assertThat(Blocks.toHex(Blocks.encode(encoder, REQUESTS.get(i))))
                    .isEqualTo(HUFFMAN_REQUESTS[i]);
        }
    }

    @Test
    void c5ResponsesWithoutHuffman() {
        assertBlocks(
                RESPONSES,
                new int[] {222, 222, 215},
                """
                4803333032580770726976617465611d4d6f6e2c203231204f63742032303133
                2032303a31333a323120474d546e1768747470733a2f2f7777772e6578616d70
                6c652e636f6d
                """,
                "4803333037c1c0bf",
                """
                88c1611d4d6f6e2c203231204f637420323031332032303a31333a323220474d
                54c05a04677a69707738666f6f3d4153444a4b48514b425a584f5157454f5049
                5541585157454f49553b206d61782d6167653d333630303b2076657273696f6e
                3d31
                """);
    }

    @Test
    void c6ResponsesWithHuffman() {
        assertBlocks(
                RESPONSES,
                new int[] {222, 222, 215},
                """
                488264025885aec3771a4b6196d07abe941054d444a8200595040b8166e082a6
                2d1bff6e919d29ad171863c78f0b97c8e9ae82ae43d3
                """,
                "4883640effc1c0bf",
                """
                88c16196d07abe941054d444a8200595040b8166e084a62d1bffc05a839bd9ab
                77ad94e7821dd7f2e6c7b335dfdfcd5b3960d5af27087f3672c1ab270fb5291f
                9587316065c003ed4ee5b1063d5007
                """);
    }

    @Test
    void c1Integers() {
        // 1337 with a prefix of 5 bits is a size update here; 42 begins at a byte of its own.
        decode(decoder, "3f9a0a");
        assertThat(Blocks.toHex(new byte[] {42})).isEqualTo("2a");
        HpackEncoder encoder = new HpackEncoder(HpackLimits.DEFAULT);
        encoder.tableSize(1337);
        assertThat(Blocks.toHex(Blocks.encode(encoder, List.of(":method: GET"))))
                .isEqualTo("3f9a0a82");
        encoder.tableSize(10);
        assertThat(Blocks.toHex(Blocks.encode(encoder, List.of(":method: GET")))).isEqualTo("2a82");
    }
}
