package io.weft.codec.xml;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;

/// Makes strings of ASCII bytes, by way of an array that is kept, so that a string is copied once.
final class XmlStrings {
    private static final int FIRST = 64;
    private static final int MOST = 8_192;

    private byte[] bytes = {};

    String ascii(Buffer in, int from, int to) {
        int length = to - from;
        if (length > MOST) {
            return in.getString(from, length, ISO_8859_1);
        }
        if (length > bytes.length) {
            bytes = new byte[Math.max(FIRST, Integer.highestOneBit(length - 1) << 1)];
        }
        in.getBytes(from, bytes, 0, length);
        return new String(bytes, 0, length, ISO_8859_1);
    }
}
