package io.weft.http.grpc;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.Output;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Gathered;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.List;

class GrpcLabTest implements CodecLab {
    private static byte[] encoded(boolean compressed, String text) {
        byte[] bytes = text.getBytes(ISO_8859_1);
        try (Output out = new Output()) {
            new GrpcFrameEncoder()
                    .encode(
                            new GrpcFrame(
                                    compressed,
                                    BufferAllocator.pooled()
                                            .allocate(bytes.length)
                                            .writeBytes(bytes)),
                            out);
            return Gathered.bytes(out::drain);
        }
    }

    private static String described(Object message) {
        GrpcFrame frame = (GrpcFrame) message;
        try (Buffer bytes = frame.bytes()) {
            return frame.compressed() + " " + bytes.readString(ISO_8859_1);
        }
    }

    @Override
    public List<Subject> subjects() {
        return List.of(
                Subject.named("grpc")
                        .decoder(
                                () -> {
                                    GrpcFrameDecoder d = new GrpcFrameDecoder(1000);
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .describe(GrpcLabTest::described)
                        .sample("\0\0\0\0\0\1\0\0\0\3abc\0\0\0\0\1x")
                        .refuses("too long", "\0\0\0\3\351", LimitExceededException.class)
                        .refuses("32 bits", "\0\377\377\377\377", LimitExceededException.class)
                        .refuses("flag", "\2\0\0\0\0", CorruptedFrameException.class)
                        .refuses("cut off", "\0\0\0\0\3ab", PrematureEndException.class)
                        .roundTrip(() -> encoded(true, "abc"), "true abc")
                        .roundTrip(
                                () -> encoded(false, "x".repeat(999)), "false " + "x".repeat(999))
                        .endless(n -> new byte[n]));
    }
}
