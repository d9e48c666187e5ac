package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Arrays;

/// Collects header fields. Every field goes through one private write, after its value was checked.
/// Not for use by several threads.
public final class HeadersBuilder {
    private byte[] bytes = new byte[64];
    private int length;
    private int[] marks = new int[2 * Headers.MARKS];
    private int fields;

    HeadersBuilder() {}

    /// Adds a field behind the others.
    ///
    /// @throws IllegalArgumentException when the value has a character above U+00FF or a control
    ///     other than HTAB, or begins or ends with a blank; the builder is as it was
    public HeadersBuilder add(HeaderName name, String value) {
        checkValue(name, value);
        byte[] latin = value.getBytes(ISO_8859_1);
        append(name, latin, 0, latin.length);
        return this;
    }

    /// @throws IllegalArgumentException when the name is no token, or for the value as above
    public HeadersBuilder add(String name, String value) {
        return add(HeaderName.of(name), value);
    }

    /// Adds the field in place of all others with this name.
    public HeadersBuilder set(HeaderName name, String value) {
        checkValue(name, value);
        return remove(name).add(name, value);
    }

    public HeadersBuilder set(String name, String value) {
        return set(HeaderName.of(name), value);
    }

    public HeadersBuilder remove(HeaderName name) {
        int kept = 0;
        int end = 0;
        for (int i = 0; i < fields; i++) {
            int at = i * Headers.MARKS;
            int start = marks[at];
            int size = marks[at + 3] + 2 - start;
            if (!isNamed(at, name)) {
                int shift = start - end;
                System.arraycopy(bytes, start, bytes, end, size);
                for (int m = 0; m < Headers.MARKS; m++) {
                    // The id above the position is left alone: positions do not fall below 0.
                    marks[kept * Headers.MARKS + m] = marks[at + m] - shift;
                }
                kept++;
                end += size;
            }
        }
        fields = kept;
        length = end;
        return this;
    }

    private boolean isNamed(int at, HeaderName name) {
        int end = marks[at + 1] & FieldSection.MAX_LENGTH;
        return Arrays.equals(bytes, marks[at], end, name.lower, 0, name.lower.length);
    }

    /// The builder may go on to be used.
    public Headers build() {
        if (fields == 0) {
            return Headers.EMPTY;
        }
        long present = 0;
        for (int i = 0; i < fields; i++) {
            present |= HeaderName.bit(marks[i * Headers.MARKS + 1] >>> 24);
        }
        return new Headers(
                Arrays.copyOf(bytes, length),
                Arrays.copyOf(marks, fields * Headers.MARKS),
                present,
                true);
    }

    private static void checkValue(HeaderName name, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < 0x20 && c != '\t') || c == 0x7F || c > 0xFF) {
                throw refused(name, value, "no control, nothing above U+00FF");
            }
        }
        if (!value.isEmpty()
                && (isBlank(value.charAt(0)) || isBlank(value.charAt(value.length() - 1)))) {
            throw refused(name, value, "no blank at either end");
        }
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static IllegalArgumentException refused(
            HeaderName name, String value, String expected) {
        return new IllegalArgumentException(
                name + ": " + Chars.quote(value) + " (expected: " + expected + ")");
    }

    /// The one write path: `value` was checked, by [#checkValue] or when it was parsed.
    void append(HeaderName name, byte[] value, int offset, int valueLength) {
        int start = length;
        int nameEnd = start + name.lower.length;
        int valueStart = nameEnd + 2;
        int valueEnd = valueStart + valueLength;
        if (valueEnd + 2 > FieldSection.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "header section: "
                            + (valueEnd + 2)
                            + " (expected: at most "
                            + FieldSection.MAX_LENGTH
                            + ")");
        }
        if (valueEnd + 2 > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(valueEnd + 2, bytes.length * 2));
        }
        int at = fields * Headers.MARKS;
        if (at == marks.length) {
            marks = Arrays.copyOf(marks, at * 2);
        }
        System.arraycopy(name.lower, 0, bytes, start, name.lower.length);
        bytes[nameEnd] = ':';
        bytes[nameEnd + 1] = ' ';
        System.arraycopy(value, offset, bytes, valueStart, valueLength);
        bytes[valueEnd] = '\r';
        bytes[valueEnd + 1] = '\n';
        marks[at] = start;
        marks[at + 1] = nameEnd | name.id << 24;
        marks[at + 2] = valueStart;
        marks[at + 3] = valueEnd;
        length = valueEnd + 2;
        fields++;
    }
}
