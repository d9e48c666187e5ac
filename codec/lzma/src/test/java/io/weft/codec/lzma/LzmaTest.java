package io.weft.codec.lzma;

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
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.LZMAOutputStream;

class LzmaTest {
    private static final DecompressionLimits LIMITS =
            DecompressionLimits.DEFAULT.ratio(Integer.MAX_VALUE);

    private static byte[] compress(int preset, byte[] plain) {
        return Streams.compress(new LzmaCompressor(preset), plain);
    }

    private static byte[] expand(byte[] wire) {
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        Streams.expand(new LzmaDecompressor(LIMITS), wire, 777, plain);
        return plain.toByteArray();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void whatIsCompressedExpandsToWhatItWas(int preset) {
        for (byte[] plain : Streams.plains()) {
            assertThat(Arrays.equals(expand(compress(preset, plain)), plain)).isTrue();
        }
    }

    @Test
    void aLengthThatIsKnownNeedsNoMarker() throws IOException {
        for (byte[] plain : Streams.plains()) {
            for (int bits = 0; bits <= 4; bits++) {
                LZMA2Options options = new LZMA2Options(1);
                options.setLcLp(4 - bits, bits);
                options.setPb(bits);
                ByteArrayOutputStream wire = new ByteArrayOutputStream();
                try (var out = new LZMAOutputStream(wire, options, plain.length)) {
                    out.write(plain);
                }
                assertThat(Arrays.equals(expand(wire.toByteArray()), plain)).isTrue();
            }
        }
    }

    /// A window that has gone round, and matches across its seam.
    @Test
    void theWindowGoesRound() throws IOException {
        byte[] plain = new byte[50_000];
        for (int i = 0; i < plain.length; i++) {
            plain[i] = (byte) (((i % 4001) * 31) >> 3);
        }
        LZMA2Options options = new LZMA2Options(1);
        options.setDictSize(4096);
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        try (var out = new LZMAOutputStream(wire, options, -1)) {
            out.write(plain);
        }
        assertThat(wire.size()).isLessThan(10_000);
        assertThat(expand(wire.toByteArray())).isEqualTo(plain);
    }

    @Test
    void whatFollowsTheStreamIsNotItsOwn() {
        try (LzmaDecompressor d = new LzmaDecompressor();
                Buffer in = Streams.buffer(compress(1, "one".getBytes(US_ASCII)));
                Buffer out = BufferAllocator.pooled().allocate(100)) {
            in.writeBytes(new byte[5000]);
            assertThat(d.decompress(in, out)).isEqualTo(Decompressor.Status.FINISHED);
            assertThat(out.readString(US_ASCII)).isEqualTo("one");
            assertThat(in.readableBytes()).isEqualTo(5000);
            d.endOfInput();
        }
    }

    @Test
    void aBombIsStoppedByItsRatio() {
        byte[] bomb = compress(1, new byte[4 << 20]);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        assertThatThrownBy(() -> Streams.expand(new LzmaDecompressor(), bomb, 4096, plain))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("for each compressed one");
        assertThat(plain.size()).isBetween(1 << 20, 2 << 20);
    }

    @Test
    void aStreamThatIsCutOffIsAnError() {
        byte[] wire = compress(1, "cut off, wherever it may be".getBytes(US_ASCII));
        for (int length = 0; length < wire.length; length++) {
            byte[] cut = Arrays.copyOf(wire, length);
            assertThatThrownBy(() -> expand(cut))
                    .as("after %s of %s bytes", length, wire.length)
                    .isInstanceOf(PrematureEndException.class);
        }
    }

    @Test
    void whatAHeaderDeclaresIsCheckedBeforeItIsReserved() {
        byte[] wire = compress(1, new byte[10]);
        wire[4] = 127; // 2 GiB
        assertThatThrownBy(() -> expand(wire))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageStartingWith("LZMA dictionary bytes: 21");
        for (int properties : new int[] {5, 4 * 9 + 3, 225, 255}) {
            byte[] other = compress(1, new byte[10]);
            other[0] = (byte) properties;
            assertThatThrownBy(() -> expand(other))
                    .as("%s", properties)
                    .isInstanceOf(CorruptedFrameException.class)
                    .hasMessageStartingWith("LZMA properties");
        }
        assertThatThrownBy(() -> new LzmaDecompressor(LIMITS, 4095))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aLengthHasToBeTheStreams() {
        byte[] wire = compress(1, "five!".getBytes(US_ASCII));
        Arrays.fill(wire, 5, 13, (byte) 0);
        for (int length : new int[] {4, 6}) {
            wire[5] = (byte) length;
            assertThatThrownBy(() -> expand(wire))
                    .as("%s", length)
                    .isInstanceOf(CorruptedFrameException.class);
        }
    }
}
