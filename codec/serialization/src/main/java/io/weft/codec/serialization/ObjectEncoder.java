package io.weft.codec.serialization;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferOutputStream;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serializable;

/// Writes serialized objects, each a stream of its own behind its length in four bytes, as
/// [ObjectDecoder#framed] reads them. It has no state: one serves any number of connections and
/// threads.
public final class ObjectEncoder implements Encoder<Serializable> {
    private static final int LENGTH_BYTES = 4;
    private static final int ROOM = 256;

    public ObjectEncoder() {}

    /// @throws IllegalArgumentException when something in the object cannot be serialized
    @Override
    public void encode(Serializable message, Output out) {
        Buffer to = out.buffer(ROOM);
        int start = to.writeOffset();
        to.writeInt(0);
        try (ObjectOutputStream stream = new ObjectOutputStream(new BufferOutputStream(to))) {
            stream.writeObject(message);
        } catch (IOException e) {
            throw new IllegalArgumentException("object: " + e + " (expected: serializable)", e);
        }
        to.setInt(start, to.writeOffset() - start - LENGTH_BYTES);
    }
}
