package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Input that came while a stream was paused. It is copied: all streams of an engine receive into
/// the same buffers, and a few clients that do not take their answers must not keep them from all
/// others.
final class HeldInput {
    private final ArrayDeque<Buffer> buffers = new ArrayDeque<>(2);

    /// Takes over `bytes`.
    ///
    /// @throws MemoryLimitException if a copy would exceed the limit; the bytes are gone then
    /// @throws OutOfMemoryError if the JVM has no memory for a copy; the bytes are gone then
    void add(Buffer bytes) {
        try (bytes) {
            Buffer copy = BufferAllocator.pooled().allocate(bytes.readableBytes());
            copy.writeBytes(bytes);
            buffers.add(copy);
        }
    }

    /// The oldest, which is the caller's then; null when there is none left.
    @Nullable Buffer next() {
        return buffers.poll();
    }

    boolean isEmpty() {
        return buffers.isEmpty();
    }

    /// Gives it all up.
    void release() {
        for (Buffer buffer; (buffer = buffers.poll()) != null; ) {
            buffer.release();
        }
    }
}
