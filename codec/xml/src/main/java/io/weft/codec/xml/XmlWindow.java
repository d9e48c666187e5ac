package io.weft.codec.xml;

import io.weft.buffer.Buffer;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/// A part of the input, copied into an array, where bytes are looked at several times. It holds
/// until the input changes.
final class XmlWindow {
    /// Bytes that are copied at a time, and capacity that is kept.
    private static final int SIZE = 8_192;

    private static final int LEAST = 64;

    /// Behind the last byte, so that a word can be read from any.
    private static final int SPARE = Long.BYTES;

    private static final byte[] NONE = {};

    private static final VarHandle WORDS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = NONE;
    private int base;
    private int limit;

    /// Word at `index`; the first byte is the lowest.
    static long word(byte[] bytes, int index) {
        return (long) WORDS.get(bytes, index);
    }

    /// The input has changed.
    void forget() {
        base = 0;
        limit = 0;
    }

    /// Gives up what is larger than needed mostly.
    void shrink() {
        if (bytes.length > SIZE + SPARE) {
            bytes = NONE;
            forget();
        }
    }

    /// Has the bytes of `in` from `from` up to `need` at least, and none from `to` on.
    ///
    /// @return the index of the first
    int cover(Buffer in, int from, int need, int to) {
        return from >= base && need <= limit ? from - base : fill(in, from, need, to);
    }

    /// As `cover`, with as many bytes behind the first as fit.
    int fill(Buffer in, int from, int need, int to) {
        int length = Math.min(to - from, Math.max(need - from, SIZE));
        if (bytes.length < length + SPARE) {
            int capacity = Math.max(LEAST, Integer.highestOneBit(Math.max(1, length - 1)) << 1);
            bytes = new byte[Math.max(capacity, length) + SPARE];
        }
        in.getBytes(from, bytes, 0, length);
        base = from;
        limit = from + length;
        return 0;
    }

    byte[] bytes() {
        return bytes;
    }

    /// Index behind the last byte.
    int end() {
        return limit - base;
    }

    /// Offset in the input of the byte at `index`.
    int offset(int index) {
        return base + index;
    }
}
