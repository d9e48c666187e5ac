package io.weft.codec.text;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class Base64Test {
    private static java.util.Base64.Encoder jdk(Base64 alphabet) {
        return switch (alphabet) {
            case STANDARD -> java.util.Base64.getEncoder();
            case URL_SAFE -> java.util.Base64.getUrlEncoder();
            case URL_SAFE_UNPADDED -> java.util.Base64.getUrlEncoder().withoutPadding();
        };
    }

    @ParameterizedTest
    @EnumSource
    void agreesWithTheJdkAndIsItsOwnInverse(Base64 alphabet) {
        Random random = new Random(1);
        for (int length = 0; length < 200; length++) {
            byte[] bytes = new byte[length];
            random.nextBytes(bytes);
            try (Buffer from = BufferAllocator.pooled().allocate(length).writeBytes(bytes);
                    Buffer text = BufferAllocator.pooled().allocate(0);
                    Buffer back = BufferAllocator.pooled().allocate(0)) {
                alphabet.encode(from, text);
                assertThat(text.readableBytes()).isEqualTo(alphabet.encodedLength(length));
                assertThat(text.getString(0, text.readableBytes(), US_ASCII))
                        .isEqualTo(jdk(alphabet).encodeToString(bytes));
                alphabet.decode(text, back);
                byte[] decoded = new byte[back.readableBytes()];
                back.readBytes(decoded);
                assertThat(decoded).isEqualTo(bytes);
            }
        }
    }
}
