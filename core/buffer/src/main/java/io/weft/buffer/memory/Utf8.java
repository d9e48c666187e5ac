package io.weft.buffer.memory;

import io.weft.ffi.Memory;

/// Encodes text in UTF-8 straight into memory (RFC 3629). A surrogate without its other half
/// becomes '?', as the JDK's encoder has it.
public final class Utf8 {
    /// A char takes at most three bytes: the characters that take four are two chars.
    public static final int MAX_BYTES_PER_CHAR = 3;

    private Utf8() {}

    /// @param to with room for [#MAX_BYTES_PER_CHAR] bytes a char, or for what [#length] said of an
    ///     immutable text
    /// @param length number of chars
    /// @return the address behind the last byte
    public static long encode(CharSequence text, int length, long to) {
        long p = to;
        int i = 0;
        for (; i <= length - 4; i += 4) {
            char first = text.charAt(i);
            char second = text.charAt(i + 1);
            char third = text.charAt(i + 2);
            char fourth = text.charAt(i + 3);
            if ((first | second | third | fourth) >= 0x80) {
                break;
            }
            Memory.putIntLE(
                    Memory.bounded(p), first | (second << 8) | (third << 16) | (fourth << 24));
            p += 4;
        }
        for (; i < length; i++) {
            char c = text.charAt(i);
            if (c < 0x80) {
                Memory.putByte(Memory.bounded(p), (byte) c);
                p++;
            } else if (c < 0x800) {
                int bytes = 0x80C0 | (c >> 6) | ((c & 0x3F) << 8);
                Memory.putShortLE(Memory.bounded(p), (short) bytes);
                p += 2;
            } else if (!Character.isSurrogate(c)) {
                int bytes = 0x8080E0 | (c >> 12) | ((c >> 6 & 0x3F) << 8) | ((c & 0x3F) << 16);
                if (i + 1 < length) { // whose first byte goes over the fourth one
                    Memory.putIntLE(Memory.bounded(p), bytes);
                } else {
                    Memory.putShortLE(Memory.bounded(p), (short) bytes);
                    Memory.putByte(Memory.bounded(p + 2), (byte) (bytes >> 16));
                }
                p += 3;
            } else {
                char low = lowAfter(text, i, length, c);
                if (low == 0) {
                    Memory.putByte(Memory.bounded(p), (byte) '?');
                    p++;
                } else {
                    int bits = Character.toCodePoint(c, low);
                    int bytes = 0x808080F0 | (bits >> 18) | ((bits >> 12 & 0x3F) << 8);
                    bytes |= ((bits >> 6 & 0x3F) << 16) | ((bits & 0x3F) << 24);
                    Memory.putIntLE(Memory.bounded(p), bytes);
                    p += 4;
                    i++;
                }
            }
        }
        return p;
    }

    /// The other half of the pair that begins with the surrogate `high` at `i`; 0 when there is
    /// none.
    private static char lowAfter(CharSequence text, int i, int length, char high) {
        if (Character.isHighSurrogate(high) && i + 1 < length) {
            char low = text.charAt(i + 1);
            return Character.isLowSurrogate(low) ? low : 0;
        }
        return 0;
    }

    /// Number of bytes that `text` takes.
    public static long length(String text) {
        int length = text.length();
        long bytes = length;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c >= 0x800) {
                if (!Character.isSurrogate(c)) {
                    bytes += 2;
                } else if (lowAfter(text, i, length, c) != 0) {
                    bytes += 2;
                    i++;
                }
            } else if (c >= 0x80) {
                bytes++;
            }
        }
        return bytes;
    }
}
