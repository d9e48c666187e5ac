package io.weft.codec.websocket;

import io.weft.buffer.Buffer;

/// The mask of a frame (RFC 6455, 5.3): byte i of the payload is XORed with byte i mod 4 of the
/// key.
///
/// Bytes are copied on the way, eight at a time. In place it would be no faster, as each byte is
/// loaded and stored anyway, and would change bytes that others may see.
final class Masking {
    private Masking() {}

    /// Appends `length` readable bytes of `from` to `to`, masked. They count as read.
    ///
    /// @param key as on the wire, big-endian; the first byte meets its highest one
    static void copy(Buffer from, int length, int key, Buffer to) {
        to.ensureWritable(length);
        int source = from.readOffset();
        int target = to.writeOffset();
        from.skipReadable(length);
        to.writeOffset(target + length);
        // The order of bytes in memory, so that nothing is reversed for each eight of them.
        int little = Integer.reverseBytes(key);
        long twice = (little & 0xFFFF_FFFFL) << 32 | (little & 0xFFFF_FFFFL);
        int i = 0;
        for (int end = length - 7; i < end; i += 8) {
            to.setLongLE(target + i, from.getLongLE(source + i) ^ twice);
        }
        for (; i < length; i++) {
            to.setByte(target + i, from.getByte(source + i) ^ little >>> ((i & 3) << 3));
        }
    }

    /// The key for what follows `length` bytes.
    static int after(int key, int length) {
        return Integer.rotateLeft(key, (length & 3) << 3);
    }
}
