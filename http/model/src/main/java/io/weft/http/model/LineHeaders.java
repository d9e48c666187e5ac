package io.weft.http.model;

import io.weft.buffer.Buffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Header fields as lines of bytes: those that were received. They become text when asked for.
final class LineHeaders extends Headers {
    /// For each field: start of the name; its end, and its id above; start of the value; its end.
    static final int MARKS = 4;

    private static final int MAX_CACHED = 64;
    private static final int POSITION = FieldSection.MAX_LENGTH;

    /// Whole field lines, each with its CR LF.
    private final byte[] bytes;

    private final int[] marks;

    /// True if each line is `name: value` exactly, so that the bytes can be sent as they are.
    private final boolean canonical;

    LineHeaders(byte[] bytes, int[] marks, long present, boolean canonical) {
        super(present);
        this.bytes = bytes;
        this.marks = marks;
        this.canonical = canonical;
    }

    @Override
    public int size() {
        return marks.length / MARKS;
    }

    @Override
    public HeaderName name(int field) {
        int id = marks[field * MARKS + 1] >>> 24;
        return id != 0
                ? HeaderName.byId(id)
                : HeaderName.of(ValueBytes.text(bytes, marks[field * MARKS], nameEnd(field)));
    }

    @Override
    public HeaderName name(int field, @Nullable HeaderName[] cache) {
        int start = marks[field * MARKS];
        int length = nameEnd(field) - start;
        if (marks[field * MARKS + 1] >>> 24 != 0 || length > MAX_CACHED) {
            return name(field);
        }
        int ends = Chars.lower(bytes[start]) * 31 + Chars.lower(bytes[start + length - 1]);
        int slot = (ends * 31 + length) & (cache.length - 1);
        HeaderName known = cache[slot];
        if (known == null || !nameIs(field, known.toString())) {
            known = name(field);
            cache[slot] = known;
        }
        return known;
    }

    @Override
    public @Nullable Field kept(int field) {
        return null;
    }

    @Override
    public String value(int field) {
        return ValueBytes.text(bytes, valueStart(field), valueEnd(field));
    }

    @Override
    public int valueLength(int field) {
        return valueEnd(field) - valueStart(field);
    }

    @Override
    public byte valueByte(int field, int index) {
        return bytes[valueStart(field) + Objects.checkIndex(index, valueLength(field))];
    }

    @Override
    public void copyValue(int field, byte[] to, int offset) {
        System.arraycopy(bytes, valueStart(field), to, offset, valueLength(field));
    }

    @Override
    public boolean valueIs(int field, String text) {
        return ValueBytes.equalsIgnoreCase(bytes, valueStart(field), valueEnd(field), text);
    }

    @Override
    public boolean valueIsAuthority(int field) {
        return Authority.isValid(bytes, valueStart(field), valueEnd(field), false);
    }

    @Override
    boolean listHas(int field, String token) {
        return ValueBytes.listHas(bytes, valueStart(field), valueEnd(field), token);
    }

    @Override
    public int indexOf(HeaderName name, int from) {
        if ((present & name.bit()) == 0) {
            return -1;
        }
        int size = size();
        for (int i = from; i < size; i++) {
            if (marks[i * MARKS + 1] >>> 24 == name.id
                    && (name.id != 0 || nameIs(i, name.toString()))) {
                return i;
            }
        }
        return -1;
    }

    @Override
    int indexOf(String name, int from) {
        int size = size();
        for (int i = from; i < size; i++) {
            if (nameIs(i, name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int sectionLength() {
        return bytes.length;
    }

    @Override
    public boolean isAt(Buffer in, int index) {
        return in.contentEquals(index, bytes, 0, bytes.length);
    }

    @Override
    public int linesAt(Buffer in, int index) {
        int equal = equalAt(in, index);
        int size = size();
        int lines = 0;
        while (lines < size && sectionLength(lines + 1) <= equal) {
            lines++;
        }
        return lines;
    }

    /// Returns how many of the first bytes are in `in` at `index`, in steps of eight but for all.
    private int equalAt(Buffer in, int index) {
        byte[] b = bytes;
        int to = Math.min(b.length, in.writeOffset() - index);
        int i = 0;
        while (i <= to - 8 && in.getLongLE(index + i) == (long) NameTable.LONG.get(b, i)) {
            i += 8;
        }
        while (i < to && in.getByte(index + i) == b[i]) {
            i++;
        }
        return i;
    }

    @Override
    public int sectionLength(int lines) {
        int at = lines * MARKS;
        return at == marks.length ? bytes.length : marks[at];
    }

    /// Copies the marks of the first `lines` lines.
    ///
    /// @return the names among them, as a set
    long copyMarks(int lines, int[] to) {
        System.arraycopy(marks, 0, to, 0, lines * MARKS);
        if (lines == size()) {
            return present;
        }
        long names = 0;
        for (int i = 0; i < lines; i++) {
            names |= HeaderName.bit(marks[i * MARKS + 1] >>> 24);
        }
        return names;
    }

    boolean isCanonical() {
        return canonical;
    }

    @Override
    public void writeTo(Buffer out) {
        if (canonical) {
            out.writeBytes(bytes);
            return;
        }
        for (int i = 0; i < size(); i++) {
            out.writeBytes(bytes, marks[i * MARKS], nameEnd(i) - marks[i * MARKS]);
            out.writeByte(':').writeByte(' ');
            out.writeBytes(bytes, valueStart(i), valueLength(i)).writeShort('\r' << 8 | '\n');
        }
    }

    @Override
    public HeadersBuilder toBuilder() {
        LineWriter lines = new LineWriter();
        for (int i = 0; i < size(); i++) {
            lines.append(name(i), bytes, valueStart(i), valueLength(i));
        }
        return new HeadersBuilder(lines);
    }

    private int nameEnd(int field) {
        return marks[field * MARKS + 1] & POSITION;
    }

    private int valueStart(int field) {
        return marks[field * MARKS + 2];
    }

    private int valueEnd(int field) {
        return marks[field * MARKS + 3];
    }

    private boolean nameIs(int field, String name) {
        return ValueBytes.equalsIgnoreCase(bytes, marks[field * MARKS], nameEnd(field), name);
    }
}
