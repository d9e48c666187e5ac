package io.weft.codec.framing;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import java.nio.ByteOrder;

/// Puts the length of each message before it.
public final class LengthFieldPrepender implements Encoder<Buffer> {
    private final LengthField field;

    /// A big-endian field that counts the bytes behind it.
    ///
    /// @param bytes of the field: 1, 2, 3, 4 or 8
    public LengthFieldPrepender(int bytes) {
        this(bytes, ByteOrder.BIG_ENDIAN, 0, false);
    }

    /// @param adjustment added to the length of the message
    /// @param includesItself whether the bytes of the field count too
    public LengthFieldPrepender(
            int bytes, ByteOrder order, int adjustment, boolean includesItself) {
        int added = includesItself ? Math.addExact(adjustment, bytes) : adjustment;
        field = new LengthField(0, bytes, added, 0, order);
    }

    /// @throws IllegalArgumentException when the field cannot hold the length
    @Override
    public void encode(Buffer message, Output out) {
        long length = (long) message.readableBytes() + field.adjustment();
        if (length < 0 || length > field.max()) {
            message.release();
            throw new IllegalArgumentException(
                    "length: " + length + " (expected: 0 to " + field.max() + ")");
        }
        try {
            field.write(out.buffer(field.bytes()), length);
        } catch (RuntimeException e) {
            message.release();
            throw e;
        }
        out.add(message);
    }
}
