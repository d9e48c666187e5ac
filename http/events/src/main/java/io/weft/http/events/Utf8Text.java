package io.weft.http.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.codec.Utf8Check;

/// Text of bytes that may not be UTF-8, decoded as WHATWG Encoding, 8.1.1 has it. The JDK makes one
/// U+FFFD of a surrogate's three bytes, where that makes three.
final class Utf8Text {
    private static final char REPLACEMENT = '\uFFFD';

    private final StringBuilder text;

    /// Bytes that the current character still needs, and its bits so far.
    private int missing;

    private int bits;

    /// The range of the next one of them.
    private int min = 0x80;

    private int max = 0xBF;

    private Utf8Text(int length) {
        text = new StringBuilder(length);
    }

    /// Decodes bytes [from, to) of `in`.
    static String decode(Buffer in, int from, int to) {
        Utf8Check check = new Utf8Check();
        if (check.check(in, from, to) < 0 && check.isWhole()) {
            return in.getString(from, to - from, UTF_8);
        }
        Utf8Text decoded = new Utf8Text(to - from);
        for (int i = from; i < to; i++) {
            decoded.take(in.getUnsignedByte(i));
        }
        if (decoded.missing > 0) {
            decoded.text.append(REPLACEMENT);
        }
        return decoded.text.toString();
    }

    private void take(int b) {
        if (missing > 0 && (b < min || b > max)) {
            // What came so far is one replacement, and the byte begins anew.
            missing = 0;
            text.append(REPLACEMENT);
        }
        if (missing == 0) {
            begin(b);
            return;
        }
        bits = (bits << 6) | (b & 0x3F);
        min = 0x80;
        max = 0xBF;
        if (--missing == 0) {
            text.appendCodePoint(bits);
        }
    }

    private void begin(int b) {
        if (b < 0x80) {
            text.append((char) b);
        } else if (b < 0xC2 || b > 0xF4) {
            text.append(REPLACEMENT);
        } else {
            min = b == 0xE0 ? 0xA0 : b == 0xF0 ? 0x90 : 0x80;
            max = b == 0xED ? 0x9F : b == 0xF4 ? 0x8F : 0xBF;
            missing = b < 0xE0 ? 1 : b < 0xF0 ? 2 : 3;
            bits = b & (0x3F >> missing);
        }
    }
}
