package io.weft.codec.protobuf;

import com.google.protobuf.MessageLite;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Decoder;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import io.weft.testkit.Gathered;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Bytes of messages and back.
final class Wires {
    private Wires() {}

    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    static byte[] encoded(Encoder<MessageLite> encoder, MessageLite... messages) {
        try (Output out = new Output()) {
            for (MessageLite message : messages) {
                encoder.encode(message, out);
            }
            return Gathered.bytes(out::drain);
        }
    }

    static <M> List<M> decoded(Decoder<M> decoder, byte[] wire) {
        List<M> messages = new ArrayList<>();
        try (decoder;
                Buffer in = buffer(wire)) {
            decoder.decode(in, messages::add);
            decoder.end(messages::add);
        }
        return messages;
    }

    /// One message, which is the whole frame.
    static <M extends MessageLite> M decoded(ProtobufDecoder<M> decoder, byte[] frame) {
        List<M> messages = new ArrayList<>();
        decoder.decode(buffer(frame), messages::add);
        return messages.getFirst();
    }
}
