package io.weft.codec.protobuf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.BytesValue;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.ListValue;
import com.google.protobuf.StringValue;
import com.google.protobuf.Struct;
import com.google.protobuf.Timestamp;
import com.google.protobuf.Value;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.Output;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class ProtobufTest {
    /// `message M { required int32 id = 1; extensions 100 to 199; } extend M { optional string note = 100; }`
    private static final FileDescriptor PROTO2 = proto2();

    private static FileDescriptor proto2() {
        FileDescriptorProto file =
                FileDescriptorProto.newBuilder()
                        .setName("m.proto")
                        .setSyntax("proto2")
                        .addMessageType(
                                DescriptorProto.newBuilder()
                                        .setName("M")
                                        .addField(
                                                field(
                                                        "id",
                                                        1,
                                                        FieldDescriptorProto.Label.LABEL_REQUIRED))
                                        .addExtensionRange(
                                                DescriptorProto.ExtensionRange.newBuilder()
                                                        .setStart(100)
                                                        .setEnd(200)))
                        .addExtension(
                                field("note", 100, FieldDescriptorProto.Label.LABEL_OPTIONAL)
                                        .setType(FieldDescriptorProto.Type.TYPE_STRING)
                                        .setExtendee("M"))
                        .build();
        try {
            return FileDescriptor.buildFrom(file, new FileDescriptor[0]);
        } catch (DescriptorValidationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static FieldDescriptorProto.Builder field(
            String name, int number, FieldDescriptorProto.Label label) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setLabel(label)
                .setType(FieldDescriptorProto.Type.TYPE_INT32);
    }

    private static DynamicMessage m() {
        return DynamicMessage.getDefaultInstance(PROTO2.getMessageTypes().getFirst());
    }

    /// Lists in lists, two messages a level.
    private static Value nested(int levels) {
        Value value = Value.newBuilder().setBoolValue(true).build();
        for (int i = 0; i < levels; i++) {
            value =
                    Value.newBuilder()
                            .setListValue(ListValue.newBuilder().addValues(value))
                            .build();
        }
        return value;
    }

    @Test
    void aMessageIsWhatTheEncodingGuideSays() {
        // Timestamp { seconds = 150, nanos = 1 }: 08 96 01 is the guide's own example.
        byte[] wire = Wires.hex("08 9601 10 01");
        Timestamp time = Timestamp.newBuilder().setSeconds(150).setNanos(1).build();
        assertThat(Wires.decoded(new ProtobufDecoder<>(Timestamp.getDefaultInstance()), wire))
                .isEqualTo(time);
        assertThat(Wires.encoded(new ProtobufEncoder(), time)).isEqualTo(wire);
        assertThat(Wires.encoded(ProtobufEncoder.delimited(), time, time))
                .isEqualTo(Wires.hex("05 0896011001 05 0896011001"));
    }

    @Test
    void streamsAreThoseOfTheLibrary() throws IOException {
        Struct struct =
                Struct.newBuilder()
                        .putFields("long", text("x".repeat(70_000)))
                        .putFields("deep", nested(3))
                        .build();
        ByteArrayOutputStream theirs = new ByteArrayOutputStream();
        struct.writeDelimitedTo(theirs);
        Struct.getDefaultInstance().writeDelimitedTo(theirs);
        assertThat(
                        Wires.decoded(
                                ProtobufDecoder.delimited(Struct.getDefaultInstance()),
                                theirs.toByteArray()))
                .containsExactly(struct, Struct.getDefaultInstance());
        var ours =
                new ByteArrayInputStream(
                        Wires.encoded(ProtobufEncoder.delimited(), struct, struct));
        assertThat(Struct.parseDelimitedFrom(ours)).isEqualTo(struct);
        assertThat(Struct.parseDelimitedFrom(ours)).isEqualTo(struct);
        assertThat(ours.available()).isZero();
    }

    private static Value text(String text) {
        return Value.newBuilder().setStringValue(text).build();
    }

    @Test
    void aMessageOutlivesItsFrame() {
        byte[] frame = BytesValue.of(ByteString.copyFrom("kept".repeat(100), UTF_8)).toByteArray();
        var in = Wires.buffer(frame);
        BytesValue[] kept = new BytesValue[1];
        try (var other = in.slice(0, frame.length)) {
            new ProtobufDecoder<>(BytesValue.getDefaultInstance()).decode(in, m -> kept[0] = m);
            other.clear().writeBytes(new byte[frame.length]);
        }
        assertThat(kept[0].getValue().toString(UTF_8)).isEqualTo("kept".repeat(100));
    }

    @Test
    void extensionsAreParsedWhenTheyAreRegistered() {
        byte[] wire = Wires.hex("08 05 a206 02 6869");
        ExtensionRegistry registry = ExtensionRegistry.newInstance();
        registry.add(PROTO2.findExtensionByName("note"));
        DynamicMessage known =
                Wires.decoded(new ProtobufDecoder<>(m(), registry, ProtobufLimits.DEFAULT), wire);
        assertThat(known.getField(PROTO2.findExtensionByName("note"))).isEqualTo("hi");
        DynamicMessage unknown = Wires.decoded(new ProtobufDecoder<>(m()), wire);
        assertThat(unknown.getUnknownFields().hasField(100)).isTrue();
        assertThat(Wires.encoded(new ProtobufEncoder(), unknown)).isEqualTo(wire);
    }

    @Test
    void aRequiredFieldHasToBeThere() {
        assertThatThrownBy(() -> Wires.decoded(new ProtobufDecoder<>(m()), new byte[0]))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessageContaining("id");
        try (Output out = new Output()) {
            assertThatThrownBy(() -> new ProtobufEncoder().encode(m(), out))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("required field");
            assertThat(out.size()).isZero();
        }
    }

    @Test
    void nestingIsLimited() {
        byte[] deep = nested(100).toByteArray();
        assertThatThrownBy(
                        () ->
                                Wires.decoded(
                                        new ProtobufDecoder<>(Value.getDefaultInstance()), deep))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessageContaining("nesting");
        ProtobufLimits four = ProtobufLimits.DEFAULT.recursion(4);
        assertThat(Wires.decoded(values(four), nested(2).toByteArray())).isEqualTo(nested(2));
        assertThatThrownBy(() -> Wires.decoded(values(four), nested(3).toByteArray()))
                .isInstanceOf(CorruptedFrameException.class);
    }

    private static ProtobufDecoder<Value> values(ProtobufLimits limits) {
        return new ProtobufDecoder<>(Value.parser(), ExtensionRegistry.getEmptyRegistry(), limits);
    }

    /// Groups nobody knows are nested as well: a start tag a byte.
    @Test
    void nestingOfUnknownGroupsIsLimited() {
        byte[] groups = new byte[500_000];
        java.util.Arrays.fill(groups, (byte) 0x7B);
        assertThatThrownBy(() -> Wires.decoded(values(ProtobufLimits.DEFAULT), groups))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessageContaining("nesting");
    }

    @Test
    void theSizeOfAMessageIsLimitedByteExactly() {
        StringValue text = StringValue.of("x".repeat(98)); // and two bytes before it
        ProtobufLimits enough = ProtobufLimits.DEFAULT.messageBytes(100);
        assertThat(Wires.decoded(strings(enough), text.toByteArray())).isEqualTo(text);
        assertThatThrownBy(
                        () -> Wires.decoded(strings(enough.messageBytes(99)), text.toByteArray()))
                .isInstanceOf(LimitExceededException.class)
                .hasMessage("message bytes: 100 (expected: at most 99)");
    }

    private static ProtobufDecoder<StringValue> strings(ProtobufLimits limits) {
        return new ProtobufDecoder<>(
                StringValue.parser(), ExtensionRegistry.getEmptyRegistry(), limits);
    }

    @Test
    void aMessageDoesNotEndBeforeItsFrameDoes() {
        ProtobufDecoder<StringValue> decoder = strings(ProtobufLimits.DEFAULT);
        for (String wire : new String[] {"0a0161 0c", "0a0161 00", "0a0161 7c 0a0162"}) {
            assertThatThrownBy(() -> Wires.decoded(decoder, Wires.hex(wire)))
                    .as(wire)
                    .isInstanceOf(CorruptedFrameException.class);
        }
    }

    @Test
    void limitsAreNotNegative() {
        assertThatThrownBy(() -> new ProtobufLimits(-1, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1, 5");
    }
}
