package io.weft.http.http1;

import static io.weft.codec.DecoderException.quote;
import static io.weft.http.http1.HttpDecodeException.badRequest;

import io.weft.buffer.Buffer;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import org.jspecify.annotations.Nullable;

/// `method SP request-target SP HTTP-version` (RFC 9112, 3), with one space at each place and none
/// elsewhere.
record RequestLine(Method method, RequestTarget target, Version version) {
    private static final int GET = 'G' << 24 | 'E' << 16 | 'T' << 8 | ' ';
    private static final long HTTP_1_0 = 0x48545450_2F312E30L;
    private static final long HTTP_1_1 = 0x48545450_2F312E31L;
    private static final int VERSION_LENGTH = 8;
    private static final int MIN_LENGTH = 3 + VERSION_LENGTH + 1;

    /// Parses bytes [from, to), a line that [Lines] has found.
    ///
    /// @param before the request line before, which is returned when this one says the same
    static RequestLine parse(Buffer in, int from, int to, @Nullable RequestLine before) {
        int versionAt = to - VERSION_LENGTH;
        if (to - from < MIN_LENGTH || in.getByte(versionAt - 1) != ' ') {
            throw malformed(in, from, to);
        }
        long word = in.getLong(versionAt);
        Version version =
                word == HTTP_1_1
                        ? Version.HTTP_1_1
                        : word == HTTP_1_0 ? Version.HTTP_1_0 : otherVersion(in, from, to);
        int methodEnd = in.getInt(from) == GET ? from + 3 : endOfToken(in, from, versionAt - 1);
        int targetEnd = versionAt - 1;
        if (methodEnd == from || in.getByte(methodEnd) != ' ' || methodEnd + 1 >= targetEnd) {
            throw malformed(in, from, to);
        }
        try {
            Method method = Method.parse(in, from, methodEnd);
            RequestTarget target =
                    before != null && before.target.isAt(in, methodEnd + 1, targetEnd)
                            ? before.target
                            : RequestTarget.parse(in, methodEnd + 1, targetEnd);
            if (before != null
                    && target == before.target
                    && method == before.method
                    && version == before.version) {
                return before;
            }
            checkForm(method, target);
            return new RequestLine(method, target, version);
        } catch (IllegalArgumentException e) {
            throw badRequest(String.valueOf(e.getMessage()));
        }
    }

    /// Returns the line at `from` if it is whole, as long as this one, and differs in the target at
    /// most, as those of a client that asks for the same again, or for the next of many; else null.
    @Nullable RequestLine again(Buffer in, int from) {
        int targetAt = from + method.name().length() + 1;
        int targetEnd = targetAt + target.toString().length();
        int end = targetEnd + 1 + VERSION_LENGTH;
        boolean same =
                end + 2 <= in.writeOffset()
                        && in.getShort(end) == Lines.CRLF
                        && in.getLong(end - VERSION_LENGTH) == word(version)
                        && in.getByte(targetEnd) == ' '
                        && (method == Method.GET
                                ? in.getInt(from) == GET
                                : in.getByte(targetAt - 1) == ' '
                                        && method.isAt(in, from, targetAt - 1));
        if (!same) {
            return null;
        }
        if (target.isAt(in, targetAt, targetEnd)) {
            return this;
        }
        try {
            RequestTarget other = RequestTarget.parse(in, targetAt, targetEnd);
            checkForm(method, other);
            return new RequestLine(method, other, version);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// Returns the number of its bytes, CR LF included.
    int length() {
        return method.name().length() + target.toString().length() + 2 + VERSION_LENGTH + 2;
    }

    private static long word(Version version) {
        return version == Version.HTTP_1_1 ? HTTP_1_1 : HTTP_1_0;
    }

    private static int endOfToken(Buffer in, int from, int to) {
        int i = from;
        while (i < to && HeaderName.isTokenChar(in.getByte(i))) {
            i++;
        }
        return i;
    }

    /// Checks that the method goes with the form of the target (RFC 9112, 3.2.3 and 3.2.4).
    ///
    /// @throws IllegalArgumentException if it does not
    static void checkForm(Method method, RequestTarget target) {
        boolean fits =
                switch (target.form()) {
                    case ORIGIN, ABSOLUTE -> method != Method.CONNECT;
                    case AUTHORITY -> method == Method.CONNECT;
                    case ASTERISK -> method == Method.OPTIONS;
                };
        if (!fits) {
            throw new IllegalArgumentException(
                    method
                            + " with target form "
                            + target.form()
                            + " (expected: host:port for CONNECT only, * for OPTIONS only)");
        }
    }

    private static Version otherVersion(Buffer in, int from, int to) {
        int at = to - VERSION_LENGTH;
        boolean http =
                in.getInt(at) == (int) (HTTP_1_1 >>> 32)
                        && in.getByte(at + 4) == '/'
                        && isDigit(in.getByte(at + 5))
                        && in.getByte(at + 6) == '.'
                        && isDigit(in.getByte(at + 7));
        if (!http) {
            throw malformed(in, from, to);
        }
        throw new HttpDecodeException(
                Status.HTTP_VERSION_NOT_SUPPORTED,
                "version: " + quote(in, at, to) + " (expected: HTTP/1.0 or HTTP/1.1)");
    }

    private static boolean isDigit(byte b) {
        return b >= '0' && b <= '9';
    }

    private static HttpDecodeException malformed(Buffer in, int from, int to) {
        return badRequest(
                "request line: "
                        + quote(in, from, to)
                        + " (expected: method SP target SP version)");
    }
}
