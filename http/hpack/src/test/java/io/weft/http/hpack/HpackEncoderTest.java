package io.weft.http.hpack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HpackEncoderTest {
    private final HpackEncoder encoder = new HpackEncoder(HpackLimits.DEFAULT);

    private String encode(String... lines) {
        return Blocks.toHex(Blocks.encode(encoder, List.of(lines)));
    }

    @Test
    void credentialsAreNeverIndexed() {
        for (String line :
                new String[] {
                    "authorization: Basic eA==",
                    "proxy-authorization: Basic eA==",
                    "cookie: a=b",
                    "set-cookie: a=b",
                    "x-secret: s (never)",
                    "accept: s (never)"
                }) {
            for (int i = 0; i < 2; i++) {
                byte[] block = Blocks.encode(encoder, List.of(line));
                assertThat(block[0] & 0xF0).as(line).isEqualTo(0x10);
            }
        }
    }

    @Test
    void longCookieIsIndexed() {
        String cookie = "cookie: session=0123456789abcdef0123";
        assertThat(encode(cookie)).startsWith("60");
        assertThat(encode(cookie)).isEqualTo("be");
    }

    @Test
    void valuesThatSeldomComeAgainAreNotIndexed() {
        assertThat(encode(":path: /a/b")).startsWith("04");
        assertThat(encode("content-length: 12")).startsWith("0f0d");
        assertThat(encode("etag: 12")).startsWith("0f13");
    }

    @Test
    void fieldsThatFillMostOfTheTableAreNotIndexed() {
        assertThat(encode("x-large: " + "a".repeat(3100))).startsWith("00");
        assertThat(encode("x-large: " + "a".repeat(3000))).startsWith("40");
    }

    @Test
    void statusesOfTheStaticTableTakeOneByte() {
        HpackDecoder decoder = new HpackDecoder(HpackLimits.DEFAULT);
        for (int status : new int[] {200, 204, 206, 304, 400, 404, 500, 101, 418, 599}) {
            List<String> lines = new ArrayList<>();
            try (Buffer out = BufferAllocator.pooled().allocate(16)) {
                encoder.status(status);
                encoder.finish(out);
                assertThat(out.readableBytes() == 1)
                        .isEqualTo("200 204 206 304 400 404 500".contains("" + status));
                decoder.decode(out, true, field -> lines.add(Blocks.line(field)));
            }
            assertThat(lines).containsExactly(":status: " + status);
        }
    }

    @Test
    void nameIsTakenFromTheDynamicTable() {
        assertThat(encode("x-a: 1")).startsWith("40");
        assertThat(encode("x-b: 1")).startsWith("40");
        assertThat(encode("x-a: 2")).isEqualTo("7f000132");
    }

    @Test
    void sizeUpdatesTellTheSmallestAndTheLastSize() {
        encoder.tableSize(0);
        encoder.tableSize(100);
        encoder.tableSize(60);
        assertThat(encode(":method: GET")).isEqualTo("20" + "3f1d" + "82");
        assertThat(encode(":method: GET")).isEqualTo("82");
    }

    @Test
    void tableIsNeverLargerThanItsLimit() {
        encoder.tableSize(Integer.MAX_VALUE);
        assertThat(encode(":method: GET")).isEqualTo("82");
        HpackEncoder small = new HpackEncoder(HpackLimits.DEFAULT.encoderTable(0));
        assertThat(Blocks.toHex(Blocks.encode(small, List.of(":method: GET")))).isEqualTo("2082");
        assertThat(Blocks.toHex(Blocks.encode(small, List.of("x-a: 1")))).startsWith("00");
    }

    @Test
    void pseudoHeaderFieldsThatComeAgainAreEncodedAsTheFirstTime() {
        HpackEncoder none = new HpackEncoder(HpackLimits.DEFAULT.encoderTable(0));
        assertThat(Blocks.encode(none, List.of(":method: GET"))).hasSize(2); // an update of size
        for (String line :
                new String[] {
                    ":path: /a/b",
                    ":path: /",
                    ":path: /index.html",
                    ":path: /other.html",
                    ":path: /\u00ff",
                    ":path: /" + "a".repeat(127),
                    ":path: /" + "a".repeat(300),
                    ":authority: www.example.com",
                    ":scheme: https",
                    ":method: PATCH"
                }) {
            byte[] first = Blocks.encode(none, List.of(line));
            assertThat(Blocks.encode(none, List.of(line))).as(line).isEqualTo(first);
            assertThat(Blocks.encode(none, List.of(line))).as(line).isEqualTo(first);
        }
    }

    @Test
    void pathThatComesAgainStandsBehindAnUpdateOfSize() {
        String path = encode(":path: /a/b");
        encoder.tableSize(60);
        assertThat(encode(":path: /a/b")).isEqualTo("3f1d" + path);
        encoder.huffmanFrom(0);
        assertThat(encode(":path: /a/b")).isNotEqualTo(path).isEqualTo(encode(":path: /a/b"));
    }

    @Test
    void numbersAreEncodedAsTheirTexts() {
        for (long number : new long[] {0, 13, 65_536, Long.MAX_VALUE}) {
            for (String name : new String[] {"content-length", "x-number"}) {
                HpackEncoder other = new HpackEncoder(HpackLimits.DEFAULT);
                byte[] text = Blocks.encode(other, List.of(name + ": " + number));
                HpackEncoder numbers = new HpackEncoder(HpackLimits.DEFAULT);
                try (Buffer out = BufferAllocator.pooled().allocate(64)) {
                    numbers.encode(HeaderName.of(name), number);
                    numbers.finish(out);
                    byte[] block = new byte[out.readableBytes()];
                    out.readBytes(block);
                    assertThat(block).as("%s: %d", name, number).isEqualTo(text);
                }
            }
        }
    }

    @Test
    void charactersBeyondLatin1AreRefused() {
        try (Buffer out = BufferAllocator.pooled().allocate(16)) {
            assertThatThrownBy(() -> encoder.encode(PseudoHeader.PATH, "/\u0100"))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("character 1: U+0100 (expected: at most U+00FF)");
            encoder.finish(out);
            assertThat(out.isReadable()).isFalse();
        }
    }

    @Test
    void blockWithARefusedFieldIsNeverWritten() {
        try (Buffer out = BufferAllocator.pooled().allocate(16)) {
            encoder.encode(PseudoHeader.METHOD, "GET");
            assertThatThrownBy(() -> encoder.encode(PseudoHeader.PATH, "/\u0100"))
                    .isInstanceOf(IllegalArgumentException.class);
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> encoder.finish(out))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage(
                                "header block: a field of it was refused (expected: all of them)");
                encoder.status(200);
            }
            assertThat(out.isReadable()).isFalse();
        }
    }

    @Test
    void discardedFieldsAreInNoBlockAndInNoTable() {
        HpackDecoder decoder = new HpackDecoder(HpackLimits.DEFAULT);
        Headers shared = Headers.of("x-a", "1");
        List<String> lines = new ArrayList<>();
        try (Buffer out = BufferAllocator.pooled().allocate(256)) {
            encoder.encode(shared);
            encoder.finish(out);
            decoder.decode(out, true, field -> lines.add(Blocks.line(field)));
            encoder.encode(Headers.of("x-b", "2"));
            encoder.discard();
            encoder.encode(shared);
            encoder.encode(Headers.of("x-b", "2"));
            encoder.finish(out.clear());
            decoder.decode(out, true, field -> lines.add(Blocks.line(field)));
            encoder.status(200);
            encoder.encode(shared);
            encoder.finish(out.clear());
            assertThat(out.readableBytes()).isEqualTo(2);
            decoder.decode(out, true, field -> lines.add(Blocks.line(field)));
        }
        assertThat(lines).containsExactly("x-a: 1", "x-a: 1", "x-b: 2", ":status: 200", "x-a: 1");
    }

    @Test
    void discardMakesAnEncoderUsableBehindARefusedField() {
        encoder.tableSize(60);
        encoder.encode(PseudoHeader.METHOD, "GET");
        assertThatThrownBy(() -> encoder.encode(PseudoHeader.PATH, "/\u0100"))
                .isInstanceOf(IllegalArgumentException.class);
        encoder.discard();
        assertThat(encoder.length()).isZero();
        assertThat(encode(":method: GET")).isEqualTo("20" + "3f1d" + "82");
    }

    @Test
    void stringsThatGoIntoNoTableAreCodedFromALengthOn() {
        String path = ":path: /" + "a".repeat(254);
        HpackEncoder encoder = new HpackEncoder(HpackLimits.DEFAULT);
        assertThat(Blocks.encode(encoder, List.of(path))).hasSize(1 + 3 + 255);
        assertThat(Blocks.encode(encoder, List.of(path + "a"))).hasSizeLessThan(200);
        encoder.huffmanFrom(0);
        assertThat(Blocks.encode(encoder, List.of(path))).hasSizeLessThan(200);
        encoder.huffmanFrom(1000);
        assertThat(Blocks.encode(encoder, List.of(path + "a"))).hasSize(1 + 3 + 256);
        assertThatThrownBy(() -> encoder.huffmanFrom(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("length: -1 (expected: >= 0)");
    }

    /// As many fields as many responses have, of which some share places.
    @Test
    void fieldsThatComeAgainAreFoundAsObjects() {
        HeadersBuilder builder = Headers.builder();
        for (int i = 0; i < 50; i++) {
            builder.add("x-name-" + i, "value-" + i % 3);
        }
        builder.add("accept-encoding", "gzip, deflate");
        Headers headers = builder.build();
        List<String> blocks = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            try (Buffer out = BufferAllocator.pooled().allocate(4096)) {
                encoder.encode(headers);
                encoder.finish(out);
                byte[] block = new byte[out.readableBytes()];
                out.readBytes(block);
                blocks.add(Blocks.toHex(block));
            }
        }
        assertThat(blocks.get(1)).hasSize(51 * 2).isEqualTo(blocks.get(2)).isEqualTo(blocks.get(3));
    }
}
