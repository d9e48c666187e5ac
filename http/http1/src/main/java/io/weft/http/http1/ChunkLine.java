package io.weft.http.http1;

import static io.weft.codec.DecoderException.quote;
import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.buffer.Buffer;
import io.weft.http.model.HeaderName;

/// `chunk-size [ chunk-ext ]` (RFC 9112, 7.1). The size is 1 to 16 hex digits, with no sign and no
/// blank anywhere. Extensions are checked, so that all recipients see the same end of the line, and
/// then ignored.
final class ChunkLine {
    static final int MAX_DIGITS = 16;

    private ChunkLine() {}

    /// The index behind the last digit.
    static int endOfSize(Buffer in, int from, int to) {
        int i = from;
        while (i < to && digit(in.getByte(i)) >= 0) {
            i++;
        }
        if (i == from || i - from > MAX_DIGITS) {
            throw malformed(in, from, to, "1 to 16 hex digits");
        }
        return i;
    }

    static long size(Buffer in, int from, int to) {
        long size = 0;
        for (int i = from; i < to; i++) {
            size = size << 4 | digit(in.getByte(i));
        }
        if (size < 0) {
            throw malformed(in, from, to, "below 2^63");
        }
        return size;
    }

    /// `*( ";" name [ "=" ( token / quoted-string ) ] )`, without the blanks that RFC 9112 calls
    /// bad.
    static void checkExtensions(Buffer in, int from, int to) {
        int i = from;
        while (i < to) {
            if (in.getByte(i) != ';') {
                throw malformed(in, from, to, "extensions begun by ;");
            }
            i = endOfToken(in, i + 1, to);
            if (i < to && in.getByte(i) == '=') {
                i++;
                i = i < to && in.getByte(i) == '"' ? endOfQuoted(in, i, to) : endOfToken(in, i, to);
            }
        }
    }

    private static int endOfToken(Buffer in, int from, int to) {
        int i = from;
        while (i < to && HeaderName.isTokenChar(in.getByte(i))) {
            i++;
        }
        if (i == from) {
            throw malformed(in, from, to, "a token");
        }
        return i;
    }

    /// The line has no controls but HTAB, so whatever stands between the quotes is allowed there.
    private static int endOfQuoted(Buffer in, int from, int to) {
        for (int i = from + 1; i < to; i++) {
            byte b = in.getByte(i);
            if (b == '"') {
                return i + 1;
            }
            if (b == '\\') {
                i++;
            }
        }
        throw malformed(in, from, to, "a closing quote");
    }

    private static int digit(byte b) {
        if (b >= '0' && b <= '9') {
            return b - '0';
        }
        int letter = b | 0x20;
        return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
    }

    private static HttpDecodeException malformed(Buffer in, int from, int to, String expected) {
        return badRequest("chunk: " + quote(in, from, to) + " (expected: " + expected + ")");
    }
}
