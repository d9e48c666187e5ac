package io.weft.codec.text;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.MessageDecoder;
import java.util.function.Consumer;

/// Turns frames of base 64 into the bytes that they encode.
public final class Base64Decoder implements MessageDecoder<Buffer, Buffer> {
    private final Base64 alphabet;

    public Base64Decoder(Base64 alphabet) {
        this.alphabet = alphabet;
    }

    @Override
    public void decode(Buffer in, Consumer<? super Buffer> out) {
        try (in) {
            Buffer bytes = BufferAllocator.pooled().allocate(in.readableBytes());
            try {
                alphabet.decode(in, bytes);
            } catch (RuntimeException e) {
                bytes.release();
                throw e;
            }
            out.accept(bytes);
        }
    }
}
