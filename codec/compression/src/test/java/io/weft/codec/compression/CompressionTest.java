package io.weft.codec.compression;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;

class CompressionTest {
    @ParameterizedTest
    @FieldSource("io.weft.codec.compression.Formats#ALL")
    void whatIsCompressedExpandsToWhatItWas(Formats format) {
        for (byte[] plain : Formats.plains()) {
            assertThat(format.expand(format.compress(plain))).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @FieldSource("io.weft.codec.compression.Formats#ALL")
    void aBombIsStoppedByItsRatio(Formats format) {
        byte[] bomb = format.compress(new byte[4 << 20]);
        Decompressor d = format.decompressor().apply(DecompressionLimits.DEFAULT.ratio(10));
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        assertThatThrownBy(() -> Formats.expand(d, bomb, 4096, plain))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("for each compressed one");
        assertThat(plain.size()).isBetween(1 << 20, 2 << 20);
    }

    @ParameterizedTest
    @FieldSource("io.weft.codec.compression.Formats#ALL")
    void theRatioCountsOnceMoreHasComeOutThanIsFree(Formats format) {
        DecompressionLimits limits = new DecompressionLimits(1 << 20, 1, 5000);
        byte[] most = format.compress(new byte[5000]);
        assertThat(Formats.expand(format.decompressor().apply(limits), most, 64)).hasSize(5000);
        byte[] more = format.compress(new byte[5001]);
        Decompressor d = format.decompressor().apply(limits);
        assertThatThrownBy(() -> Formats.expand(d, more, 64))
                .isInstanceOf(LimitExceededException.class)
                .hasMessageContaining("for each compressed one");
    }

    /// No output ends where the ratio is looked at: callers take one that is not full for all there
    /// is.
    @ParameterizedTest
    @FieldSource("io.weft.codec.compression.Formats#ALL")
    void oneCallFillsItsOutputAcrossLooksAtTheRatio(Formats format) {
        byte[] plain = new byte[300_000];
        byte[] wire = format.compress(plain);
        DecompressionLimits limits = new DecompressionLimits(1 << 20, Integer.MAX_VALUE, 1000);
        try (Decompressor d = format.decompressor().apply(limits);
                Buffer in = Formats.buffer(wire);
                Buffer out = BufferAllocator.pooled().allocate(plain.length, plain.length)) {
            d.decompress(in, out);
            assertThat(out.readableBytes()).isEqualTo(plain.length);
        }
    }

    @ParameterizedTest
    @FieldSource("io.weft.codec.compression.Formats#ALL")
    void theTotalIsKeptToTheByte(Formats format) {
        byte[] wire = format.compress(new byte[1000]);
        DecompressionLimits enough = DecompressionLimits.DEFAULT.total(1000);
        assertThat(Formats.expand(format.decompressor().apply(enough), wire, 64)).hasSize(1000);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        Decompressor tooLittle = format.decompressor().apply(enough.total(999));
        assertThatThrownBy(() -> Formats.expand(tooLittle, wire, 64, plain))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("decompressed bytes: 1000 (expected: at most 999)");
        assertThat(plain.size()).isEqualTo(999);
    }

    @ParameterizedTest
    @FieldSource("io.weft.codec.compression.Formats#ALL")
    void theLargestTotalIsNoLimit(Formats format) {
        byte[] wire = format.compress(new byte[1000]);
        DecompressionLimits limits = DecompressionLimits.DEFAULT.total(Long.MAX_VALUE);
        assertThat(Formats.expand(format.decompressor().apply(limits), wire, 64)).hasSize(1000);
    }

    @ParameterizedTest
    @FieldSource("io.weft.codec.compression.Formats#ALL")
    void whatWasFlushedCanBeExpanded(Formats format) {
        try (Compressor c = format.compressor().get();
                Decompressor d = format.decompressor().apply(DecompressionLimits.DEFAULT);
                Buffer in = Formats.buffer("flushed".getBytes(US_ASCII));
                Buffer wire = BufferAllocator.pooled().allocate(0);
                Buffer out = BufferAllocator.pooled().allocate(100)) {
            c.compress(in, wire);
            c.flush(wire);
            d.decompress(wire, out);
            assertThat(out.readString(US_ASCII)).isEqualTo("flushed");
        }
    }

    /// Blocks of bzip2 end inside bytes, and their ends differ with what is in them.
    @ParameterizedTest
    @FieldSource("io.weft.codec.compression.Formats#ALL")
    void eachOfManyFlushesCanBeExpandedWhateverItsLength(Formats format) {
        try (Compressor c = format.compressor().get();
                Decompressor d =
                        format.decompressor()
                                .apply(DecompressionLimits.DEFAULT.ratio(Integer.MAX_VALUE));
                Buffer wire = BufferAllocator.pooled().allocate(0);
                Buffer out = BufferAllocator.pooled().allocate(2000)) {
            java.util.Random random = new java.util.Random(1);
            for (int i = 0; i < 300; i++) {
                byte[] part = new byte[1 + random.nextInt(1 + i * 4)];
                random.nextBytes(part);
                try (Buffer in = Formats.buffer(part)) {
                    c.compress(in, wire);
                }
                c.flush(wire);
                out.clear();
                d.decompress(wire, out);
                byte[] came = new byte[out.readableBytes()];
                out.readBytes(came);
                assertThat(came).as("%s: flush %s", format.name(), i).isEqualTo(part);
            }
        }
    }

    @ParameterizedTest
    @FieldSource("io.weft.codec.compression.Formats#ALL")
    void aStreamThatIsCutOffIsAnError(Formats format) {
        byte[] wire = format.compress(new byte[100]);
        for (int length = 1; length < wire.length; length++) {
            byte[] cut = java.util.Arrays.copyOf(wire, length);
            if (format.name().equals("snappy") && length == 10) {
                continue; // the identifier alone is a whole, empty stream
            }
            assertThatThrownBy(() -> format.expand(cut))
                    .as("after %s of %s bytes", length, wire.length)
                    .isInstanceOf(PrematureEndException.class);
        }
    }

    @Test
    void gzipAgreesWithTheJdk() throws IOException {
        Formats gzip = Formats.ALL.get(1);
        for (byte[] plain : Formats.plains()) {
            ByteArrayOutputStream wire = new ByteArrayOutputStream();
            try (GZIPOutputStream out = new GZIPOutputStream(wire)) {
                out.write(plain);
            }
            assertThat(gzip.expand(wire.toByteArray())).isEqualTo(plain);
            var back = new GZIPInputStream(new ByteArrayInputStream(gzip.compress(plain)));
            assertThat(back.readAllBytes()).isEqualTo(plain);
        }
    }

    @Test
    void membersOfAGzipStreamFollowEachOther() throws IOException {
        Formats gzip = Formats.ALL.get(1);
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.write(gzip.compress("one".getBytes(US_ASCII)));
        wire.write(gzip.compress("two".getBytes(US_ASCII)));
        assertThat(new String(gzip.expand(wire.toByteArray()), US_ASCII)).isEqualTo("onetwo");
    }

    @Test
    void autoTellsTheWrappersApart() {
        for (Deflate wrapper : new Deflate[] {Deflate.ZLIB, Deflate.GZIP, Deflate.RAW}) {
            try (DeflateCompressor c = new DeflateCompressor(wrapper)) {
                byte[] wire = Formats.compress(c, "which?".getBytes(US_ASCII));
                byte[] plain = Formats.expand(new DeflateDecompressor(Deflate.AUTO), wire, 9);
                assertThat(new String(plain, US_ASCII)).as("%s", wrapper).isEqualTo("which?");
            }
        }
    }

    @Test
    void aDictionaryHasToBeTheSame() {
        byte[] dictionary = "HTTP/1.1 200 OK content-type: text/plain".getBytes(US_ASCII);
        byte[] plain = "content-type: text/plain".getBytes(US_ASCII);
        for (Deflate wrapper : new Deflate[] {Deflate.ZLIB, Deflate.RAW}) {
            byte[] wire;
            try (DeflateCompressor c = new DeflateCompressor(wrapper, 9, dictionary)) {
                wire = Formats.compress(c, plain);
            }
            assertThat(Formats.expand(with(wrapper, dictionary), wire, 9)).isEqualTo(plain);
            if (wrapper == Deflate.ZLIB) {
                assertThat(wire.length).isLessThan(plain.length);
                assertThatThrownBy(() -> Formats.expand(with(Deflate.ZLIB, plain), wire, 9))
                        .isInstanceOf(CorruptedFrameException.class)
                        .hasMessageContaining("another dictionary");
                assertThatThrownBy(() -> Formats.expand(with(Deflate.ZLIB, null), wire, 9))
                        .hasMessageContaining("needs a dictionary");
            }
        }
    }

    private static Decompressor with(
            Deflate wrapper, byte @org.jspecify.annotations.Nullable [] dictionary) {
        return new DeflateDecompressor(wrapper, DecompressionLimits.DEFAULT, dictionary);
    }

    @ParameterizedTest
    @EnumSource(names = {"ZLIB", "RAW", "GZIP"})
    void deflateRefusesCallsAfterOneWithoutMemory(Deflate wrapper) {
        byte[] noise = new byte[100_000];
        new java.util.Random(1).nextBytes(noise);
        try (DeflateCompressor c = new DeflateCompressor(wrapper);
                Buffer in = Formats.buffer(noise);
                Buffer more = Formats.buffer(noise);
                Buffer out = BufferAllocator.pooled().allocate(8192)) {
            AllocationTap.set(
                    capacity -> {
                        throw AllocationTap.refusal(capacity);
                    });
            try {
                assertThatThrownBy(() -> c.compress(in, out))
                        .isInstanceOf(MemoryLimitException.class);
            } finally {
                AllocationTap.set(null);
            }
            assertThat(in.isReadable()).isFalse();
            int made = out.readableBytes();
            List<Runnable> calls =
                    List.of(() -> c.flush(out), () -> c.finish(out), () -> c.compress(more, out));
            assertThat(calls)
                    .allSatisfy(
                            call ->
                                    assertThatThrownBy(call::run)
                                            .isInstanceOf(IllegalStateException.class));
            assertThat(out.readableBytes()).isEqualTo(made);
        }
    }

    @Test
    void rawSnappyBlocksAreTheirOwnInverse() {
        for (byte[] plain : Formats.plains()) {
            try (Buffer in = Formats.buffer(plain);
                    Buffer wire = BufferAllocator.pooled().allocate(0);
                    Buffer back = BufferAllocator.pooled().allocate(0)) {
                Snappy.compress(in, wire);
                Snappy.decompress(wire, back, plain.length);
                assertThat(Formats.bytes(back)).isEqualTo(plain);
            }
        }
    }

    @Test
    void aRawSnappyBlockReservesNothingForWhatItDeclares() {
        try (Buffer in = Formats.buffer(new byte[] {-1, -1, -1, -1, 7, 0, 1});
                Buffer out = BufferAllocator.pooled().allocate(0)) {
            assertThatThrownBy(() -> Snappy.decompress(in, out, Integer.MAX_VALUE))
                    .isInstanceOf(CorruptedFrameException.class);
            assertThat(out.capacity()).isLessThan(1000);
        }
    }

    @Test
    void xxHashHasItsKnownValues() {
        assertThat(XxHash32.of(new byte[0], 0, 0)).isEqualTo(0x02CC5D05);
        byte[] text = "Nobody inspects the spammish repetition".getBytes(US_ASCII);
        assertThat(XxHash32.of(text, 0, text.length)).isEqualTo(0xE2293B2F);
    }

    /// Without equal bytes in a row, whatever their last bits are.
    static byte[] text(int length) {
        byte[] text = new byte[length];
        for (int i = 0; i < length; i++) {
            text[i] = (byte) (' ' + (i * i / 7) % 13 * 4 + (i & 1) * 2);
        }
        return text;
    }

    /// One block of `plain`, which is [#text], as a tool of the nineties could have made it: some
    /// bytes are changed, and a bit of the header says so.
    static byte[] randomised(byte[] plain) {
        byte[] changed = plain.clone();
        Bzip2Mask mask = new Bzip2Mask();
        Bzip2Sum sum = new Bzip2Sum();
        int changes = 0;
        for (int i = 0; i < plain.length; i++) {
            int bit = mask.next();
            changed[i] ^= (byte) bit;
            changes += bit;
            sum.update(plain[i]);
        }
        assertThat(changes).isPositive();
        byte[] wire = Formats.compress(new Bzip2Compressor(1), changed);
        wire[14] |= (byte) 0x80;
        java.nio.ByteBuffer.wrap(wire).putInt(10, sum.value());
        // The sum of the stream, which has one block, is the last: behind the magic number of the
        // end, at any bit.
        for (int bit = wire.length * 8 - 88; bit < wire.length * 8 - 79; bit++) {
            if (bits(wire, bit, 48) == 0x177245385090L) {
                for (int i = 0; i < 32; i++) {
                    int at = bit + 48 + i;
                    int one = 0x80 >> (at & 7);
                    boolean set = (sum.value() >>> (31 - i) & 1) != 0;
                    wire[at >> 3] = (byte) (set ? wire[at >> 3] | one : wire[at >> 3] & ~one);
                }
            }
        }
        return wire;
    }

    private static long bits(byte[] from, int at, int count) {
        long bits = 0;
        for (int i = at; i < at + count; i++) {
            bits = bits << 1 | (from[i >> 3] >> (7 - (i & 7)) & 1);
        }
        return bits;
    }

    @Test
    void bytesThatAnOldToolChangedInABzip2BlockAreChangedBack() {
        byte[] plain = text(5000);
        assertThat(Formats.ALL.getLast().expand(randomised(plain))).isEqualTo(plain);
    }

    @Test
    void aGzipHeaderMayBeAsLongAsItsFieldsCanBe() throws IOException {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        wire.write(new byte[] {0x1F, (byte) 0x8B, 8, 4 | 8 | 16, 0, 0, 0, 0, 0, 3, -1, -1});
        wire.write(new byte[65_535]);
        wire.write(("n".repeat(30_000) + "\0" + "c".repeat(30_000) + "\0").getBytes(US_ASCII));
        byte[] member = Formats.ALL.get(1).compress("plain".getBytes(US_ASCII));
        wire.write(member, 10, member.length - 10);
        assertThat(new String(Formats.ALL.get(1).expand(wire.toByteArray()), US_ASCII))
                .isEqualTo("plain");
    }

    @Test
    void anLz4FrameThatSaysItsLengthHasIt() {
        byte[] frame = {4, 0x22, 0x4D, 0x18, 0x68, 0x40, 3, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0};
        byte[] wire = java.util.Arrays.copyOf(frame, frame.length + 8);
        wire[14] = (byte) (XxHash32.of(wire, 4, 10) >>> 8);
        System.arraycopy(new byte[] {3, 0, 0, (byte) 0x80, 'a', 'b', 'c', 0}, 0, wire, 15, 8);
        wire = java.util.Arrays.copyOf(wire, 15 + 7 + 4);
        Formats lz4 = Formats.ALL.get(5);
        assertThat(new String(lz4.expand(wire), US_ASCII)).isEqualTo("abc");
        for (int length : new int[] {2, 4, 0, 131}) {
            byte[] other = wire.clone();
            other[6] = (byte) length;
            other[13] = (byte) (length == 131 ? 0x80 : 0); // beyond 2^63
            other[14] = (byte) (XxHash32.of(other, 4, 10) >>> 8);
            assertThatThrownBy(() -> lz4.expand(other))
                    .isInstanceOf(CorruptedFrameException.class)
                    .hasMessageContaining("LZ4 content bytes: 3");
        }
    }
}
