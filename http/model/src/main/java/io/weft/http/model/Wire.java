package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;

/// Text in buffers, one byte a character.
final class Wire {
    private Wire() {}

    static String text(Buffer in, int from, int to) {
        byte[] bytes = new byte[to - from];
        in.getBytes(from, bytes, 0, bytes.length);
        return new String(bytes, ISO_8859_1);
    }

    static boolean equals(Buffer in, int from, int length, String text) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if ((in.getByte(from + i) & 0xFF) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }
}
