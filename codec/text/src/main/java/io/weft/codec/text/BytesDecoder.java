package io.weft.codec.text;

import io.weft.buffer.Buffer;
import io.weft.codec.MessageDecoder;
import java.util.function.Consumer;

/// Turns frames into arrays.
public final class BytesDecoder implements MessageDecoder<Buffer, byte[]> {
    public BytesDecoder() {}

    @Override
    public void decode(Buffer in, Consumer<? super byte[]> out) {
        byte[] bytes = new byte[in.readableBytes()];
        in.readBytes(bytes);
        in.release();
        out.accept(bytes);
    }
}
