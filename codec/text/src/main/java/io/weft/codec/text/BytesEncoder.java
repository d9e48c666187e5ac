package io.weft.codec.text;

import io.weft.codec.Encoder;
import io.weft.codec.Output;

/// Writes arrays without framing them.
public final class BytesEncoder implements Encoder<byte[]> {
    public BytesEncoder() {}

    @Override
    public void encode(byte[] message, Output out) {
        out.buffer(message.length).writeBytes(message);
    }
}
