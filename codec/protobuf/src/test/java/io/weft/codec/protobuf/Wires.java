package io.weft.codec.protobuf;

import com.google.protobuf.MessageLite;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.framing.Decoder;
import io.weft.codec.framing.Encoder;
import io.weft.codec.framing.Output;
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
            byte[] wire = new byte[(int) out.size()];
            int[] at = new int[1];
            out.drain(
                    b -> {
                        int n = b.readableBytes();
                        b.readBytes(wire, at[0], n).release();
                        at[0] += n;
                    });
            return wire;
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
