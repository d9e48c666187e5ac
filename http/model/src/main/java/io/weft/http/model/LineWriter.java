package io.weft.http.model;

import java.util.Arrays;

/// Writes header fields one behind the other as lines, and remembers where each is.
final class LineWriter {
    private byte[] bytes = new byte[64];
    private int length;
    private int[] marks = new int[2 * LineHeaders.MARKS];
    private int fields;

    /// The [HeaderName#bit] of each name that was added.
    private long present;

    /// @param value checked
    void append(HeaderName name, byte[] value, int offset, int valueLength) {
        int start = length;
        int valueStart = start + name.lower.length + 2;
        int valueEnd = valueStart + valueLength;
        checkLength(valueEnd + 2L);
        if (valueEnd + 2 > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(valueEnd + 2, bytes.length * 2));
        }
        int at = fields * LineHeaders.MARKS;
        if (at == marks.length) {
            marks = Arrays.copyOf(marks, at * 2);
        }
        length = line(name, value, offset, valueLength, bytes, start);
        marks[at] = start;
        marks[at + 1] = (valueStart - 2) | name.id << 24;
        marks[at + 2] = valueStart;
        marks[at + 3] = valueEnd;
        present |= name.bit();
        fields++;
    }

    static void checkLength(long length) {
        if (length > FieldSection.MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "header section: "
                            + length
                            + " (expected: at most "
                            + FieldSection.MAX_LENGTH
                            + ")");
        }
    }

    /// Writes a line to `to`, and returns its end.
    static int line(HeaderName name, byte[] value, int offset, int length, byte[] to, int at) {
        byte[] lower = name.lower;
        System.arraycopy(lower, 0, to, at, lower.length);
        int nameEnd = at + lower.length;
        to[nameEnd] = ':';
        to[nameEnd + 1] = ' ';
        System.arraycopy(value, offset, to, nameEnd + 2, length);
        int end = nameEnd + 2 + length;
        to[end] = '\r';
        to[end + 1] = '\n';
        return end + 2;
    }

    void remove(HeaderName name) {
        if ((present & name.bit()) == 0) {
            return;
        }
        int kept = 0;
        int end = 0;
        for (int i = 0; i < fields; i++) {
            int at = i * LineHeaders.MARKS;
            int start = marks[at];
            int size = marks[at + 3] + 2 - start;
            if (!isNamed(at, name)) {
                int shift = start - end;
                System.arraycopy(bytes, start, bytes, end, size);
                for (int m = 0; m < LineHeaders.MARKS; m++) {
                    // The id above the position is left alone: positions do not fall below 0.
                    marks[kept * LineHeaders.MARKS + m] = marks[at + m] - shift;
                }
                kept++;
                end += size;
            }
        }
        fields = kept;
        length = end;
        present &= ~name.bit() | HeaderName.bit(0); // other names may share the last bit
    }

    private boolean isNamed(int at, HeaderName name) {
        int idAndEnd = marks[at + 1];
        int start = marks[at];
        int end = idAndEnd & FieldSection.MAX_LENGTH;
        return idAndEnd >>> 24 == name.id
                && (name.id != 0
                        || Arrays.equals(bytes, start, end, name.lower, 0, name.lower.length));
    }

    void clear() {
        fields = 0;
        length = 0;
        present = 0;
    }

    Headers build() {
        if (fields == 0) {
            return Headers.EMPTY;
        }
        return Headers.ofLines(
                Arrays.copyOf(bytes, length),
                Arrays.copyOf(marks, fields * LineHeaders.MARKS),
                present,
                true);
    }
}
