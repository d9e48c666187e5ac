package io.weft.codec.brotli;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BrotliTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 4, 9, 11})
    void whatIsCompressedExpandsToWhatItWas(int level) {
        for (byte[] plain : Streams.plains()) {
            byte[] wire = Streams.compress(new BrotliCompressor(level, 22), plain);
            assertThat(Streams.expand(wire)).isEqualTo(plain);
        }
    }

    @Test
    void whatWasFlushedCanBeExpanded() {
        try (BrotliCompressor c = new BrotliCompressor();
                BrotliDecompressor d = new BrotliDecompressor();
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
    void whatFollowsTheStreamIsNotItsOwn() {
        byte[] wire = Streams.compress("one".getBytes(US_ASCII));
        try (BrotliDecompressor d = new BrotliDecompressor();
                Buffer in = Streams.buffer(wire).writeBytes(new byte[5000]);
                Buffer out = BufferAllocator.pooled().allocate(100)) {
            assertThat(d.decompress(in, out)).isEqualTo(Decompressor.Status.FINISHED);
            assertThat(out.readString(US_ASCII)).isEqualTo("one");
            assertThat(in.readableBytes()).isEqualTo(5000);
            d.endOfInput();
        }
    }

    /// 16 MiB of zeros in a dozen bytes: more than anybody should scout.
    @Test
    void aBlockThatExpandsToVeryMuchIsExpandedToo() {
        byte[] plain = new byte[20 << 20];
        for (int windowLog : new int[] {16, 20, 24}) {
            byte[] wire = Streams.compress(new BrotliCompressor(9, windowLog), plain);
            var limits = DecompressionLimits.DEFAULT.ratio(Integer.MAX_VALUE);
            ByteArrayOutputStream back = new ByteArrayOutputStream();
            Streams.expand(new BrotliDecompressor(limits, 24), wire, 64 << 10, back);
            assertThat(Arrays.equals(back.toByteArray(), plain)).isTrue();
        }
    }

    @Test
    void aBombIsStoppedByItsRatio() {
        byte[] bomb = Streams.compress(new byte[4 << 20]);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        var d = new BrotliDecompressor(DecompressionLimits.DEFAULT, 24);
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
        Streams.expand(new BrotliDecompressor(limits), wire, 64, enough);
        assertThat(enough.size()).isEqualTo(1000);
        ByteArrayOutputStream tooLittle = new ByteArrayOutputStream();
        var d = new BrotliDecompressor(limits.total(999));
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

    @Test
    void aWindowIsRefusedBeforeItIsReserved() {
        byte[] plain = new byte[5 << 20];
        new java.util.Random(1).nextBytes(plain);
        for (int log = 10; log <= 24; log++) {
            byte[] wire = Streams.compress(new BrotliCompressor(1, log), plain);
            DecompressionLimits limits = DecompressionLimits.DEFAULT;
            ByteArrayOutputStream back = new ByteArrayOutputStream();
            // The library makes windows of 256 KiB at least when it compresses fast.
            int made = Math.max(log, 18);
            Streams.expand(new BrotliDecompressor(limits, made), wire, 64 << 10, back);
            assertThat(back.toByteArray()).isEqualTo(plain);
            var tooSmall = new BrotliDecompressor(limits, made - 1);
            assertThatThrownBy(() -> Streams.expand(tooSmall, wire, 100, back))
                    .isInstanceOf(LimitExceededException.class)
                    .hasMessageStartingWith("brotli window bytes: " + (1 << made));
        }
    }

    /// The table of RFC 7932, 9.1, each line before an empty last block.
    @ParameterizedTest
    @CsvSource({
        "10, A101",
        "11, B101",
        "12, C101",
        "13, D101",
        "14, E101",
        "15, F101",
        "16, 06",
        "17, 8101",
        "18, 33",
        "19, 35",
        "20, 37",
        "21, 39",
        "22, 3B",
        "23, 3D",
        "24, 3F"
    })
    void headerDeclaresWindow(int log, String wire) {
        DecompressionLimits limits = DecompressionLimits.DEFAULT;
        ByteArrayOutputStream back = new ByteArrayOutputStream();
        Streams.expand(new BrotliDecompressor(limits, log), Streams.hex(wire), 100, back);
        assertThat(back.size()).isZero();
        if (log > 10) {
            var tooSmall = new BrotliDecompressor(limits, log - 1);
            assertThatThrownBy(() -> Streams.expand(tooSmall, Streams.hex(wire), 100, back))
                    .isInstanceOf(LimitExceededException.class)
                    .hasMessageStartingWith("brotli window bytes: " + (1 << log));
        }
    }

    @Test
    void whatCameBeforeAnErrorIsOutBeforeIt() {
        byte[] noise = new byte[5000];
        new java.util.Random(1).nextBytes(noise);
        byte[] wire;
        try (BrotliCompressor c = new BrotliCompressor();
                Buffer in = Streams.buffer(noise);
                Buffer out = BufferAllocator.pooled().allocate(0)) {
            c.compress(in, out);
            c.flush(out);
            wire = Streams.bytes(out.writeBytes(new byte[] {-1, -1, -1, -1}));
        }
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        assertThatThrownBy(() -> Streams.expand(new BrotliDecompressor(), wire, 100, plain))
                .isInstanceOf(CorruptedFrameException.class);
        assertThat(plain.toByteArray()).isEqualTo(noise);
    }

    @Test
    void qualitiesAndWindowsHaveTheirRange() {
        assertThatThrownBy(() -> new BrotliCompressor(12, 22))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("quality: 12 (expected: 0 to 11)");
        assertThatThrownBy(() -> new BrotliCompressor(4, 25))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new BrotliDecompressor(DecompressionLimits.DEFAULT, 25))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void blocksThatExpandToMuchDoNotMakeTheOthersDearer() {
        byte[] noise = new byte[20_000];
        java.util.Random random = new java.util.Random(1);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        byte[] wire;
        try (BrotliCompressor c = new BrotliCompressor();
                Buffer out = BufferAllocator.pooled().allocate(0)) {
            for (int i = 0; i < 20; i++) {
                random.nextBytes(noise);
                for (byte[] part : new byte[][] {new byte[200 << 10], noise}) {
                    plain.writeBytes(part);
                    try (Buffer in = Streams.buffer(part)) {
                        c.compress(in, out);
                    }
                    c.flush(out);
                }
            }
            c.finish(out);
            wire = Streams.bytes(out);
        }
        assertThat(wire.length).isBetween(400_000, 410_000);
        ByteArrayOutputStream back = new ByteArrayOutputStream();
        long pushes;
        try (BrotliDecompressor d = new BrotliDecompressor();
                Buffer in = Streams.buffer(wire);
                Buffer out = BufferAllocator.pooled().allocate(4096, 4096)) {
            Decompressor.Status status;
            do {
                out.clear();
                status = d.decompress(in, out);
                back.writeBytes(Streams.bytes(out));
            } while (status == Decompressor.Status.NEEDS_OUTPUT);
            pushes = d.pushes();
        }
        assertThat(back.toByteArray()).isEqualTo(plain.toByteArray());
        // Each block twice, and the last one byte by byte.
        assertThat(pushes).isLessThan(2L * wire.length / Native.BLOCK + 2 * Native.BLOCK);
    }
}
