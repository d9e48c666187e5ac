package io.weft.examples.grpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.ExtensionRegistryLite;
import io.weft.codec.protobuf.ProtobufDecoder;
import io.weft.codec.protobuf.ProtobufEncoder;
import io.weft.codec.protobuf.ProtobufLimits;
import io.weft.http.grpc.Marshaller;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// A message of the interoperability tests of gRPC (`grpc/testing/messages.proto`). Its fields are
/// found by name, so that these few need no generated code; a program of its own would have that,
/// and pass the encoder and decoder of `codec/protobuf` in the same way.
record TestMessage(DynamicMessage fields) {
    /// The part of the schema that the tests use: each message, and its fields with their numbers.
    /// Enums are numbers.
    private static final String SCHEMA =
            """
            Empty
            BoolValue                  value:bool=1
            Payload                    type:int32=1 body:bytes=2
            EchoStatus                 code:int32=1 message:string=2
            SimpleRequest              response_type:int32=1 response_size:int32=2 \
            payload:Payload=3 response_compressed:BoolValue=6 response_status:EchoStatus=7 \
            expect_compressed:BoolValue=8 fill_server_id:bool=9
            SimpleResponse             payload:Payload=1 server_id:string=4
            StreamingInputCallRequest  payload:Payload=1 expect_compressed:BoolValue=2
            StreamingInputCallResponse aggregated_payload_size:int32=1
            ResponseParameters         size:int32=1 interval_us:int32=2 compressed:BoolValue=3
            StreamingOutputCallRequest response_type:int32=1 response_parameters:ResponseParameters*=2 \
            payload:Payload=3 response_status:EchoStatus=7
            StreamingOutputCallResponse payload:Payload=1
            """;

    private static final FileDescriptor FILE = file();

    private static FileDescriptor file() {
        var file = FileDescriptorProto.newBuilder().setPackage("grpc.testing").setSyntax("proto3");
        SCHEMA.lines().map(line -> line.split(" +")).forEach(row -> file.addMessageType(type(row)));
        try {
            return FileDescriptor.buildFrom(file.build(), new FileDescriptor[0]);
        } catch (DescriptorValidationException e) {
            throw new AssertionError(e);
        }
    }

    private static DescriptorProto type(String[] row) {
        var type = DescriptorProto.newBuilder().setName(row[0]);
        for (int i = 1; i < row.length; i++) {
            String[] parts = row[i].split("[:=]", -1);
            String of = parts[1].replace("*", "");
            var field =
                    FieldDescriptorProto.newBuilder()
                            .setName(parts[0])
                            .setNumber(Integer.parseInt(parts[2]))
                            .setLabel(
                                    parts[1].endsWith("*")
                                            ? FieldDescriptorProto.Label.LABEL_REPEATED
                                            : FieldDescriptorProto.Label.LABEL_OPTIONAL);
            if (Character.isUpperCase(of.charAt(0))) {
                field.setType(FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName(of);
            } else {
                field.setType(
                        FieldDescriptorProto.Type.valueOf("TYPE_" + of.toUpperCase(Locale.ROOT)));
            }
            type.addField(field);
        }
        return type.build();
    }

    /// The messages of a type, for methods.
    static Marshaller<TestMessage> marshaller(String type, int maxBytes) {
        ProtobufDecoder<DynamicMessage> decoder =
                new ProtobufDecoder<>(
                        empty(type).fields,
                        ExtensionRegistryLite.getEmptyRegistry(),
                        ProtobufLimits.DEFAULT.messageBytes(maxBytes));
        ProtobufEncoder encoder = new ProtobufEncoder();
        return Marshaller.of(
                (message, out) -> encoder.encode(message.fields, out),
                (in, out) -> decoder.decode(in, fields -> out.accept(new TestMessage(fields))));
    }

    /// A message without a field.
    static TestMessage empty(String type) {
        return new TestMessage(DynamicMessage.getDefaultInstance(FILE.findMessageTypeByName(type)));
    }

    /// A payload of as many zeros.
    static TestMessage payload(int bytes) {
        return empty("Payload").with("body", ByteString.copyFrom(new byte[bytes]));
    }

    /// The kind of number of a field that may be absent.
    static TestMessage flag(boolean value) {
        return empty("BoolValue").with("value", value);
    }

    /// This message with a field; of a repeated one, with another element.
    TestMessage with(String field, Object value) {
        FieldDescriptor of = field(field);
        Object raw = value instanceof TestMessage message ? message.fields : value;
        DynamicMessage.Builder builder = fields.toBuilder();
        return new TestMessage(
                (of.isRepeated() ? builder.addRepeatedField(of, raw) : builder.setField(of, raw))
                        .build());
    }

    private FieldDescriptor field(String name) {
        Descriptor type = fields.getDescriptorForType();
        FieldDescriptor field = type.findFieldByName(name);
        if (field == null) {
            throw new IllegalArgumentException(
                    "field: " + name + " (expected: one of " + type.getName() + ")");
        }
        return field;
    }

    boolean has(String field) {
        return fields.hasField(field(field));
    }

    int number(String field) {
        return (Integer) fields.getField(field(field));
    }

    String text(String field) {
        return (String) fields.getField(field(field));
    }

    TestMessage message(String field) {
        return new TestMessage((DynamicMessage) fields.getField(field(field)));
    }

    List<TestMessage> messages(String field) {
        List<TestMessage> messages = new ArrayList<>();
        for (Object element : (List<?>) fields.getField(field(field))) {
            messages.add(new TestMessage((DynamicMessage) element));
        }
        return messages;
    }

    /// Tells if a `BoolValue` is there, and true.
    boolean isSet(String field) {
        return message(field).is("value");
    }

    /// Tells if a field is true.
    boolean is(String field) {
        return (Boolean) fields.getField(field(field));
    }

    /// Returns the length of the payload's body.
    int payloadSize() {
        TestMessage payload = message("payload");
        return ((ByteString) payload.fields.getField(payload.field("body"))).size();
    }

    /// Without the payload, which is large.
    @Override
    public String toString() {
        return fields.getDescriptorForType().getName()
                + " of "
                + fields.getSerializedSize()
                + " bytes";
    }
}
