package io.weft.http.http1;

import static io.weft.codec.DecoderException.quote;
import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.buffer.Buffer;
import io.weft.http.model.Status;

/// Looks for the ends of lines. Lines end with CR LF and with nothing else: a CR or LF alone, and
/// every other control but HTAB, is refused where it stands, before its line is whole (RFC 9112,
/// 2.2; CVE-2025-58056).
final class Lines {
    static final short CRLF = '\r' << 8 | '\n';
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    /// The value that [#end] returns if the line is not whole yet.
    static final int INCOMPLETE = -1;

    private Lines() {}

    /// The index of the CR that ends the line, if LF follows, or [#INCOMPLETE]; then [#resumeAt]
    /// says where to go on.
    ///
    /// @param from where no line end is known before
    /// @param last the last index at which the CR may be
    /// @param tooLong what is said when it is not there, with `limit`
    static int end(Buffer in, int from, int last, Limit tooLong, long limit) {
        int end = in.writeOffset();
        int to = Math.min(end, last);
        int i = from;
        while (true) {
            i = endOfText(in, i, to);
            if (i >= end) {
                return INCOMPLETE;
            }
            byte b = in.getByte(i);
            if (b == '\r') {
                if (i > last) {
                    throw tooLong.exceeded(limit);
                }
                if (i + 1 == end) {
                    return INCOMPLETE;
                }
                if (in.getByte(i + 1) != '\n') {
                    throw control(in, i);
                }
                return i;
            }
            if (i >= last) {
                throw tooLong.exceeded(limit);
            }
            if (b != '\t') {
                throw control(in, i);
            }
            i++;
        }
    }

    /// Returns the offset where the search for the end continues when more bytes have come: before
    /// a CR that may be its first half.
    static int resumeAt(Buffer in) {
        int end = in.writeOffset();
        return end > in.readOffset() && in.getByte(end - 1) == '\r' ? end - 1 : end;
    }

    /// Takes CR LF; false when it is not whole yet.
    static boolean takeCrlf(Buffer in) {
        int start = in.readOffset();
        int length = Math.min(2, in.readableBytes());
        // Said of the byte that is wrong alone, whatever has arrived behind it.
        for (int i = 0; i < length; i++) {
            if (in.getByte(start + i) != (i == 0 ? '\r' : '\n')) {
                throw badRequest(quote(in, start + i, start + i + 1) + " (expected: CR LF)");
            }
        }
        if (length == 2) {
            in.readOffset(start + 2);
        }
        return length == 2;
    }

    private static HttpDecodeException control(Buffer in, int at) {
        return new HttpDecodeException(
                Status.BAD_REQUEST,
                "control: " + quote(in, at, at + 1) + " (expected: text, ended by CR LF)");
    }

    /// The first control in [from, to), or `to`. Eight bytes at a time: a byte is below 0x20 where
    /// subtracting 0x20 borrows, and it is DEL where `word ^ 0x7f..` has a zero byte; the lowest
    /// hit of both is exact.
    private static int endOfText(Buffer in, int from, int to) {
        int i = from;
        for (; i <= to - 8; i += 8) {
            long word = in.getLongLE(i);
            long del = word ^ (0x7F * ONES);
            long found = (((word - 0x20 * ONES) & ~word) | ((del - ONES) & ~del)) & HIGHS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        for (; i < to; i++) {
            byte b = in.getByte(i);
            if ((b >= 0 && b < 0x20) || b == 0x7F) {
                return i;
            }
        }
        return i;
    }

    /// An element that can exceed its limit.
    record Limit(Status status, String what) {
        static final Limit REQUEST_LINE = new Limit(Status.URI_TOO_LONG, "request line bytes");
        static final Limit STATUS_LINE = new Limit(Status.BAD_GATEWAY, "status line bytes");
        static final Limit SECTION =
                new Limit(Status.REQUEST_HEADER_FIELDS_TOO_LARGE, "header section bytes");
        static final Limit FIELDS =
                new Limit(Status.REQUEST_HEADER_FIELDS_TOO_LARGE, "header fields");
        static final Limit CHUNK_LINE = new Limit(Status.BAD_REQUEST, "chunk line bytes");

        HttpDecodeException exceeded(long limit) {
            return new HttpDecodeException(
                    status, what + ": over " + limit + " (expected: at most " + limit + ")");
        }
    }
}
