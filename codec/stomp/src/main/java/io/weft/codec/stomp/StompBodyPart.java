package io.weft.codec.stomp;

import io.weft.buffer.Buffer;

/// Bytes of the body of the last [StompFrameStart]; where they are cut depends on how they arrive.
/// Owns them.
///
/// @param isLast the body ends with these, which may be none
public record StompBodyPart(Buffer bytes, boolean isLast) implements StompMessage, AutoCloseable {
    @Override
    public void close() {
        bytes.release();
    }
}
