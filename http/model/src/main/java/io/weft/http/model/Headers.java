package io.weft.http.model;

import io.weft.buffer.Buffer;
import java.nio.charset.StandardCharsets;
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
/// is no way to make headers that break this. Received fields are kept as bytes and become text
/// when asked for; those of a builder are objects with both. Finding a field neither allocates nor
/// changes case. Text is one byte a character (ISO 8859-1).
public abstract sealed class Headers implements Iterable<Headers.Field>
        permits FieldHeaders, LineHeaders {
    /// One field. Immutable, and equal to another one with the same name and value.
    public static final class Field {
        private final HeaderName name;
        private final String value;
        private final byte @Nullable [] octets;

        /// @throws IllegalArgumentException when the value has a character above U+00FF or a
        ///     control other than HTAB, or begins or ends with a blank
        public Field(HeaderName name, String value) {
            this(name, value, FieldValues.checked(name, value));
        }

        /// @param octets of the value, checked, and never changed; null to make them when needed
        Field(HeaderName name, String value, byte @Nullable [] octets) {
            this.name = name;
            this.value = value;
            this.octets = octets;
        }

        public HeaderName name() {
            return name;
        }

        public String value() {
            return value;
        }

        /// Returns the bytes of the value.
        public int valueLength() {
            return value.length();
        }

        /// Copies the value to `to` from `offset` on.
        ///
        /// @throws IndexOutOfBoundsException when there is no room for [#valueLength]
        public void copyValue(byte[] to, int offset) {
            byte[] from = octets();
            System.arraycopy(from, 0, to, offset, from.length);
        }

        byte[] octets() {
            return octets == null ? value.getBytes(StandardCharsets.ISO_8859_1) : octets;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return this == other
                    || (other instanceof Field that
                            && name.equals(that.name)
                            && value.equals(that.value));
        }

        @Override
        public int hashCode() {
            return name.hashCode() * 31 + value.hashCode();
        }

        /// For people: the name only, since the value may be a secret.
        @Override
        public String toString() {
            return "Field[" + name + "]";
        }
    }

    public static final Headers EMPTY = ofLines(new byte[0], new int[0], 0, true);

    /// The [HeaderName#bit] of each name, and perhaps of others.
    final long present;

    Headers(long present) {
        this.present = present;
    }

    // The only places that make headers: so this class is initialized before those that extend it,
    // and two threads cannot wait for each other in that.

    static Headers ofLines(byte[] bytes, int[] marks, long present, boolean canonical) {
        return new LineHeaders(bytes, marks, present, canonical);
    }

    static Headers ofFields(Field[] fields, int size, int length, long present, long repeated) {
        return new FieldHeaders(fields, size, length, present, repeated);
    }

    /// Parses field lines, each ended by CR LF (RFC 9112, 5), from bytes [from, to) of `in`, which
    /// are copied.
    ///
    /// @param expectedFields how many lines there are, if known: saves a copy when right
    /// @throws IllegalArgumentException for any byte that has no place there
    public static Headers parse(Buffer in, int from, int to, int expectedFields) {
        return from == to ? EMPTY : FieldSection.parse(in, from, to, expectedFields);
    }

    /// Parses field lines as [#parse(Buffer, int, int, int)] does, the first of which are known.
    ///
    /// @param like headers of which [#linesAt] has found lines at `from`
    /// @param known how many of them it has found, at least 1
    public static Headers parse(
            Buffer in, int from, int to, int expectedFields, Headers like, int known) {
        if (!(like instanceof LineHeaders lines)) {
            throw new IllegalArgumentException("like: made (expected: received)");
        }
        return FieldSection.parse(in, from, to, expectedFields, lines, known);
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

    public abstract int size();

    public boolean isEmpty() {
        return size() == 0;
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

    public abstract HeaderName name(int field);

    /// As [#name(int)], for a wire that asks for the same names again: one that is neither listed
    /// nor longer than 64 bytes is taken from `cache`, or kept there in the place of another one.
    ///
    /// @param cache whose length is a power of two
    public abstract HeaderName name(int field, @Nullable HeaderName[] cache);

    /// Returns the field as an object, if it is kept as one; else null. For wires that remember
    /// which fields they have met: a constant of a program is the same object each time.
    public abstract @Nullable Field kept(int field);

    public abstract String value(int field);

    public abstract int valueLength(int field);

    public abstract byte valueByte(int field, int index);

    /// Copies the value to `to` from `offset` on.
    ///
    /// @throws IndexOutOfBoundsException when there is no room for [#valueLength]
    public abstract void copyValue(int field, byte[] to, int offset);

    /// Tells if a field's value may be `length` bytes of `value` from `offset` on: no control but
    /// HTAB, no blank at either end.
    public static boolean isValue(byte[] value, int offset, int length) {
        Objects.checkFromIndexSize(offset, length, value.length);
        return FieldSection.isValue(value, offset, offset + length);
    }

    /// Tells if the value is `text`, in any case.
    public abstract boolean valueIs(int field, String text);

    /// Tells if the value is a host with an optional port, as Host has to be.
    public abstract boolean valueIsAuthority(int field);

    abstract boolean listHas(int field, String token);

    /// The first field from `from` on that has this name, or -1.
    public abstract int indexOf(HeaderName name, int from);

    abstract int indexOf(String name, int from);

    /// Tells if one of these names may be present; false is certain. Costs nothing.
    public boolean mayContain(NameSet names) {
        return (present & names.bits) != 0;
    }

    // ---- bytes ----

    /// Length of the field lines in bytes.
    public abstract int sectionLength();

    /// Tells if `in` has exactly these field lines at `index`; they have to lie within its
    /// capacity.
    public abstract boolean isAt(Buffer in, int index);

    /// Returns how many of the first lines are whole in `in` at `index`, as they were received: the
    /// headers of a peer's next message mostly begin as those of the last. Zero for headers that
    /// were made.
    public int linesAt(Buffer in, int index) {
        return 0;
    }

    /// Length of the first `lines` field lines in bytes, for headers that were received.
    public int sectionLength(int lines) {
        throw new UnsupportedOperationException("headers that were made");
    }

    /// Writes `name: value` and CR LF for each field.
    public abstract void writeTo(Buffer out);

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

    public abstract HeadersBuilder toBuilder();

    @Override
    public Iterator<Field> iterator() {
        return new Iterator<>() {
            private final int size = size();
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public Field next() {
                if (next == size) {
                    throw new NoSuchElementException("field " + next);
                }
                int field = next++;
                return new Field(name(field), value(field), null);
            }
        };
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
