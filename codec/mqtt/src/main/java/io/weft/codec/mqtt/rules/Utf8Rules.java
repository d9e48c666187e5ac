package io.weft.codec.mqtt.rules;

import io.weft.buffer.Buffer;
import java.nio.charset.StandardCharsets;

/// Rules of UTF-8 strings (MQTT 5.0, 1.5.4): well-formed, without surrogates and without U+0000, up
/// to 65,535 bytes.
public final class Utf8Rules {
    private static final long HIGH_BITS = 0x8080808080808080L;
    private static final long ONES = 0x0101010101010101L;

    private Utf8Rules() {}

    /// Index in [from, to) of the first byte that breaks the rules, or -1.
    public static int firstFault(Buffer in, int from, int to) {
        int i = from;
        while (i < to) {
            if (to - i >= 8) {
                long word = in.getLong(i);
                // ASCII without a zero byte, eight at a time.
                if (((word | (word - ONES)) & HIGH_BITS) == 0) {
                    i += 8;
                    continue;
                }
            }
            int length = sequence(in, i, to);
            if (length == 0) {
                return i;
            }
            i += length;
        }
        return -1;
    }

    /// Bytes of the character at `i`; 0 when it is ill-formed or U+0000.
    private static int sequence(Buffer in, int i, int to) {
        int first = in.getByte(i);
        if (first > 0) {
            return 1;
        }
        int lead = first & 0xFF;
        if (lead < 0xC2 || lead > 0xF4) {
            return 0;
        }
        int length = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (to - i < length) {
            return 0;
        }
        // The second byte keeps out overlong forms, surrogates and what is above U+10FFFF.
        int second = in.getByte(i + 1) & 0xFF;
        int low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        int high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        if (second < low || second > high) {
            return 0;
        }
        for (int k = 2; k < length; k++) {
            if ((in.getByte(i + k) & 0xC0) != 0x80) {
                return 0;
            }
        }
        return length;
    }

    /// Returns the bytes of `text`, checked.
    ///
    /// @throws IllegalArgumentException when it breaks the rules
    public static byte[] encode(String what, String text) {
        int length = length(what, text);
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        assert bytes.length == length;
        return bytes;
    }

    /// Returns the number of bytes of `text`, checked.
    ///
    /// @throws IllegalArgumentException when it breaks the rules
    public static int length(String what, String text) {
        int bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0) {
                throw new IllegalArgumentException(
                        what + ": U+0000 at " + i + " (expected: none, MQTT 5.0, 1.5.4)");
            }
            if (c < 0x80) {
                bytes++;
            } else if (c < 0x800) {
                bytes += 2;
            } else if (!Character.isSurrogate(c)) {
                bytes += 3;
            } else if (Character.isHighSurrogate(c)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                bytes += 4;
                i++;
            } else {
                throw new IllegalArgumentException(
                        what + ": half a surrogate pair at " + i + " (expected: whole ones)");
            }
            if (bytes > 0xFFFF) {
                throw new IllegalArgumentException(
                        what + ": more than 65535 bytes (expected: at most 65535)");
            }
        }
        return bytes;
    }
}
