package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import org.jspecify.annotations.Nullable;

/// Memory for input beside the ring's buffers, as long as there is some.
final class SpareMemory {
    private SpareMemory() {}

    /// Null when there is no memory.
    static @Nullable Buffer allocate(int size) {
        try {
            return BufferAllocator.pooled().allocate(size);
        } catch (MemoryLimitException | OutOfMemoryError e) {
            return null;
        }
    }

    /// Null when there is no memory. The caller keeps `bytes`.
    static @Nullable Buffer copy(Buffer bytes) {
        Buffer copy = allocate(bytes.readableBytes());
        return copy == null ? null : copy.writeBytes(bytes);
    }
}
