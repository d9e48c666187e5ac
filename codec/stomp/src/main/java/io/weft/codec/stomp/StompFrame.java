package io.weft.codec.stomp;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;

/// A whole frame. Owns its body: its consumer closes it, or takes the body over.
public record StompFrame(StompCommand command, StompHeaders headers, Buffer body)
        implements StompMessage, AutoCloseable {
    /// Returns a frame without a body.
    ///
    /// @param headers names and values in turns
    public static StompFrame of(StompCommand command, String... headers) {
        return new StompFrame(
                command, StompHeaders.of(headers), BufferAllocator.pooled().allocate(0));
    }

    /// Releases the body.
    @Override
    public void close() {
        body.release();
    }
}
