package io.weft.http.grpc;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import io.weft.codec.Encoder;
import io.weft.codec.MessageDecoder;
import io.weft.codec.Output;
import java.util.ArrayList;
import java.util.List;

/// A kind of message, with its bytes. It has no state that calls could disturb: any thread may use
/// it.
///
/// @param <M> the messages
public interface Marshaller<M> {
    /// Messages that are their bytes.
    Marshaller<byte[]> BYTES =
            new Marshaller<>() {
                @Override
                public void encode(byte[] message, Output out) {
                    out.buffer(message.length).writeBytes(message);
                }

                @Override
                public byte[] decode(Buffer in) {
                    byte[] bytes = new byte[in.readableBytes()];
                    in.readBytes(bytes);
                    return bytes;
                }
            };

    /// Appends the bytes of `message`.
    void encode(M message, Output out);

    /// Makes a message of the readable bytes of `in`, which stays the caller's.
    ///
    /// @throws DecoderException when they are none
    M decode(Buffer in);

    /// Makes one of codecs without state, such as those for Protocol Buffers:
    /// `Marshaller.of(new ProtobufEncoder(), new ProtobufDecoder<>(Reply.getDefaultInstance()))`.
    static <M> Marshaller<M> of(
            Encoder<? super M> encoder, MessageDecoder<? super Buffer, ? extends M> decoder) {
        return new Marshaller<>() {
            @Override
            public void encode(M message, Output out) {
                encoder.encode(message, out);
            }

            @Override
            public M decode(Buffer in) {
                List<M> messages = new ArrayList<>(1);
                decoder.decode(in.retain(), messages::add);
                if (messages.size() != 1) {
                    throw new IllegalStateException(
                            "messages: " + messages.size() + " of one frame (expected: 1)");
                }
                return messages.getFirst();
            }
        };
    }
}
