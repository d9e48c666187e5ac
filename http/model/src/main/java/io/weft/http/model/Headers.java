package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Header fields in their order; a name may come more than once. Immutable, so any thread may use
/// it.
///
/// Names are tokens, values hold no control but HTAB and neither begin nor end with a blank; there
/// is no way to make headers that break this. The fields are kept as bytes and become text when
/// asked for. Finding a field neither allocates nor changes case. Text is one byte a character (ISO
/// 8859-1).
public final class Headers implements Iterable<Headers.Field> {
    /// One field, as iteration shows it.
    public record Field(HeaderName name, String value) {}

    public static final Headers EMPTY = new Headers(new byte[0], new int[0], 0, true);

    /// For each field: start of the name; its end, and its id above; start of the value; its end.
    static final int MARKS = 4;

    private static final int POSITION = FieldSection.MAX_LENGTH;

    /// Whole field lines, each with its CR LF.
    private final byte[] bytes;

    private final int[] marks;

    /// The [HeaderName#bit] of each name.
    private final long present;

    /// True if each line is `name: value` exactly, so that the bytes can be sent as they are.
    private final boolean canonical;

    Headers(byte[] bytes, int[] marks, long present, boolean canonical) {
        this.bytes = bytes;
        this.marks = marks;
        this.present = present;
        this.canonical = canonical;
    }

    /// Parses field lines, each ended by CR LF (RFC 9112, 5), from bytes [from, to) of `in`, which
    /// are copied.
    ///
    /// @param expectedFields how many lines there are, if known: saves a copy when right
    /// @throws IllegalArgumentException for any byte that has no place there
    public static Headers parse(Buffer in, int from, int to, int expectedFields) {
        return from == to ? EMPTY : FieldSection.parse(in, from, to, expectedFields);
    }

    public static HeadersBuilder builder() {
        return new HeadersBuilder();
    }

    /// @throws IllegalArgumentException when the name is no token, or the value has a forbidden
    ///     character
    public static Headers of(String name, String value) {
        return builder().add(name, value).build();
    }

    // ---- looking up ----

    public int size() {
        return marks.length / MARKS;
    }

    public boolean isEmpty() {
        return marks.length == 0;
    }

    /// The value of the first field with this name.
    public @Nullable String first(HeaderName name) {
        int field = indexOf(name, 0);
        return field < 0 ? null : value(field);
    }

    public @Nullable String first(String name) {
        int field = indexOf(name, 0);
        return field < 0 ? null : value(field);
    }

