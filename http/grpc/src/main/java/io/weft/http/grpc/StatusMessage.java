package io.weft.http.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/// The text of `grpc-message`: UTF-8, of which all but printable ASCII is percent-encoded, and the
/// percent sign itself.
final class StatusMessage {
    /// Bytes of a text that are sent. Beyond it the field would not fit a common limit of fields.
    private static final int MAX_BYTES = 2048;

    private static final char[] HEX = "0123456789ABCDEF".toCharArray();

    private StatusMessage() {}

    /// Encodes a text, of which as many whole characters are taken as 2,048 bytes have room for.
    static String encode(String text) {
        StringBuilder out = new StringBuilder(text.length());
        int bytes = 0;
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            byte[] utf8 = Character.toString(point).getBytes(UTF_8);
            bytes += utf8.length;
            if (bytes > MAX_BYTES) {
                break;
            }
            boolean start = i == 0;
            i += Character.charCount(point);
            for (byte b : utf8) {
                append(out, b, start);
            }
        }
        // Not known before: the text may be cut behind any of its blanks.
        int last = out.length() - 1;
        if (last >= 0 && out.charAt(last) == ' ') {
            out.replace(last, last + 1, "%20");
        }
        return out.toString();
    }

    /// @param start whether it is the first: a blank at an end would be no part of a field's value
    private static void append(StringBuilder out, byte b, boolean start) {
        if (b >= ' ' && b <= '~' && b != '%' && !(b == ' ' && start)) {
            out.append((char) b);
        } else {
            out.append('%').append(HEX[(b >> 4) & 0xF]).append(HEX[b & 0xF]);
        }
    }

    /// Decodes a text. Malformed parts of it stay as they are: a status must not get lost by them.
    static String decode(String value) {
        if (value.indexOf('%') < 0 && value.chars().allMatch(c -> c < 0x80)) {
            return value;
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            int high =
                    c == '%' && i + 2 < value.length()
                            ? Character.digit(value.charAt(i + 1), 16)
                            : -1;
            int low = high >= 0 ? Character.digit(value.charAt(i + 2), 16) : -1;
            if (low >= 0) {
                out.write(high << 4 | low);
                i += 2;
            } else {
                out.write(c); // fields are one byte a character
            }
        }
        return out.toString(UTF_8);
    }
}
