package io.weft.codec.zstd;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.compression.DecompressionDecoder;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

class ZstdLabTest implements CodecLab {
    private static final DecompressionLimits LIMITS = new DecompressionLimits(20_000, 10, 10_000);
    private static final String TEXT = "To be, or not to be, that is the question: to be. ";

    @Override
    public List<Subject> subjects() {
        byte[] small = TEXT.getBytes(ISO_8859_1);
        byte[] large = TEXT.repeat(160).getBytes(ISO_8859_1);
        byte[] whole = Streams.compress(small);
        return List.of(
                Subject.named("zstd")
                        .decoder(
                                () -> {
                                    var d =
                                            new DecompressionDecoder(
                                                    new ZstdDecompressor(LIMITS, 2 << 20));
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .describe(ZstdLabTest::piece)
                        .sample(whole)
                        .sample(Streams.compress(new ZstdCompressor(1, false), large))
                        .sample(Streams.hex("502a4d18 03000000 010203"))
                        // two blocks, raw and of a run, without a checksum
                        .sample(Streams.hex("28b52ffd 00 00 100000 4142 2b0000 43"))
                        .refuses(
                                "ratio",
                                Streams.compress(new byte[19_999]),
                                LimitExceededException.class)
                        .refuses(
                                "total",
                                Streams.compress(noise(20_001)),
                                LimitExceededException.class)
                        .refuses(
                                "cut off",
                                Arrays.copyOf(whole, whole.length - 1),
                                PrematureEndException.class)
                        .refuses("magic", Streams.hex("27b52ffd"), CorruptedFrameException.class)
                        .refuses(
                                "reserved bit",
                                Streams.hex("28b52ffd 08 00 010000"),
                                CorruptedFrameException.class)
                        .refuses(
                                "dictionary",
                                Streams.hex("28b52ffd 01 00 07 010000"),
                                CorruptedFrameException.class)
                        .refuses(
                                "reserved block",
                                Streams.hex("28b52ffd 00 00 070000"),
                                CorruptedFrameException.class)
                        .refuses(
                                "large block",
                                Streams.hex("28b52ffd 00 00 fdffff"),
                                CorruptedFrameException.class)
                        .refuses(
                                "sum",
                                Streams.hex("28b52ffd 04 00 110000 4142 00000000"),
                                CorruptedFrameException.class)
                        .refuses(
                                "window",
                                Streams.hex("28b52ffd 00 60"),
                                LimitExceededException.class)
                        .roundTrip(() -> Streams.compress(small), Subject.PIECE + TEXT)
                        .endless(n -> Arrays.copyOf(Streams.compress(noise(n)), n)));
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
