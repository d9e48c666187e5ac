package io.weft.codec.smtp;

import io.weft.buffer.Buffer;

/// Finds ends of lines, each byte looked at once. CRLF alone ends a line (RFC 5321, 2.3.8).
final class LineScanner {
    private static final byte CR = '\r';
    private static final byte LF = '\n';
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    /// Readable bytes that hold no end.
    private int looked;

    /// Tells if bytes of the line have been looked at.
    boolean hasLooked() {
        return looked > 0;
    }

    /// Index of the CR of the first CRLF, or -1 when it has not come.
    ///
    /// @param limit bytes of the line with its CRLF
    /// @throws SmtpException for CR or LF alone, NUL and a longer line
    int endOfLine(Buffer in, int limit, String what) {
        int start = in.readOffset();
        int readable = in.readableBytes();
        int to = start + Math.min(readable, limit);
        for (int i = start + looked; i < to; i++) {
            i = candidate(in, i, to);
            if (i == to) {
                looked = to - start;
                break;
            }
            byte b = in.getByte(i);
            if (b == CR) {
                if (i + 1 == to) {
                    looked = i - start; // LF may follow
                    break;
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

    /// Index in [from, to) of the first byte that is at most CR, as CR, LF and NUL are, or `to`.
    /// Eight bytes at a time: a byte is below a value where subtracting that borrows; the lowest
    /// hit is exact.
    static int candidate(Buffer in, int from, int to) {
        int i = from;
        for (; i <= to - 8; i += 8) {
            long word = in.getLongLE(i);
            long found = (word - (CR + 1) * ONES) & ~word & HIGHS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < to && (in.getByte(i) & 0xFF) > CR) {
            i++;
        }
        return i;
    }

    private static SmtpException bare(String what, String where) {
        return new SmtpException(
                521, "5.5.2", what + " alone in a " + where + " (expected: lines end with CRLF)");
    }
}
