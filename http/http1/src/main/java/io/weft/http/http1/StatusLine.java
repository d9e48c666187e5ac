package io.weft.http.http1;

import static io.weft.codec.DecoderException.quote;
import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.buffer.Buffer;
import io.weft.http.model.Status;
import io.weft.http.model.Version;

/// `HTTP-version SP status-code SP [ reason-phrase ]` (RFC 9112, 4). The space behind the code may
/// be missing where there is no reason: widely sent, and read by all in the same way. The reason is
/// ignored.
record StatusLine(Version version, Status status) {
    private static final long HTTP_1_0 = 0x48545450_2F312E30L;
    private static final long HTTP_1_1 = 0x48545450_2F312E31L;

    /// Length of `HTTP/1.1 200`.
    private static final int MIN_LENGTH = 12;

    private static final int CODE = 9;

    /// Parses bytes [from, to), a line that [Lines] has found.
    static StatusLine parse(Buffer in, int from, int to) {
        if (to - from < MIN_LENGTH
                || in.getByte(from + CODE - 1) != ' '
                || (to - from > MIN_LENGTH && in.getByte(from + MIN_LENGTH) != ' ')) {
            throw malformed(in, from, to);
        }
        long word = in.getLong(from);
        if (word != HTTP_1_1 && word != HTTP_1_0) {
            throw badRequest(
                    "version: "
                            + quote(in, from, from + CODE - 1)
                            + " (expected: HTTP/1.0 or HTTP/1.1)");
        }
        int code = 0;
        for (int i = from + CODE; i < from + MIN_LENGTH; i++) {
            int digit = in.getByte(i) - '0';
            if (digit < 0 || digit > 9) {
                throw malformed(in, from, to);
            }
            code = code * 10 + digit;
        }
        // RFC 9110, 15: a status outside of these classes is invalid.
        if (code < 100 || code > 599) {
            throw badRequest("status: " + code + " (expected: 100 to 599)");
        }
        return new StatusLine(
                word == HTTP_1_1 ? Version.HTTP_1_1 : Version.HTTP_1_0, Status.of(code));
    }

    private static HttpDecodeException malformed(Buffer in, int from, int to) {
        return badRequest(
                "status line: " + quote(in, from, to) + " (expected: version SP 3DIGIT SP reason)");
    }
}
