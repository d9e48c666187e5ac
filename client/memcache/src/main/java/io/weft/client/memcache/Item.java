package io.weft.client.memcache;

import io.weft.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/// A value of the cache.
///
/// **Ownership.** An item owns its value; its receiver calls [#close] once.
///
/// @param value its bytes, those that were received
/// @param flags that its writer chose
/// @param cas its version, for [Memcache#replaceIf]
public record Item(Buffer value, int flags, long cas) implements AutoCloseable {
    /// The value as text in UTF-8.
    public String text() {
        return value.getString(value.readOffset(), value.readableBytes(), StandardCharsets.UTF_8);
    }

    /// A copy of the value.
    public byte[] bytes() {
        byte[] bytes = new byte[value.readableBytes()];
        value.getBytes(value.readOffset(), bytes, 0, bytes.length);
        return bytes;
    }

    /// Releases the value.
    @Override
    public void close() {
        value.release();
    }

    /// The length, the flags and the version: a value may be a secret.
    @Override
    public String toString() {
        return "Item[" + value.readableBytes() + " bytes, flags " + flags + ", cas " + cas + "]";
    }
}
