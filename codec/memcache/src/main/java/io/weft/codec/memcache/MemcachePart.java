package io.weft.codec.memcache;

import io.weft.buffer.Buffer;

/// A message, or a part of the value of the message before it, which was too long to come whole.
public sealed interface MemcachePart extends AutoCloseable
        permits BinaryMessage, TextMessage, MemcachePart.ValueChunk, MemcachePart.ValueEnd {
    /// Some of a value.
    ///
    /// @param content which the chunk owns
    record ValueChunk(Buffer content) implements MemcachePart {
        @Override
        public void close() {
            content.release();
        }
    }

    /// The end of a value that came in chunks.
    record ValueEnd() implements MemcachePart {
        public static final ValueEnd END = new ValueEnd();
    }

    /// Releases the buffers inside.
    @Override
    default void close() {}
}
