package io.weft.codec.zstd;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.compression.DecompressionLimits;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZstdTest {
    @ParameterizedTest
    @ValueSource(ints = {-7, 1, 3, 19})
    void whatIsCompressedExpandsToWhatItWas(int level) {
        for (byte[] plain : Streams.plains()) {
            byte[] wire = Streams.compress(new ZstdCompressor(level, level > 1), plain);
            assertThat(Streams.expand(wire)).isEqualTo(plain);
        }
    }

    @Test
    void whatWasFlushedCanBeExpanded() {
        try (ZstdCompressor c = new ZstdCompressor();
                ZstdDecompressor d = new ZstdDecompressor();
                Buffer in = Streams.buffer("flushed".getBytes(US_ASCII));
                Buffer wire = BufferAllocator.pooled().allocate(0);
                Buffer out = BufferAllocator.pooled().allocate(100)) {
            c.compress(in, wire);
            c.flush(wire);
            d.decompress(wire, out);
            assertThat(out.readString(US_ASCII)).isEqualTo("flushed");
        }
    }

    @Test
    void framesFollowEachOtherAndSomeAreSkipped() {
        byte[] one = Streams.compress("one".getBytes(US_ASCII));
        byte[] skipped = Streams.hex("5f2a4d18 03000000 010203");
        try (Buffer wire = Streams.buffer(skipped).writeBytes(one).writeBytes(skipped)) {
            wire.writeBytes(one);
            assertThat(new String(Streams.expand(Streams.bytes(wire)), US_ASCII))
                    .isEqualTo("oneone");
        }
    }

    @Test
    void aBombIsStoppedByItsRatio() {
        byte[] bomb = Streams.compress(new byte[4 << 20]);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        var d = new ZstdDecompressor(DecompressionLimits.DEFAULT);
        assertThatThrownBy(() -> Streams.expand(d, bomb, 4096, plain))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("for each compressed one");
        assertThat(plain.size()).isBetween(1 << 20, 2 << 20);
    }

    @Test
    void theTotalIsKeptToTheByte() {
        byte[] wire = Streams.compress(new byte[1000]);
        DecompressionLimits limits = DecompressionLimits.DEFAULT.total(1000);
        ByteArrayOutputStream enough = new ByteArrayOutputStream();
        Streams.expand(new ZstdDecompressor(limits), wire, 64, enough);
        assertThat(enough.size()).isEqualTo(1000);
        ByteArrayOutputStream tooLittle = new ByteArrayOutputStream();
        var d = new ZstdDecompressor(limits.total(999));
        assertThatThrownBy(() -> Streams.expand(d, wire, 64, tooLittle))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("decompressed bytes: 1000 (expected: at most 999)");
        assertThat(tooLittle.size()).isEqualTo(999);
    }

    @Test
    void aStreamThatIsCutOffIsAnError() {
        byte[] wire = Streams.compress("cut off, wherever it may be".getBytes(US_ASCII));
        for (int length = 0; length < wire.length; length++) {
            byte[] cut = Arrays.copyOf(wire, length);
            assertThatThrownBy(() -> Streams.expand(cut))
                    .as("after %s of %s bytes", length, wire.length)
                    .isInstanceOf(PrematureEndException.class);
        }
    }

    /// 2^41 bytes and more would be reserved by whoever believed it.
    @Test
    void aWindowIsRefusedBeforeItIsReserved() {
        for (String header : new String[] {"28b52ffd 00 ff", "28b52ffd e0 ffffffffffffffff"}) {
            assertThatThrownBy(() -> Streams.expand(Streams.hex(header)))
                    .isInstanceOf(LimitExceededException.class)
                    .hasMessageContaining("zstd window bytes");
        }
        // Exponent 13 is 8 MiB, and the largest that is taken; an eighth more is not.
        assertThat(Streams.expand(Streams.hex("28b52ffd 00 68 010000"))).isEmpty();
        assertThatThrownBy(() -> Streams.expand(Streams.hex("28b52ffd 00 69 010000")))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("zstd window bytes: 9437184 (expected: at most 8388608)");
    }

    @Test
    void anErrorIsSaidAgain() {
        try (ZstdDecompressor d = new ZstdDecompressor();
                Buffer in = Streams.buffer(Streams.hex("28b52ffd 04 00 090000 41 00000000"));
                Buffer out = BufferAllocator.pooled().allocate(100)) {
            d.decompress(in, out); // and what comes before it is out first
            assertThat(out.readString(US_ASCII)).isEqualTo("A");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> d.decompress(in, out))
                        .isInstanceOf(CorruptedFrameException.class)
                        .hasMessageContaining("checksum");
            }
        }
    }

    @Test
    void levelsAndWindowsHaveTheirRange() {
        assertThatThrownBy(() -> new ZstdCompressor(20, true))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("level: 20 (expected: -7 to 19)");
        assertThatThrownBy(() -> new ZstdDecompressor(DecompressionLimits.DEFAULT, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
