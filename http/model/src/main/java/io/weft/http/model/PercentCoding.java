package io.weft.http.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/// Decodes percent-encoded UTF-8 (RFC 3986, 2.1, and the form encoding of the WHATWG URL standard).
final class PercentCoding {
    private PercentCoding() {}

    /// Decodes characters [from, to) of `text`. A "%" that begins no two hex digits stays as it is,
    /// and bytes that are no UTF-8 become U+FFFD.
    ///
    /// @param plusIsSpace as in forms and queries
    static String decode(String text, int from, int to, boolean plusIsSpace) {
        int first = from;
        while (first < to && text.charAt(first) != '%' && !(plusIsSpace && isPlus(text, first))) {
            first++;
        }
        if (first == to) {
            return text.substring(from, to);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(to - from);
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            int high = c == '%' && i + 2 < to ? Character.digit(text.charAt(i + 1), 16) : -1;
            int low = high >= 0 ? Character.digit(text.charAt(i + 2), 16) : -1;
            if (low >= 0) {
                bytes.write(high << 4 | low);
                i += 2;
            } else if (c == '+' && plusIsSpace) {
                bytes.write(' ');
            } else if (c < 0x80) {
                bytes.write(c);
            } else {
                int end = Character.isHighSurrogate(c) && i + 1 < to ? i + 2 : i + 1;
                bytes.writeBytes(text.substring(i, end).getBytes(UTF_8));
                i = end - 1;
            }
        }
        return bytes.toString(UTF_8);
    }

    private static boolean isPlus(String text, int at) {
        return text.charAt(at) == '+';
    }
}
