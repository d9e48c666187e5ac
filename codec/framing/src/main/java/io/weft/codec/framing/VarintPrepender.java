package io.weft.codec.framing;

import io.weft.buffer.Buffer;
import io.weft.buffer.Varint;
import io.weft.codec.Encoder;
import io.weft.codec.Output;

/// Puts the length of each message before it, as an unsigned LEB128 number.
public final class VarintPrepender implements Encoder<Buffer> {
    private static final int MAX_BYTES = 5;

    public VarintPrepender() {}

    @Override
    public void encode(Buffer message, Output out) {
        try {
            Varint.writeInt(out.buffer(MAX_BYTES), message.readableBytes());
        } catch (RuntimeException e) {
            message.release();
            throw e;
        }
        out.add(message);
    }
}
