package io.weft.http.hpack;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random blocks, encoded and decoded while tables change their sizes, cut at random.
class DifferentialTest {
    private static final String[] NAMES = {
        ":method",
        ":path",
        ":status",
        ":authority",
        "accept",
        "content-length",
        "cookie",
        "authorization",
        "set-cookie",
        "x-a",
        "x-b",
        "x-request-id",
        "refresh",
        "x".repeat(40)
    };

    private final Random random = new Random(Long.getLong("io.weft.test.seed", 1));

    private String value() {
        int length = random.nextInt(10) == 0 ? random.nextInt(3000) : random.nextInt(12);
        StringBuilder value = new StringBuilder("v");
        boolean text = random.nextBoolean();
        for (int i = 0; i < length; i++) {
            int c = text ? 'a' + random.nextInt(4) : 0x21 + random.nextInt(0xDF);
            value.append(c == 0x7F ? 'x' : (char) c);
        }
        return value.toString();
    }

    private List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
            String name = NAMES[random.nextInt(NAMES.length)];
            boolean secret = name.startsWith("x-") && random.nextInt(4) == 0;
            lines.add(name + ": " + value() + (secret ? " (never)" : ""));
        }
        return lines;
    }

    private static List<String> asSent(List<String> lines) {
        List<String> sent = new ArrayList<>();
        for (String line : lines) {
            boolean cookie = line.startsWith("cookie: ") || line.startsWith("set-cookie: ");
            int value = line.length() - line.indexOf(": ") - 2;
            boolean never = line.startsWith("authorization: ") || (cookie && value < 20);
            sent.add(never ? line + " (never)" : line);
        }
        return sent;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 64, 300, 4096, 65_536})
    void blocksAreDecodedToTheFieldsThatWereEncoded(int most) {
        HpackLimits limits =
                HpackLimits.DEFAULT.decoderTable(most).encoderTable(most).fieldSection(1 << 20);
        HpackEncoder encoder = new HpackEncoder(limits);
        HpackDecoder decoder = new HpackDecoder(limits);
        for (int round = 0; round < 400; round++) {
            if (random.nextInt(20) == 0) {
                int size = random.nextInt(most + 1);
                decoder.tableSize(size);
                encoder.tableSize(most);
                encoder.tableSize(size);
            }
            List<String> lines = lines();
            byte[] block = Blocks.encode(encoder, lines);
            if (block.length == 0) {
                continue;
            }
            assertThat(Blocks.decode(decoder, block, 1 + random.nextInt(2000)))
                    .isEqualTo(asSent(lines));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 200, 4096})
    void headersAreDecodedToEqualHeaders(int most) {
        HpackLimits limits =
                HpackLimits.DEFAULT.decoderTable(most).encoderTable(most).fieldSection(1 << 20);
        HpackEncoder encoder = new HpackEncoder(limits);
        HpackDecoder decoder = new HpackDecoder(limits);
        for (int round = 0; round < 200; round++) {
            HeadersBuilder builder = Headers.builder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                builder.add(HeaderName.of(NAMES[4 + random.nextInt(NAMES.length - 4)]), value());
            }
            Headers headers = builder.build();
            HeadersBuilder decoded = Headers.builder();
            try (Buffer block = BufferAllocator.pooled().allocate(64)) {
                encoder.encode(headers);
                encoder.finish(block);
                decoder.decode(block, true, field -> assertThat(field.addTo(decoded)).isTrue());
            }
            assertThat(decoded.build()).isEqualTo(headers);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 200, 4096})
    void fieldsThatAreMetAgainAreWhereTheyWere(int most) {
        HpackLimits limits =
                HpackLimits.DEFAULT.decoderTable(most).encoderTable(most).fieldSection(1 << 20);
        HpackEncoder encoder = new HpackEncoder(limits);
        HpackDecoder decoder = new HpackDecoder(limits);
        List<Headers.Field> constants = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            String name = NAMES[4 + random.nextInt(NAMES.length - 4)];
            constants.add(new Headers.Field(HeaderName.of(name), value()));
        }
        for (int round = 0; round < 500; round++) {
            if (random.nextInt(30) == 0) {
                int size = random.nextInt(most + 1);
                decoder.tableSize(size);
                encoder.tableSize(size);
            }
            HeadersBuilder builder = Headers.builder();
            for (int i = random.nextInt(12); i >= 0; i--) {
                builder.add(constants.get(random.nextInt(constants.size())));
            }
            Headers headers = builder.build();
            HeadersBuilder decoded = Headers.builder();
            try (Buffer block = BufferAllocator.pooled().allocate(64)) {
                encoder.encode(headers);
                encoder.finish(block);
                decoder.decode(block, true, field -> assertThat(field.addTo(decoded)).isTrue());
            }
            assertThat(decoded.build()).isEqualTo(headers);
        }
    }
}
