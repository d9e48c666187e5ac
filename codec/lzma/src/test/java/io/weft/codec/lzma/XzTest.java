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
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tukaani.xz.BasicArrayCache;

class XzTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void whatIsCompressedExpandsToWhatItWas(int level) {
        for (byte[] plain : Streams.plains()) {
            byte[] wire = Streams.compress(new XzCompressor(level), plain);
            assertThat(Streams.expand(wire)).isEqualTo(plain);
        }
    }

    @Test
    void whatWasFlushedCanBeExpanded() {
        try (XzCompressor c = new XzCompressor();
                XzDecompressor d = new XzDecompressor();
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
    void streamsFollowEachOtherWithZerosBetween() {
        byte[] one = Streams.compress("one".getBytes(US_ASCII));
        byte[] wire = Streams.join(one, new byte[8], one, one, new byte[4]);
        assertThat(new String(Streams.expand(wire), US_ASCII)).isEqualTo("oneoneone");
        assertThatThrownBy(() -> Streams.expand(Streams.join(one, new byte[3])))
                .isInstanceOf(PrematureEndException.class);
    }

    @Test
    void aBombIsStoppedByItsRatio() {
        byte[] bomb = Streams.compress(new byte[4 << 20]);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        var d = new XzDecompressor(DecompressionLimits.DEFAULT);
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
        Streams.expand(new XzDecompressor(limits), wire, 64, enough);
        assertThat(enough.size()).isEqualTo(1000);
        ByteArrayOutputStream tooLittle = new ByteArrayOutputStream();
        var d = new XzDecompressor(limits.total(999));
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
    void aDictionaryIsRefusedBeforeItIsReserved() {
        assertThatThrownBy(() -> Streams.expand(Streams.header(40)))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("xz dictionary bytes: 4294967295 (expected: at most 8388608)");
        assertThatThrownBy(() -> Streams.expand(Streams.header(23)))
                .isInstanceOf(LimitExceededException.class);
        assertThatThrownBy(() -> Streams.expand(Streams.header(22))) // 8 MiB
                .isInstanceOf(PrematureEndException.class);
    }

    /// Each of these blocks could ask for a dictionary of its own.
    @Test
    void manyBlocksShareOneDictionary() throws IOException {
        Set<byte[]> dictionaries = Collections.newSetFromMap(new IdentityHashMap<>());
        Lzma2 lzma2 =
                new Lzma2(
                        new BasicArrayCache() {
                            @Override
                            public byte[] getByteArray(int size, boolean fillWithZeros) {
                                byte[] array = super.getByteArray(size, fillWithZeros);
                                if (size >= 1 << 20) {
                                    dictionaries.add(array);
                                }
                                return array;
                            }
                        });
        for (int size = 1 << 20; size > 4096; size -= 4096) {
            lzma2.begin(size);
            try (Buffer end = Streams.buffer(new byte[1])) {
                lzma2.end(end);
            }
        }
        assertThat(dictionaries).hasSize(1);
    }

    @Test
    void everySumIsChecked() {
        byte[] wire = Streams.compress("sums".getBytes(US_ASCII));
        // CRCs of the header, the block's header and the index; the content and its sum; the
        // footer.
        for (int at : new int[] {8, 20, -16, 27, -28, -12, -8, -1}) {
            assertThatThrownBy(() -> Streams.expand(Streams.changed(wire, at)))
                    .as("byte %s of %s", at, wire.length)
                    .isInstanceOf(CorruptedFrameException.class);
        }
    }

    @Test
    void anErrorIsSaidAgain() {
        byte[] wire = Streams.compress("A".getBytes(US_ASCII));
        try (XzDecompressor d = new XzDecompressor();
                Buffer in = Streams.buffer(Streams.changed(wire, 32));
                Buffer out = BufferAllocator.pooled().allocate(100)) {
            d.decompress(in, out); // and what comes before it is out first
            assertThat(out.readString(US_ASCII)).isEqualTo("A");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> d.decompress(in, out))
                        .isInstanceOf(CorruptedFrameException.class)
                        .hasMessageContaining("xz check");
            }
        }
    }

    @Test
    void presetsAndDictionariesHaveTheirRange() {
        assertThatThrownBy(() -> new XzCompressor(7))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("preset: 7 (expected: 0 to 6)");
        assertThatThrownBy(() -> new XzDecompressor(DecompressionLimits.DEFAULT, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
