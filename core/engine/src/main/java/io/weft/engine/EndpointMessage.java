package io.weft.engine;

import io.weft.buffer.Buffer;

/// A message that streams of an [EndpointProvider] receive and send as a whole: bytes, with what
/// the provider's protocol says about them, such as a number of a stream within a connection.
///
/// Who has it owns the content; closing it releases that, and so does sending it. Streams that do
/// not know its class refuse it when it is written.
public interface EndpointMessage extends AutoCloseable {
    /// Returns the bytes, which count in writability and limits.
    Buffer content();

    @Override
    default void close() {
        content().release();
    }
}
