package io.weft.codec.serialization;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.serialization.Objects.Envelope;
import io.weft.codec.serialization.Objects.Gadget;
import io.weft.codec.serialization.Objects.Point;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.ArrayList;
import java.util.List;

class SerializationLabTest implements CodecLab {
    private static final SerializationLimits LIMITS = new SerializationLimits(2000, 8, 200, 500);

    @Override
    public List<Subject> subjects() {
        AllowList list = AllowList.of(Point.class, Envelope.class, ArrayList.class);
        ClassLoader loader = SerializationLabTest.class.getClassLoader();
        ArrayList<Object> objects = new ArrayList<>(List.of(new Point(1, 2), "text", 7));
        Envelope deep = new Envelope(null);
        for (int i = 0; i < 10; i++) {
            deep = new Envelope(deep);
        }
        return List.of(
                Subject.named("serialization")
                        .decoder(
                                () -> {
                                    var d =
                                            ObjectDecoder.framed(
                                                    Object.class, list, LIMITS, loader);
                                    return Machine.of(d::decode, d::end, d::close);
                                },
                                DecoderException.class)
                        .describe(SerializationLabTest::described)
                        .sample(Objects.framed(objects))
                        .sample(Objects.framed(new Envelope(new Object[] {1L, "x", null})))
                        .refuses(
                                "class",
                                Objects.framed(new Envelope(new Gadget())),
                                ForbiddenClassException.class)
                        .refuses("depth", Objects.framed(deep), LimitExceededException.class)
                        .refuses(
                                "array",
                                Objects.framed(new byte[501]),
                                LimitExceededException.class)
                        .refuses(
                                "length",
                                "\0\0\7\321".getBytes(ISO_8859_1),
                                LimitExceededException.class)
                        .refuses(
                                "no stream",
                                "\0\0\0\4text".getBytes(ISO_8859_1),
                                CorruptedFrameException.class)
                        .refuses("empty", new byte[4], CorruptedFrameException.class)
                        .refuses(
                                "bytes behind",
                                "\0\0\0\13\254\355\0\5t\0\1x\0\0\0".getBytes(ISO_8859_1),
                                CorruptedFrameException.class)
                        .refuses(
                                "cut off",
                                "\0\0\0\5\254\355\0".getBytes(ISO_8859_1),
                                PrematureEndException.class)
                        .roundTrip(() -> Objects.framed(objects), described(objects)));
    }

    /// By contents where the tests know them.
    private static String described(Object object) {
        return switch (object) {
            case Object[] array -> "array " + List.of(array.length);
            case ArrayList<?> list -> "list " + list.stream().map(o -> described(o)).toList();
            case Envelope envelope ->
                    "envelope " + (envelope.content == null ? "" : envelope.content.getClass());
            case Point(int x, int y) -> "point " + x + " " + y;
            default -> object.getClass().toString();
        };
    }
}
