package io.weft.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import org.junit.jupiter.api.Test;

class DecoderExceptionTest {
    @Test
    void quotedBytesCannotForgeALogLine() {
        try (Buffer in = BufferAllocator.pooled().allocate(16)) {
            in.writeAscii("a\r\n\"\\").writeByte(0xE9);
            assertThat(DecoderException.quote(in, 0, 6))
                    .isEqualTo("\"a\\x0d\\x0a\\x22\\x5c\\xe9\"");
        }
    }

    @Test
    void quotedBytesAreFew() {
        try (Buffer in = BufferAllocator.pooled().allocate(64)) {
            in.writeAscii("x".repeat(41));
            assertThat(DecoderException.quote(in, 0, 40)).isEqualTo('"' + "x".repeat(40) + '"');
            assertThat(DecoderException.quote(in, 0, 41)).isEqualTo('"' + "x".repeat(40) + "\"...");
        }
    }

    @Test
    void tooLongSaysTheValueAndTheLimit() {
        LimitExceededException e = new LimitExceededException("line", 9, 8);
        assertThat(e).hasMessage("line: 9 (expected: at most 8)");
        assertThat(e.limit()).isEqualTo(8);
        assertThat(e.getStackTrace()).isEmpty();
    }
}
