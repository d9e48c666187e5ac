package io.weft.http.http2;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.buffer.Buffer;

/// The bytes that a client's side of a connection begins with (RFC 9113, 3.4).
public final class Preface {
    private static final byte[] BYTES = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(US_ASCII);

    /// Bytes of it.
    public static final int LENGTH = 24;

    private Preface() {}

    static void write(Buffer out) {
        out.writeBytes(BYTES);
    }

    /// Compares the readable bytes with the preface; nothing is read.
    ///
    /// @return the bytes of it that are there, up to 24; -1 when there are others
    public static int match(Buffer in) {
        int length = Math.min(in.readableBytes(), BYTES.length);
        for (int i = 0; i < length; i++) {
            if (in.getByte(in.readOffset() + i) != BYTES[i]) {
                return -1;
            }
        }
        return length;
    }
}
