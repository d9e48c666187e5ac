package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import java.util.Arrays;

/// Parses field lines (RFC 9112, 5): the bytes are copied once, each is looked at once, and nothing
/// else is made of them than where each field begins and ends.
final class FieldSection {
    /// Positions share an int with a name's id.
    static final int MAX_LENGTH = (1 << 24) - 1;

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;

    private final byte[] bytes;
    private int[] marks;
    private int fields;
    private long present;
    private boolean canonical = true;

    private FieldSection(byte[] bytes, int expectedFields) {
        this.bytes = bytes;
        this.marks = new int[expectedFields * LineHeaders.MARKS];
    }

    static Headers parse(Buffer in, int from, int to, int expectedFields) {
        return of(in, from, to, expectedFields).parse(0);
    }

    /// @param like begins with the same lines
    /// @param known how many these are
    static Headers parse(
            Buffer in, int from, int to, int expectedFields, LineHeaders like, int known) {
        FieldSection section = of(in, from, to, Math.max(expectedFields, known));
        section.present = like.copyMarks(known, section.marks);
        section.canonical = like.isCanonical();
        section.fields = known;
        return section.parse(like.sectionLength(known));
    }

    private static FieldSection of(Buffer in, int from, int to, int expectedFields) {
        if (to - from > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "header section: " + (to - from) + " (expected: at most " + MAX_LENGTH + ")");
        }
        byte[] bytes = new byte[to - from];
        in.getBytes(from, bytes, 0, bytes.length);
        return new FieldSection(bytes, expectedFields);
    }

    private Headers parse(int from) {
        int at = from;
        while (at < bytes.length) {
            at = line(at);
        }
        int used = fields * LineHeaders.MARKS;
        return Headers.ofLines(
                bytes,
                used == marks.length ? marks : Arrays.copyOf(marks, used),
                present,
                canonical);
    }

    private int line(int start) {
        byte[] b = bytes;
        int nameEnd = colon(b, start);
        int id = HeaderName.idOf(b, start, nameEnd);
        // No blank is allowed before the colon (RFC 9112, 5.1), nor at the start of a line (5.2).
        if (nameEnd == b.length || (id == 0 && !isToken(b, start, nameEnd))) {
            throw malformed("header line", start, "a token and a colon");
        }
        int valueStart = nameEnd + 1;
        while (valueStart < b.length && isBlank(b[valueStart])) {
            valueStart++;
        }
        int end = endOfText(b, valueStart, b.length);
        if (end + 1 >= b.length || b[end] != '\r' || b[end + 1] != '\n') {
            throw malformed("header line", start, "text without controls, then CR LF");
        }
        int valueEnd = end;
        while (valueEnd > valueStart && isBlank(b[valueEnd - 1])) {
            valueEnd--;
        }
        canonical &= valueEnd == end && valueStart == nameEnd + 2 && b[nameEnd + 1] == ' ';
        mark(start, nameEnd | id << 24, valueStart, valueEnd);
        present |= HeaderName.bit(id);
        return end + 2;
    }

    private void mark(int start, int nameEndAndId, int valueStart, int valueEnd) {
        int at = fields * LineHeaders.MARKS;
        if (at == marks.length) {
            marks = Arrays.copyOf(marks, Math.max(4 * LineHeaders.MARKS, at * 2));
        }
        marks[at] = start;
        marks[at + 1] = nameEndAndId;
        marks[at + 2] = valueStart;
        marks[at + 3] = valueEnd;
        fields++;
    }

    /// The first colon from `at` on, or the length. Not bounded by the line: without a colon there,
    /// parsing ends.
    private static int colon(byte[] b, int at) {
        int i = at;
        for (; i <= b.length - 8; i += 8) {
            long word = (long) NameTable.LONG.get(b, i) ^ (':' * ONES);
            long found = (word - ONES) & ~word & HIGHS;
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < b.length && b[i] != ':') {
            i++;
        }
        return i;
    }

    private static boolean isToken(byte[] b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (!Chars.is(Chars.TOKEN, b[i])) {
                return false;
            }
        }
        return from < to;
    }

    static boolean isBlank(byte b) {
        return b == ' ' || b == '\t';
    }

    /// Tells if [from, to) may be a field's value: no control but HTAB, no blank at either end.
    static boolean isValue(byte[] b, int from, int to) {
        return from == to || (!isBlank(b[from]) && !isBlank(b[to - 1]) && isText(b, from, to));
    }

    /// Tells if [from, to) has no control but HTAB. The last eight bytes are looked at together,
    /// some of them perhaps for the second time.
    private static boolean isText(byte[] b, int from, int to) {
        if (to - from < 8) {
            return endOfText(b, from, to) == to;
        }
        long found = 0;
        for (int i = from; i < to - 8; i += 8) {
            found |= controls((long) NameTable.LONG.get(b, i));
        }
        found |= controls((long) NameTable.LONG.get(b, to - 8));
        return (found & HIGHS) == 0 || endOfText(b, from, to) == to;
    }

    /// Sets the high bit of each byte of `word` that is a control, HTAB included. Above the
    /// lowest of these bits others may be set for bytes that are none; below it none is missing.
    private static long controls(long word) {
        long del = word ^ (0x7F * ONES);
        return ((word - 0x20 * ONES) & ~word) | ((del - ONES) & ~del);
    }

    /// The first control other than HTAB in [at, to), or `to`. Eight bytes at a time: a byte
    /// is below 0x20 where subtracting 0x20 borrows, and it is DEL where `word ^ 0x7f..` is zero.
    private static int endOfText(byte[] b, int at, int to) {
        int i = at;
        while (true) {
            while (i <= to - 8) {
                long found = controls((long) NameTable.LONG.get(b, i)) & HIGHS;
                if (found != 0) {
                    i += Long.numberOfTrailingZeros(found) >>> 3;
                    break;
                }
                i += 8;
            }
            while (i < to && (b[i] < 0 || (b[i] >= 0x20 && b[i] != 0x7F))) {
                i++;
            }
            if (i == to || b[i] != '\t') {
                return i;
            }
            i++;
        }
    }

    private IllegalArgumentException malformed(String what, int start, String expected) {
        int length = Math.min(60, bytes.length - start);
        String line = new String(bytes, start, length, ISO_8859_1);
        return new IllegalArgumentException(
                what + ": " + Chars.quote(line) + " (expected: " + expected + ")");
    }
}
