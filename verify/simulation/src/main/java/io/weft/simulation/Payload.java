package io.weft.simulation;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;

/// Bytes that tell of themselves where they belong: each depends on its sender, its message and its
/// place there.
final class Payload {
    private Payload() {}

    static byte at(long key, int index) {
        long bits = (key + index) * 0x9E3779B97F4A7C15L;
        return (byte) (bits >>> 56);
    }

    static Buffer of(long key, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(key, i);
        }
        return BufferAllocator.pooled().allocate(length).writeBytes(bytes);
    }

    /// Tells if the readable bytes of `buffer` are those from `index` on.
    static boolean matches(Buffer buffer, long key, int index) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.getBytes(buffer.readOffset(), bytes, 0, bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != at(key, index + i)) {
                return false;
            }
        }
        return true;
    }
}
