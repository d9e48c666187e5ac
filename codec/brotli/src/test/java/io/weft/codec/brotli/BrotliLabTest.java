package io.weft.codec.brotli;

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

class BrotliLabTest implements CodecLab {
    private static final DecompressionLimits LIMITS = new DecompressionLimits(20_000, 10, 10_000);
    private static final String TEXT = "To be, or not to be, that is the question: to be. ";

    @Override
    public List<Subject> subjects() {
        byte[] small = TEXT.getBytes(ISO_8859_1);
        byte[] large = TEXT.repeat(160).getBytes(ISO_8859_1);
        byte[] whole = Streams.compress(small);
        return List.of(
                Subject.named("brotli")
                        .decoder(
                                () -> {
                                    var d =
                                            new DecompressionDecoder(
                                                    new BrotliDecompressor(LIMITS, 22));
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .describe(BrotliLabTest::piece)
                        .sample(whole)
                        .sample(Streams.compress(new BrotliCompressor(1, 20), large))
                        // empty; and one byte in a block that is not compressed (RFC 7932, 9.2)
                        .sample(Streams.hex("06"))
                        .sample(Streams.hex("0b00804103"))
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
                        .refuses("large window", Streams.hex("11"), CorruptedFrameException.class)
                        .refuses("window", Streams.hex("0f"), LimitExceededException.class)
                        .refuses(
                                "reserved bit",
                                Streams.hex("0b00804107ff"),
                                CorruptedFrameException.class)
                        .refuses("bytes behind", Streams.hex("0600"), CorruptedFrameException.class)
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
