package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.http.model.Headers.Field;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Collects header fields. The value of every field is checked. Not for use by several threads.
public final class HeadersBuilder {
    private static final int FIRST_SIZE = 8;
    private static final int MAX_FIRST_SIZE = 64;
    private static final Field[] NO_FIELDS = {};

    /// Set when fields come as bytes, from the first of them on: then the others are null.
    private @Nullable LineWriter lines;

    private Field[] fields = NO_FIELDS;

    /// Of the array, with fields that are removed.
    private int size;

    /// The bits of fields that are removed and still in the array: of the first 64.
    private long removed;

    /// Of the array when it is made: as many fields as the headers before had.
    private int capacity = FIRST_SIZE;

    private int length; // of the lines
    private long present; // HeaderName.bit of each name

    // The hashes of all names, and of those that came more than once or look so.
    private long once;
    private long twice;

    /// Headers that have the array as well, so that it is copied before a change.
    private @Nullable Headers shared;

    HeadersBuilder() {}

    HeadersBuilder(LineWriter lines) {
        this.lines = lines;
    }

    HeadersBuilder(FieldHeaders headers, Field[] fields) {
        this.shared = headers;
        this.fields = fields;
        this.size = headers.size();
        this.length = headers.sectionLength();
        this.present = headers.present;
        this.once = -1;
        this.twice = headers.repeated;
    }

    /// Adds a field behind the others.
    ///
    /// @throws IllegalArgumentException when the value has a character above U+00FF or a control
    ///     other than HTAB, or begins or ends with a blank; the builder is as it was
    public HeadersBuilder add(HeaderName name, String value) {
        return add(FieldValues.of(name, value));
    }

    /// Adds a field behind the others.
    public HeadersBuilder add(Field field) {
        LineWriter writer = lines;
        if (writer == null) {
            append(field);
        } else {
            byte[] octets = field.octets();
            writer.append(field.name(), octets, 0, octets.length);
        }
        return this;
    }

    /// Adds a field whose value is `length` bytes of `value` from `offset` on, which are copied.
    /// For wires: nothing is made of them but the field.
    ///
    /// @throws IllegalArgumentException for the value as above; the builder is as it was
    public HeadersBuilder add(HeaderName name, byte[] value, int offset, int length) {
        if (!addIfValid(name, value, offset, length)) {
            throw FieldValues.refused(
                    name,
                    new String(value, offset, length, ISO_8859_1),
                    "no control, no blank at either end");
        }
        return this;
    }

    /// Adds a field as [#add(HeaderName, byte[], int, int)] does, if its value may be one.
    ///
    /// @return false when the value is invalid; the builder is as it was
    public boolean addIfValid(HeaderName name, byte[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        if (!FieldSection.isValue(value, offset, offset + length)) {
            return false;
        }
        if (lines == null && size == 0) {
            lines = new LineWriter();
        }
        LineWriter writer = lines;
        if (writer == null) {
            byte[] octets = Arrays.copyOfRange(value, offset, offset + length);
            append(new Field(name, new String(octets, ISO_8859_1), octets));
        } else {
            writer.append(name, value, offset, length);
        }
        return true;
    }

    /// @throws IllegalArgumentException when the name is no token, or for the value as above
    public HeadersBuilder add(String name, String value) {
        return add(HeaderName.of(name), value);
    }

    /// Adds the field in place of all others with this name.
    public HeadersBuilder set(HeaderName name, String value) {
        Field field = FieldValues.of(name, value);
        return remove(name).add(field);
    }

    public HeadersBuilder set(String name, String value) {
        return set(HeaderName.of(name), value);
    }

    public HeadersBuilder remove(HeaderName name) {
        if (lines != null) {
            lines.remove(name);
            return this;
        }
        if ((present & name.bit()) == 0 || (once & hashBit(name)) == 0) {
            return this;
        }
        if (size > Long.SIZE) {
            removeMany(name);
            return this;
        }
        boolean single = (twice & hashBit(name)) == 0;
        for (long left = left(); left != 0; left &= left - 1) {
            int at = Long.numberOfTrailingZeros(left);
            if (fields[at].name().is(name)) {
                removed |= 1L << at;
                length -= lineLength(fields[at]);
                if (single) {
                    break;
                }
            }
        }
        return this;
    }

    /// Returns the bits of fields that are not removed.
    private long left() {
        return size == 0 ? 0 : ~removed & (-1L >>> (Long.SIZE - size));
    }

    /// Of more fields than [#removed] has bits, none of which is set then: an append clears them.
    private void removeMany(HeaderName name) {
        own(size);
        int kept = 0;
        for (int i = 0; i < size; i++) {
            Field field = fields[i];
            if (field.name().is(name)) {
                length -= lineLength(field);
            } else {
                fields[kept++] = field;
            }
        }
        Arrays.fill(fields, kept, size, null);
        size = kept;
    }

    /// Leaves removed fields out of the array.
    private void compact() {
        if (removed == 0) {
            return;
        }
        Field[] to = shared == null ? fields : new Field[Math.max(size, FIRST_SIZE)];
        int kept = 0;
        for (long left = left(); left != 0; left &= left - 1) {
            to[kept++] = fields[Long.numberOfTrailingZeros(left)];
        }
        if (shared == null) {
            Arrays.fill(to, kept, size, null);
        }
        shared = null;
        fields = to;
        size = kept;
        removed = 0;
    }

    /// Removes all fields. What the builder has grown to is kept, so that the next headers are made
    /// without growing.
    public HeadersBuilder clear() {
        if (lines != null) {
            lines.clear();
        }
        if (shared != null) {
            shared = null;
            fields = NO_FIELDS;
            capacity = Math.clamp(size, FIRST_SIZE, MAX_FIRST_SIZE);
        }
        size = 0;
        removed = 0;
        length = 0;
        present = 0;
        once = 0;
        twice = 0;
        return this;
    }

    /// The builder may go on to be used.
    public Headers build() {
        if (lines != null) {
            return lines.build();
        }
        compact();
        if (size == 0) {
            return Headers.EMPTY;
        }
        Headers made = shared;
        if (made == null) {
            made = Headers.ofFields(fields, size, length, present, twice);
            shared = made;
        }
        return made;
    }

    // ---- fields as objects ----

    private void append(Field field) {
        int line = lineLength(field);
        LineWriter.checkLength((long) length + line);
        compact();
        own(size + 1);
        fields[size] = field;
        size++;
        length += line;
        HeaderName name = field.name();
        present |= name.bit();
        long bit = hashBit(name);
        twice |= once & bit;
        once |= bit;
    }

    private static long hashBit(HeaderName name) {
        return 1L << name.hash;
    }

    private static int lineLength(Field field) {
        return field.name().lower.length + field.value().length() + 4;
    }

    /// Makes the array the builder's own, with room for `needed` fields.
    private void own(int needed) {
        if (shared != null || needed > fields.length) {
            int wanted =
                    needed <= fields.length
                            ? Math.max(needed, FIRST_SIZE)
                            : Math.max(capacity, fields.length * 2);
            fields = Arrays.copyOf(fields, wanted);
            shared = null;
        }
    }
}
