package io.weft.http.model;

import io.weft.buffer.Buffer;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Header fields as objects: those that a program made.
final class FieldHeaders extends Headers {
    /// Seen whole by each thread that sees it.
    private static final class Written {
        final byte[] lines;

        Written(byte[] lines) {
            this.lines = lines;
        }
    }

    /// Goes over an array that does not change. Apart from the headers, so that compiled code keeps
    /// it in registers.
    private static final class Fields implements Iterator<Field> {
        private final Field[] fields;
        private final int size;
        private int next;

        Fields(Field[] fields, int size) {
            this.fields = fields;
            this.size = size;
        }

        @Override
        public boolean hasNext() {
            return next < size;
        }

        @Override
        public Field next() {
            int at = next;
            if (at >= size) {
                throw new NoSuchElementException("field " + at);
            }
            next = at + 1;
            return fields[at];
        }
    }

    /// Shared with the builder, which copies it before it changes what is here.
    private final Field[] fields;

    private final int size;
    private final int length;

    /// The hashes of names that came more than once, or look so: for builders.
    final long repeated;

    // Made when needed; several threads may make them at once, and any of theirs will do.
    private @Nullable FieldIndex index;
    private @Nullable Written written;
    private boolean wasWritten;

    /// @param length of the lines
    FieldHeaders(Field[] fields, int size, int length, long present, long repeated) {
        super(present);
        this.fields = fields;
        this.size = size;
        this.length = length;
        this.repeated = repeated;
    }

    @Override
    public int size() {
        return size;
    }

    private Field field(int field) {
        return fields[Objects.checkIndex(field, size)];
    }

    private byte[] octets(int field) {
        return field(field).octets();
    }

    @Override
    public Iterator<Field> iterator() {
        return new Fields(fields, size);
    }

    @Override
    public HeaderName name(int field) {
        return field(field).name();
    }

    @Override
    public HeaderName name(int field, @Nullable HeaderName[] cache) {
        return field(field).name();
    }

    @Override
    public Field kept(int field) {
        return field(field);
    }

    @Override
    public String value(int field) {
        return field(field).value();
    }

    @Override
    public int valueLength(int field) {
        return field(field).valueLength();
    }

    @Override
    public byte valueByte(int field, int index) {
        return octets(field)[index];
    }

    @Override
    public void copyValue(int field, byte[] to, int offset) {
        field(field).copyValue(to, offset);
    }

    @Override
    public boolean valueIs(int field, String text) {
        byte[] value = octets(field);
        return ValueBytes.equalsIgnoreCase(value, 0, value.length, text);
    }

    @Override
    public boolean valueIsAuthority(int field) {
        byte[] value = octets(field);
        return Authority.isValid(value, 0, value.length, false);
    }

    @Override
    boolean listHas(int field, String token) {
        byte[] value = octets(field);
        return ValueBytes.listHas(value, 0, value.length, token);
    }

    private FieldIndex index() {
        FieldIndex made = index;
        if (made == null) {
            made = new FieldIndex(fields, size);
            index = made;
        }
        return made;
    }

    @Override
    public @Nullable String first(HeaderName name) {
        if ((present & name.bit()) == 0) {
            return null; // the index may not be needed at all
        }
        Field field = index().find(name);
        return field == null ? null : field.value();
    }

    @Override
    public @Nullable String first(String name) {
        Field field = index().find(name);
        return field == null ? null : field.value();
    }

    @Override
    public int indexOf(HeaderName name, int from) {
        if ((present & name.bit()) != 0) {
            for (int i = from; i < size; i++) {
                if (fields[i].name().is(name)) {
                    return i;
                }
            }
        }
        return -1;
    }

    @Override
    int indexOf(String name, int from) {
        for (int i = from; i < size; i++) {
            if (fields[i].name().isSpelled(name)) {
                return i;
            }
        }
        return -1;
    }

    @Override
    public int sectionLength() {
        return length;
    }

    @Override
    public boolean isAt(Buffer in, int index) {
        return in.contentEquals(index, lines(), 0, length);
    }

    /// The first time field by field: most headers are written once.
    @Override
    public void writeTo(Buffer out) {
        if (wasWritten) {
            out.writeBytes(lines());
            return;
        }
        wasWritten = true;
        for (int i = 0; i < size; i++) {
            out.writeBytes(fields[i].name().lower);
            out.writeByte(':').writeByte(' ');
            out.writeBytes(fields[i].octets()).writeShort('\r' << 8 | '\n');
        }
    }

    private byte[] lines() {
        Written known = written;
        if (known == null) {
            byte[] lines = new byte[length];
            int at = 0;
            for (int i = 0; i < size; i++) {
                byte[] value = fields[i].octets();
                at = LineWriter.line(fields[i].name(), value, 0, value.length, lines, at);
            }
            known = new Written(lines);
            written = known;
        }
        return known.lines;
    }

    @Override
    public HeadersBuilder toBuilder() {
        return new HeadersBuilder(this, fields);
    }
}
