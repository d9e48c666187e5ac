package io.weft.http.server.exchange;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.Body;
import org.jspecify.annotations.Nullable;

/// Collects the body of one request after the other, up to a limit. Memory is taken for what has
/// arrived, never for what was announced.
final class RequestBody {
    private final int limit;
    private @Nullable Buffer bytes;

    RequestBody(int limit) {
        this.limit = limit;
    }

    boolean allows(long announced) {
        return announced <= limit;
    }

    int size() {
        return bytes == null ? 0 : bytes.readableBytes();
    }

    /// Takes a part, which is released. It is copied: a part of a slow upload must not hold a
    /// receive buffer.
    ///
    /// @return false when the body is longer than the limit
    boolean add(Buffer part) {
        try (part) {
            if (part.readableBytes() > limit - size()) {
                return false;
            }
            if (bytes == null) {
                bytes = BufferAllocator.pooled().allocate(part.readableBytes());
            }
            bytes.writeBytes(part);
            return true;
        }
    }

    /// The whole body; the next one begins.
    Body take() {
        Buffer whole = bytes;
        if (whole == null) {
            return Body.empty();
        }
        Body body = Body.of(whole);
        release();
        return body;
    }

    void release() {
        if (bytes != null) {
            bytes.release();
            bytes = null;
        }
    }
}
