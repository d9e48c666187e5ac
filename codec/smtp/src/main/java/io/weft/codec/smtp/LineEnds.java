package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;

/// Ends of lines in texts that are not from the wire.
public final class LineEnds {
    private static final int CRLF = 0x0D0A;

    private LineEnds() {}

    /// A copy of `text`, which stays the caller's, with CRLF for each end of a line: for CR, LF and
    /// CRLF.
    public static Buffer toCrlf(byte[] text) {
        Buffer to = BufferAllocator.pooled().allocate(text.length + text.length / 16 + 16);
        int from = 0;
        for (int i = 0; i < text.length; i++) {
            if (text[i] != '\r' && text[i] != '\n') {
                continue;
            }
            to.writeBytes(text, from, i - from).writeShort(CRLF);
            if (text[i] == '\r' && i + 1 < text.length && text[i + 1] == '\n') {
                i++;
            }
            from = i + 1;
        }
        return to.writeBytes(text, from, text.length - from);
    }
}
