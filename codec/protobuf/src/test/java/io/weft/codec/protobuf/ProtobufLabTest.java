package io.weft.codec.protobuf;

import com.google.protobuf.ExtensionRegistryLite;
import com.google.protobuf.ListValue;
import com.google.protobuf.MessageLite;
import com.google.protobuf.NullValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.framing.FixedLengthDecoder;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;

class ProtobufLabTest implements CodecLab {
    private static final ProtobufLimits LIMITS = new ProtobufLimits(2000, 10);

    private static Subject subject(String name, Supplier<? extends Decoder<?>> decoder) {
        return Subject.named(name)
                .decoder(
                        () -> {
                            Decoder<?> d = decoder.get();
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class)
                // As bytes: the text of a message is the library's affair.
                .describe(m -> HexFormat.of().formatHex(((MessageLite) m).toByteArray()));
    }

    private static String described(MessageLite message) {
        return HexFormat.of().formatHex(message.toByteArray());
    }

    @Override
    public List<Subject> subjects() {
        return List.of(delimited(), framed());
    }

    private static Subject delimited() {
        Struct struct =
                Struct.newBuilder()
                        .putFields("text", Value.newBuilder().setStringValue("héllo").build())
                        .putFields("number", Value.newBuilder().setNumberValue(-0.5).build())
                        .build();
        Value deep = Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build();
        for (int i = 0; i < 6; i++) {
            deep = Value.newBuilder().setListValue(ListValue.newBuilder().addValues(deep)).build();
        }
        Struct tooDeep = Struct.newBuilder().putFields("deep", deep).build();
        return subject(
                        "protobuf",
                        () ->
                                ProtobufDecoder.delimited(
                                        Struct.getDefaultInstance(),
                                        ExtensionRegistryLite.getEmptyRegistry(),
                                        LIMITS))
                .sample(Wires.encoded(ProtobufEncoder.delimited(), struct, struct))
                .sample(Wires.hex("00 00 04 9a03 0161 00 8000")) // unknown fields, and lengths of 0
                .refuses("too long", Wires.hex("d10f"), LimitExceededException.class)
                .refuses(
                        "too deep",
                        Wires.encoded(ProtobufEncoder.delimited(), tooDeep),
                        CorruptedFrameException.class)
                .refuses(
                        "groups",
                        Wires.hex("0b 7b7b7b7b7b7b7b7b7b7b7b"),
                        CorruptedFrameException.class)
                .refuses("field 0", Wires.hex("02 0000"), CorruptedFrameException.class)
                .refuses("wire type", Wires.hex("01 0f"), CorruptedFrameException.class)
                .refuses("end of no group", Wires.hex("01 7c"), CorruptedFrameException.class)
                .refuses("declared", Wires.hex("06 0affffffff07"), CorruptedFrameException.class)
                .refuses("negative", Wires.hex("06 0affffffff0f"), CorruptedFrameException.class)
                .refuses("no UTF-8", Wires.hex("05 0a03 0a01ff"), CorruptedFrameException.class)
                .refuses("cut off", Wires.hex("05 9a0301"), PrematureEndException.class)
                .roundTrip(
                        () -> Wires.encoded(ProtobufEncoder.delimited(), struct), described(struct))
                .endless(n -> filled(n, 0xD0, 0x0F))
                .endless(n -> new byte[n]);
    }

    private static byte[] filled(int n, int... head) {
        byte[] wire = new byte[n];
        for (int i = 0; i < head.length; i++) {
            wire[i] = (byte) head[i];
        }
        return wire;
    }

    private static Subject framed() {
        Timestamp time = Timestamp.newBuilder().setSeconds(150).setNanos(1).build();
        return subject(
                        "protobuf-frames",
                        () ->
                                new FixedLengthDecoder(5)
                                        .then(
                                                new ProtobufDecoder<>(
                                                        Timestamp.getDefaultInstance())))
                .sample(Wires.hex("0896011001 0880808000"))
                .refuses("varint", Wires.hex("0880808080"), CorruptedFrameException.class)
                .roundTrip(() -> Wires.encoded(new ProtobufEncoder(), time), described(time));
    }
}