    public List<String> all(HeaderName name) {
        List<String> values = new ArrayList<>();
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            values.add(value(i));
        }
        return values;
    }

    public List<String> all(String name) {
        List<String> values = new ArrayList<>();
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            values.add(value(i));
        }
        return values;
    }

    public boolean contains(HeaderName name) {
        return indexOf(name, 0) >= 0;
    }

    public boolean contains(String name) {
        return indexOf(name, 0) >= 0;
    }

    /// Tells if a field with this name has `token`, in any case, in its comma-separated list.
    public boolean containsToken(HeaderName name, String token) {
        for (int i = indexOf(name, 0); i >= 0; i = indexOf(name, i + 1)) {
            if (listHas(i, token)) {
                return true;
            }
        }
        return false;
    }

    // ---- field by field, for wires; fields are numbered from 0 ----

    public HeaderName name(int field) {
        int id = marks[field * MARKS + 1] >>> 24;
        return id != 0
                ? HeaderName.byId(id)
                : HeaderName.of(text(marks[field * MARKS], nameEnd(field)));
    }

    public String value(int field) {
        return text(valueStart(field), valueEnd(field));
    }

    public int valueLength(int field) {
        return valueEnd(field) - valueStart(field);
    }

    public byte valueByte(int field, int index) {
        return bytes[valueStart(field) + Objects.checkIndex(index, valueLength(field))];
    }

    /// Tells if the value is `text`, in any case.
    public boolean valueIs(int field, String text) {
        return equalsIgnoreCase(valueStart(field), valueEnd(field), text);
    }

    /// Tells if the value is a host with an optional port, as Host has to be.
    public boolean valueIsAuthority(int field) {
        return Authority.isValid(bytes, valueStart(field), valueEnd(field), false);
    }

    /// The first field from `from` on that has this name, or -1.
    public int indexOf(HeaderName name, int from) {
        if ((present & name.bit()) == 0) {
            return -1;
        }
        for (int i = from; i < size(); i++) {
            if (marks[i * MARKS + 1] >>> 24 == name.id
                    && (name.id != 0 || nameIs(i, name.toString()))) {
                return i;
            }
        }
        return -1;
    }

    private int indexOf(String name, int from) {
        for (int i = from; i < size(); i++) {
            if (nameIs(i, name)) {
                return i;
            }
        }
        return -1;
    }

    /// Tells if one of these names may be present; false is certain. Costs nothing.
    public boolean mayContain(NameSet names) {
        return (present & names.bits) != 0;
    }

    // ---- bytes ----

    /// Length of the field lines in bytes.
    public int sectionLength() {
        return bytes.length;
    }

    /// Tells if `in` has exactly these field lines at `index`; they have to lie within its
    /// capacity.
    public boolean isAt(Buffer in, int index) {
        return in.contentEquals(index, bytes, 0, bytes.length);
    }

    /// Writes `name: value` and CR LF for each field.
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

    // ---- changed copies ----

    /// These headers with one field of this name; others of this name go.
    public Headers with(HeaderName name, String value) {
        return toBuilder().set(name, value).build();
    }

    public Headers with(String name, String value) {
        return with(HeaderName.of(name), value);
    }

    /// These headers and one field more.
    public Headers plus(HeaderName name, String value) {
        return toBuilder().add(name, value).build();
    }

    public Headers without(HeaderName name) {
        return contains(name) ? toBuilder().remove(name).build() : this;
    }

    public HeadersBuilder toBuilder() {
        HeadersBuilder builder = new HeadersBuilder();
        for (int i = 0; i < size(); i++) {
            builder.append(name(i), bytes, valueStart(i), valueLength(i));
        }
        return builder;
    }

    @Override
    public Iterator<Field> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size();
            }

            @Override
            public Field next() {
                if (next == size()) {
                    throw new NoSuchElementException("field " + next);
                }
                return new Field(name(next), value(next++));
            }
        };
    }

    // ---- bytes of a field ----

    private int nameEnd(int field) {
        return marks[field * MARKS + 1] & POSITION;
    }

    private int valueStart(int field) {
        return marks[field * MARKS + 2];
    }

    private int valueEnd(int field) {
        return marks[field * MARKS + 3];
    }

    private String text(int from, int to) {
        return new String(bytes, from, to - from, ISO_8859_1);
    }

    private boolean nameIs(int field, String name) {
        return equalsIgnoreCase(marks[field * MARKS], nameEnd(field), name);
    }

    private boolean equalsIgnoreCase(int from, int to, String text) {
        if (to - from != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Chars.lower(bytes[from + i] & 0xFF) != Chars.lower(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    private boolean listHas(int field, String token) {
        int end = valueEnd(field);
        int start = valueStart(field);
        for (int i = start; i <= end; i++) {
            if (i == end || bytes[i] == ',') {
                int from = start;
                int to = i;
                while (from < to && FieldSection.isBlank(bytes[from])) {
                    from++;
                }
                while (to > from && FieldSection.isBlank(bytes[to - 1])) {
                    to--;
                }
                if (equalsIgnoreCase(from, to, token)) {
                    return true;
                }
                start = i + 1;
            }
        }
        return false;
    }

    /// Tells if both have the same fields in the same order; names in any case.
    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof Headers that) || that.size() != size()) {
            return false;
        }
        for (int i = 0; i < size(); i++) {
            if (!name(i).equals(that.name(i)) || !value(i).equals(that.value(i))) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = 0;
        for (Field field : this) {
            hash = hash * 31 + field.hashCode();
        }
        return hash;
    }

    /// For people: the fields' names only, since values may be secrets.
    @Override
    public String toString() {
        List<HeaderName> names = new ArrayList<>();
        for (int i = 0; i < size(); i++) {
            names.add(name(i));
        }
        return "Headers" + names;
    }
}
