package io.weft.codec.mqtt;

import io.weft.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Binary data of a packet that outlives its buffer: a password, a will's payload, correlation
/// data. Immutable, up to 65,535 bytes. Its text form tells the length only.
public final class Binary {
    public static final Binary EMPTY = new Binary(new byte[0]);

    final byte[] bytes;

    Binary(byte[] bytes) {
        this.bytes = bytes;
    }

    /// Copies `bytes`.
    ///
    /// @throws IllegalArgumentException when there are more than 65,535
    public static Binary of(byte[] bytes) {
        if (bytes.length > 0xFFFF) {
            throw new IllegalArgumentException(
                    "binary data bytes: " + bytes.length + " (expected: at most 65535)");
        }
        return bytes.length == 0 ? EMPTY : new Binary(bytes.clone());
    }

    /// The UTF-8 of `text`.
    ///
    /// @throws IllegalArgumentException when it has more than 65,535 bytes
    public static Binary of(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    public int length() {
        return bytes.length;
    }

    /// A copy.
    public byte[] toByteArray() {
        return bytes.clone();
    }

    /// The bytes as UTF-8.
    public String text() {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /// Appends the bytes to `to`.
    public void writeTo(Buffer to) {
        to.writeBytes(bytes);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Binary b && Arrays.equals(bytes, b.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " bytes";
    }
}
