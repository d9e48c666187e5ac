package io.weft.codec.text;

import io.weft.buffer.Buffer;
import io.weft.codec.Encoder;
import io.weft.codec.Output;

/// Writes bytes as base 64, without framing them.
public final class Base64Encoder implements Encoder<Buffer> {
    private final Base64 alphabet;

    public Base64Encoder(Base64 alphabet) {
        this.alphabet = alphabet;
    }

    @Override
    public void encode(Buffer message, Output out) {
        try (message) {
            alphabet.encode(message, out.buffer(alphabet.encodedLength(message.readableBytes())));
        }
    }
}
