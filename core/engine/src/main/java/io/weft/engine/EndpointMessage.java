package io.weft.engine;

import io.weft.buffer.Buffer;

/// A message that streams of an [EndpointProvider] receive and send as a whole: bytes, with what
/// the provider's protocol says about them, such as a number of a stream within a connection.
///
/// The owner of a message owns its content. Closing the message releases the content, and so does
/// sending it. A stream that does not know the class of a message refuses it when it is written.
public interface EndpointMessage extends AutoCloseable {
    /// Returns the bytes, which count in writability and limits.
    Buffer content();

    @Override
    default void close() {
        content().release();
    }
}
