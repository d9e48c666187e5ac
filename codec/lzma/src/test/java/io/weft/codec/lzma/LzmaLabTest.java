package io.weft.codec.lzma;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.compression.DecompressionDecoder;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class LzmaLabTest implements CodecLab {
    private static final DecompressionLimits LIMITS = new DecompressionLimits(20_000, 10, 10_000);
    private static final String TEXT = "To be, or not to be, that is the question: to be. ";

    @Override
    public List<Subject> subjects() {
        return List.of(xz(), lzma());
    }

    private static Subject lzma() {
        byte[] small = TEXT.getBytes(ISO_8859_1);
        byte[] whole = lzma(small);
        byte[] known = whole.clone(); // with a length, and a marker all the same
        Arrays.fill(known, 5, 13, (byte) 0);
        known[5] = (byte) small.length;
        return Subject.named("lzma")
                .decoder(
                        () -> machine(new LzmaDecompressor(LIMITS, 1 << 20)),
                        DecoderException.class)
                .describe(LzmaLabTest::piece)
                .sample(whole)
                .sample(known)
                .sample(lzma(TEXT.repeat(160).getBytes(ISO_8859_1)))
                .refuses("ratio", lzma(new byte[19_999]), LimitExceededException.class)
                .refuses("total", lzma(noise(20_001)), LimitExceededException.class)
                .refuses(
                        "cut off",
                        Arrays.copyOf(whole, whole.length - 1),
                        PrematureEndException.class)
                .refuses(
                        "properties",
                        Streams.hex("e1 00001000 ffffffffffffffff"),
                        CorruptedFrameException.class)
                .refuses(
                        "bytes behind a marker and a length",
                        Streams.join(known, new byte[1]),
                        CorruptedFrameException.class)
                .refuses(
                        "dictionary",
                        Streams.hex("5d 01001000 ffffffffffffffff"),
                        LimitExceededException.class)
                .refuses(
                        "length",
                        Streams.hex("5d 00001000 feffffffffffffff"),
                        CorruptedFrameException.class)
                .refuses(
                        "first byte",
                        Streams.hex("5d 00001000 ffffffffffffffff 0100000000"),
                        CorruptedFrameException.class)
                .refuses(
                        "distance",
                        Streams.hex("5d 00001000 ffffffffffffffff 00ffffffff 0000000000000000"),
                        CorruptedFrameException.class)
                .refuses(
                        "bytes behind",
                        Streams.join(whole, new byte[1]),
                        CorruptedFrameException.class)
                .roundTrip(() -> lzma(small), Subject.PIECE + TEXT)
                .endless(n -> Arrays.copyOf(lzma(noise(n)), n))
                .endless(n -> Arrays.copyOf(lzma(new byte[1 << 20]), n));
    }

    private static byte[] lzma(byte[] plain) {
        return Streams.compress(new LzmaCompressor(0), plain);
    }

    private static Machine machine(Decompressor decompressor) {
        var d = new DecompressionDecoder(decompressor);
        return Machine.of(d::decode, d::end, d::close);
    }

    private static Subject xz() {
        byte[] small = TEXT.getBytes(ISO_8859_1);
        byte[] large = TEXT.repeat(160).getBytes(ISO_8859_1);
        byte[] whole = Streams.compress(small);
        byte[] begun = Streams.header(12); // 256 KiB
        return Subject.named("xz")
                .decoder(
                        () -> machine(new XzDecompressor(LIMITS, 256 << 10)),
                        DecoderException.class)
                .describe(LzmaLabTest::piece)
                .reserves(512 << 10) // the dictionary, and a chunk
                .sample(whole)
                .sample(Streams.compress(large))
                .sample(Streams.join(whole, new byte[4], whole))
                .refuses("ratio", Streams.compress(new byte[19_999]), LimitExceededException.class)
                .refuses("total", Streams.compress(noise(20_001)), LimitExceededException.class)
                .refuses(
                        "cut off",
                        Arrays.copyOf(whole, whole.length - 1),
                        PrematureEndException.class)
                .refuses(
                        "magic",
                        Streams.hex("fd377a585b00 0000 ff12d941"),
                        CorruptedFrameException.class)
                .refuses(
                        "sum of the header",
                        Streams.hex("fd377a585a00 0000 ff12d942"),
                        CorruptedFrameException.class)
                .refuses("dictionary", Streams.header(13), LimitExceededException.class)
                .refuses("no dictionary", Streams.header(41), CorruptedFrameException.class)
                .refuses("filter", Streams.header(0, 0x03, 12), CorruptedFrameException.class)
                .refuses("filters", Streams.header(1, 0x21, 12), CorruptedFrameException.class)
                .refuses(
                        "control",
                        Streams.join(begun, Streams.hex("03 0000 41")),
                        CorruptedFrameException.class)
                .refuses(
                        "no dictionary reset",
                        Streams.join(begun, Streams.hex("02 0000 41")),
                        CorruptedFrameException.class)
                .refuses(
                        "no properties",
                        Streams.join(begun, Streams.hex("01 0000 41 80 0000 0004 0000000000")),
                        CorruptedFrameException.class)
                .refuses(
                        "distance",
                        Streams.join(
                                begun, Streams.hex("e0 00ff 000f 5d 00 ff ff ff ff"), new byte[11]),
                        CorruptedFrameException.class)
                .refuses("sum", Streams.changed(whole, -25), CorruptedFrameException.class)
                .refuses("index", Streams.changed(whole, -18), CorruptedFrameException.class)
                .roundTrip(() -> Streams.compress(small), Subject.PIECE + TEXT)
                .endless(n -> Arrays.copyOf(Streams.compress(noise(n)), n));
    }

    private static byte[] noise(int n) {
        byte[] noise = new byte[n];
        new Random(1).nextBytes(noise);
        return noise;
    }

    private static String piece(Object message) {
        try (Buffer piece = (Buffer) message) {
            return Subject.PIECE + piece.readString(ISO_8859_1);
        }
    }
}
