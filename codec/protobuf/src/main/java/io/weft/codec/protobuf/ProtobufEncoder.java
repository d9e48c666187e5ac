package io.weft.codec.protobuf;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.weft.buffer.Buffer;
import io.weft.buffer.Varint;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import java.io.IOException;

/// Writes messages of Protocol Buffers straight into the output. It has no state: one serves any
/// number of connections and threads.
public final class ProtobufEncoder implements Encoder<MessageLite> {
    private static final int MAX_LENGTH_BYTES = 5;

    private final boolean delimited;

    /// Writes messages without framing them: for an output that is one message.
    public ProtobufEncoder() {
        this(false);
    }

    private ProtobufEncoder(boolean delimited) {
        this.delimited = delimited;
    }

    /// Puts the length of each message before it as a varint, as `writeDelimitedTo` does.
    public static ProtobufEncoder delimited() {
        return new ProtobufEncoder(true);
    }

    /// @throws IllegalArgumentException when a required field is missing
    @Override
    public void encode(MessageLite message, Output out) {
        if (!message.isInitialized()) {
            throw new IllegalArgumentException(
                    message.getClass().getName()
                            + ": a required field is missing (expected: all of them)");
        }
        int length = message.getSerializedSize();
        Buffer to = out.buffer(Math.addExact(MAX_LENGTH_BYTES, length));
        if (delimited) {
            Varint.writeInt(to, length);
        }
        CodedOutputStream output =
                CodedOutputStream.newInstance(to.byteBuffer(to.writeOffset(), length));
        try {
            message.writeTo(output);
            output.flush();
        } catch (IOException e) {
            // The size was computed from the same message, which cannot change.
            throw new IllegalStateException("writing to a buffer: " + e, e);
        }
        to.writeOffset(to.writeOffset() + length);
    }
}
