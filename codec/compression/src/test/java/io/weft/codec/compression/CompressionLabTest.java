package io.weft.codec.compression;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

class CompressionLabTest implements CodecLab {
    private static final DecompressionLimits LIMITS = new DecompressionLimits(20_000, 10, 10_000);
    private static final String TEXT = "To be, or not to be, that is the question: to be. ";

    /// Blocks that their format makes whole before anything of them comes out, as source and as
    /// result.
    private static long reserves(String format) {
        return switch (format) {
            case "snappy" -> 2 * 76_500L + 2 * (64L << 10);
            case "lz4" -> 2 * (64L << 10) + 2 * (256L << 10);
            case "lzf" -> 4 * (64L << 10);
            case "bzip2" -> 8 * 900_000L;
            default -> 0;
        };
    }

    @Override
    public List<Subject> subjects() {
        List<Subject> subjects = new ArrayList<>();
        for (Formats format : Formats.ALL) {
            Subject subject = subject(format);
            switch (format.name()) {
                case "gzip" -> gzip(subject);
                case "snappy" -> snappy(subject);
                case "lz4" -> lz4(subject);
                case "lzf" -> lzf(subject);
                case "bzip2" -> bzip2(subject);
                default -> {}
            }
            subjects.add(subject);
        }
        return subjects;
    }

    private static Subject subject(Formats format) {
        byte[] small = TEXT.getBytes(ISO_8859_1);
        byte[] large = TEXT.repeat(160).getBytes(ISO_8859_1);
        byte[] most = new byte[20_001];
        for (int i = 0; i < most.length; i++) {
            most[i] = (byte) (((i * i) >> 8) ^ (i * 31));
        }
        byte[] whole = format.compress(small);
        return Subject.named(format.name())
                .decoder(
                        () -> {
                            var d = new DecompressionDecoder(format.decompressor().apply(LIMITS));
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class)
                .describe(CompressionLabTest::piece)
                .reserves(reserves(format.name()))
                .sample(whole)
                .sample(format.compress(large))
                .refuses("ratio", format.compress(new byte[19_999]), LimitExceededException.class)
                .refuses("total", format.compress(most), LimitExceededException.class)
                .refuses(
                        "cut off",
                        java.util.Arrays.copyOf(whole, whole.length - 1),
                        PrematureEndException.class)
                .roundTrip(() -> format.compress(small), Subject.PIECE + TEXT)
                .endless(n -> java.util.Arrays.copyOf(format.compress(noise(n)), n));
    }

    private static byte[] noise(int n) {
        byte[] noise = new byte[n];
        new java.util.Random(1).nextBytes(noise);
        return noise;
    }

    private static String piece(Object message) {
        try (Buffer piece = (Buffer) message) {
            return Subject.PIECE + piece.readString(ISO_8859_1);
        }
    }

    private static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static void gzip(Subject subject) {
        subject.sample(
                        // all optional fields: extra "xy", name "n", comment "c", CRC of the header
                        hex("1f8b081e000000000003 0200 7879 6e00 6300 447e 0300 00000000 00000000"))
                .refuses("magic", hex("1f8c0800000000000003"), CorruptedFrameException.class)
                .refuses(
                        "reserved flag", hex("1f8b0820000000000003"), CorruptedFrameException.class)
                .refuses(
                        "sum",
                        hex("1f8b0800000000000003 0300 01000000 00000000"),
                        CorruptedFrameException.class)
                .refuses(
                        "length",
                        hex("1f8b0800000000000003 0300 00000000 01000000"),
                        CorruptedFrameException.class)
                .refuses(
                        "header",
                        ("\37\213\10\10\0\0\0\0\0\3" + "n".repeat(1 + (1 << 16)))
                                .getBytes(ISO_8859_1),
                        LimitExceededException.class);
    }

    private static void snappy(Subject subject) {
        subject.sample(hex("ff060000734e61507059 fe0300000000 00 80020000 ffff"))
                .refuses("no identifier", hex("0105000000000000"), CorruptedFrameException.class)
                .refuses(
                        "unknown chunk",
                        hex("ff060000734e61507059 02000000"),
                        CorruptedFrameException.class)
                .refuses(
                        "declared",
                        hex("ff060000734e61507059 00090000 00000000 ffffffff0f"),
                        CorruptedFrameException.class)
                .refuses(
                        "sum",
                        hex("ff060000734e61507059 01050000 00000000 41"),
                        CorruptedFrameException.class);
    }

    private static void lz4(Subject subject) {
        subject.sample(hex("502a4d18 03000000 010203"))
                .refuses("magic", hex("05224d18"), CorruptedFrameException.class)
                .refuses("dictionary", hex("04224d18 6140 00"), CorruptedFrameException.class)
                .refuses("header sum", hex("04224d18 6040 00"), CorruptedFrameException.class)
                .refuses(
                        "declared block",
                        hex("04224d18 6040 82 ffffff7f"),
                        LimitExceededException.class);
    }

    private static void lzf(Subject subject) {
        subject.sample(hex("5a56 00 0001 41"))
                .refuses("magic", hex("5a57000001"), CorruptedFrameException.class)
                .refuses("distance", hex("5a56 01 0002 0008 20ff"), CorruptedFrameException.class);
    }

    private static void bzip2(Subject subject) {
        subject.sample(hex("425a6839 177245385090 00000000"))
                .refuses("level", hex("425a6830"), CorruptedFrameException.class)
                .refuses("magic", hex("425a6839 314159265358"), CorruptedFrameException.class)
                .refuses(
                        "sum",
                        hex("425a6839 177245385090 00000001"),
                        CorruptedFrameException.class);
    }
}
