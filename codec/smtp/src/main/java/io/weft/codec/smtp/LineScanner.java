package io.weft.codec.smtp;

import io.weft.buffer.Buffer;

/// Finds ends of lines, each byte looked at once. CRLF alone ends a line (RFC 5321, 2.3.8).
final class LineScanner {
    private static final byte CR = '\r';
    private static final byte LF = '\n';

    /// Readable bytes that hold no end.
    private int looked;

    /// Index of the CR of the first CRLF, or -1 when it has not come.
    ///
    /// @param limit bytes of the line with its CRLF
    /// @throws SmtpException for CR or LF alone, NUL and a longer line
    int endOfLine(Buffer in, int limit, String what) {
        int start = in.readOffset();
        int readable = in.readableBytes();
        int to = start + Math.min(readable, limit);
        for (int i = start + looked; i < to; i++) {
            byte b = in.getByte(i);
            if (b == CR) {
                if (i + 1 == to) {
                    break; // LF may follow
                }
                if (in.getByte(i + 1) != LF) {
                    throw bare("CR", what);
                }
                looked = 0;
                return i;
            }
            if (b == LF) {
                throw bare("LF", what);
            }
            if (b == 0) {
                throw bare("NUL", what);
            }
            looked = i + 1 - start;
        }
        if (readable >= limit) {
            // RFC 5321, 4.5.3.1.9
            throw new SmtpException(
                    500,
                    "5.5.2",
                    what + " bytes: more than " + limit + " (expected: at most " + limit + ")");
        }
        return -1;
    }

    private static SmtpException bare(String what, String where) {
        return new SmtpException(
                521, "5.5.2", what + " alone in a " + where + " (expected: lines end with CRLF)");
    }
}
