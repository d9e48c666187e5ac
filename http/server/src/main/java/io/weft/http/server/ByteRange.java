package io.weft.http.server;

import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A part of a representation that a request asks for (RFC 9110, 14).
///
/// @param first byte
/// @param last byte, which belongs to it
record ByteRange(long first, long last) {
    /// All of it: no range was asked for, or several, or one that is malformed or in another unit.
    /// A server may ignore ranges (14.2).
    static final ByteRange WHOLE = new ByteRange(0, -1);

    /// Bytes that the representation does not have.
    static final ByteRange UNSATISFIABLE = new ByteRange(-1, -1);

    private static final Pattern ONE = Pattern.compile("bytes=(\\d{0,18})-(\\d{0,18})");

    static ByteRange of(Headers headers, long size) {
        List<String> fields = headers.all(HeaderName.RANGE);
        Matcher m = ONE.matcher(fields.size() == 1 ? fields.getFirst() : "");
        if (!m.matches() || (m.group(1).isEmpty() && m.group(2).isEmpty())) {
            return WHOLE;
        }
        if (m.group(1).isEmpty()) {
            long suffix = Math.min(size, Long.parseLong(m.group(2)));
            return suffix == 0 ? UNSATISFIABLE : new ByteRange(size - suffix, size - 1);
        }
        long first = Long.parseLong(m.group(1));
        long last = m.group(2).isEmpty() ? Long.MAX_VALUE : Long.parseLong(m.group(2));
        if (last < first) {
            return WHOLE;
        }
        return first >= size ? UNSATISFIABLE : new ByteRange(first, Math.min(last, size - 1));
    }

    long length() {
        return last - first + 1;
    }
}
