package io.weft.codec.text;

import io.weft.buffer.AsciiString;
import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/// The header fields of a message of a text protocol, in their order. Names are ASCII and found in
/// any case; a name may come more than once. (HTTP has headers of its own.)
///
/// ```java
/// headers.add("Content-Length", "12").add("Via", "a").add("Via", "b");
/// int length = headers.getInt("content-length").orElse(0);
/// List<String> path = headers.all("via");
/// Optional<Instant> date = headers.get("date", Instant::parse);
/// ```
///
/// **Safe to write.** A name is printable and has no colon, a value has no CR, LF or NUL: no field
/// can end itself and begin another one.
///
/// **Limits.** The number of fields and their bytes are limited. Finding a name looks at each field
/// once, so there are no names that would make it slow.
///
/// **Threads.** One at a time.
public final class TextHeaders implements Iterable<TextHeaders.Field> {
    public static final int DEFAULT_MAX_FIELDS = 128;
    public static final int DEFAULT_MAX_BYTES = 16 << 10;

    /// Bytes of a line besides its name and its value: a colon, a blank, CR LF.
    private static final int LINE_BYTES = 4;

    /// One field.
    public record Field(AsciiString name, String value) {}

    private final int maxFields;
    private final int maxBytes;
    private final List<Field> fields = new ArrayList<>();
    private int bytes;

    /// With the default limits.
    public TextHeaders() {
        this(DEFAULT_MAX_FIELDS, DEFAULT_MAX_BYTES);
    }

    /// @param maxBytes of all lines as [#writeTo] writes them
    public TextHeaders(int maxFields, int maxBytes) {
        if (maxFields < 0 || maxBytes < 0) {
            throw new IllegalArgumentException(
                    "maxFields, maxBytes: " + maxFields + ", " + maxBytes + " (expected: >= 0)");
        }
        this.maxFields = maxFields;
        this.maxBytes = maxBytes;
    }

    // ---- changing ----

    /// Adds a field behind all others.
    ///
    /// @throws IllegalArgumentException when it could not be written
    /// @throws LimitExceededException at a limit; nothing is added then
    public TextHeaders add(CharSequence name, CharSequence value) {
        AsciiString checkedName = name(name);
        String checkedValue = value.toString();
        int more = checkedName.length() + utf8Length(checkedName, checkedValue) + LINE_BYTES;
        if (fields.size() == maxFields) {
            throw new LimitExceededException("header fields", maxFields + 1L, maxFields);
        }
        if (more > maxBytes - bytes) {
            throw new LimitExceededException("header bytes", (long) bytes + more, maxBytes);
        }
        fields.add(new Field(checkedName, checkedValue));
        bytes += more;
        return this;
    }

    /// Adds a number.
    public TextHeaders add(CharSequence name, long value) {
        return add(name, Long.toString(value));
    }

    /// Adds a field and removes all others of its name. When it throws, these are still there.
    public TextHeaders set(CharSequence name, CharSequence value) {
        List<Field> before = new ArrayList<>(fields);
        int bytesBefore = bytes;
        remove(name);
        try {
            return add(name, value);
        } catch (RuntimeException e) {
            fields.clear();
            fields.addAll(before);
            bytes = bytesBefore;
            throw e;
        }
    }

    /// Removes all fields of this name.
    ///
    /// @return how many there were
    public int remove(CharSequence name) {
        int before = fields.size();
        int hash = AsciiString.hashIgnoreCase(name);
        for (Iterator<Field> i = fields.iterator(); i.hasNext(); ) {
            Field field = i.next();
            if (is(field, name, hash)) {
                bytes -= field.name.length() + utf8Length(field.name, field.value) + LINE_BYTES;
                i.remove();
            }
        }
        return before - fields.size();
    }

    // ---- looking up ----

    public int size() {
        return fields.size();
    }

    public boolean isEmpty() {
        return fields.isEmpty();
    }

    public boolean contains(CharSequence name) {
        return get(name) != null;
    }

    /// The value of the first field of this name.
    public @Nullable String get(CharSequence name) {
        int hash = AsciiString.hashIgnoreCase(name);
        for (Field field : fields) {
            if (is(field, name, hash)) {
                return field.value;
            }
        }
        return null;
    }

    /// The values of all fields of this name, in their order.
    public List<String> all(CharSequence name) {
        int hash = AsciiString.hashIgnoreCase(name);
        List<String> values = new ArrayList<>();
        for (Field field : fields) {
            if (is(field, name, hash)) {
                values.add(field.value);
            }
        }
        return values;
    }

    /// The first value of this name, as what `type` makes of it.
    ///
    /// @param type returns null, or throws an [IllegalArgumentException] or a
    ///     [java.time.DateTimeException], for what it does not take
    /// @throws CorruptedFrameException when it does not take the value
    public <T> Optional<T> get(
            CharSequence name, Function<? super String, ? extends @Nullable T> type) {
        String value = get(name);
        if (value == null) {
            return Optional.empty();
        }
        T typed;
        try {
            typed = type.apply(value);
        } catch (IllegalArgumentException | java.time.DateTimeException e) {
            throw malformed(name, value, e.toString());
        }
        if (typed == null) {
            throw malformed(name, value, "another value");
        }
        return Optional.of(typed);
    }

    /// @throws CorruptedFrameException when the first value of this name is no decimal number of 32
    ///     bits
    public OptionalInt getInt(CharSequence name) {
        String value = get(name);
        return value == null
                ? OptionalInt.empty()
                : OptionalInt.of((int) number(name, value, Integer::parseInt, "32 bits"));
    }

    /// @throws CorruptedFrameException when the first value of this name is no decimal number of 64
    ///     bits
    public OptionalLong getLong(CharSequence name) {
        String value = get(name);
        return value == null
                ? OptionalLong.empty()
                : OptionalLong.of(number(name, value, Long::parseLong, "64 bits"));
    }

    /// Digits of ASCII, behind a minus sign at most: the JDK would take others too.
    private static long number(
            CharSequence name, String value, ToLongFunction<String> parse, String size) {
        String digits = value.startsWith("-") ? value.substring(1) : value;
        if (!digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            try {
                return parse.applyAsLong(value);
            } catch (NumberFormatException e) {
                // too long
            }
        }
        throw malformed(name, value, "a decimal number of " + size);
    }

    @Override
    public Iterator<Field> iterator() {
        return List.copyOf(fields).iterator();
    }

    private static boolean is(Field field, CharSequence name, int hash) {
        return field.name.hashIgnoreCase() == hash && field.name.equalsIgnoreCase(name);
    }

    // ---- on the wire ----

    /// Returns the number of bytes that [#writeTo] writes.
    public int length() {
        return bytes;
    }

    /// Writes a line for each field, `name: value` in UTF-8 with CR LF. No empty line behind them.
    public void writeTo(Buffer out) {
        out.ensureWritable(bytes);
        for (Field field : fields) {
            field.name.writeTo(out);
            out.writeShort(':' << 8 | ' ').writeUtf8(field.value);
            out.writeShort('\r' << 8 | '\n');
        }
    }

    /// Adds the field of a line `name: value` without its end; blanks around the value are cut off.
    ///
    /// @throws CorruptedFrameException when it is not such a line: it begins with a blank too,
    ///     which once continued the line before
    /// @throws LimitExceededException at a limit
    public TextHeaders addLine(CharSequence line) {
        String text = line.toString();
        int colon = text.indexOf(':');
        try {
            if (colon >= 0) {
                return add(text.substring(0, colon), stripped(text.substring(colon + 1)));
            }
        } catch (IllegalArgumentException e) {
            throw new CorruptedFrameException(String.valueOf(e.getMessage()));
        }
        throw new CorruptedFrameException(
                "header line: " + quote(text) + " (expected: a name and a colon)");
    }

    /// Without blanks and tabs around it.
    private static String stripped(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static AsciiString name(CharSequence name) {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c <= ' ' || c > '~' || c == ':') { // RFC 5322, 2.2
                throw new IllegalArgumentException(
                        "header name: "
                                + quote(name.toString())
                                + " (expected: printable ASCII without colons)");
            }
        }
        if (name.isEmpty()) {
            throw new IllegalArgumentException("header name: empty (expected: a character)");
        }
        return AsciiString.of(name);
    }

    /// Bytes of the value.
    private static int utf8Length(AsciiString name, String value) {
        int length = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\r' || c == '\n' || c == 0) {
                throw new IllegalArgumentException(
                        "header "
                                + name
                                + ": character "
                                + (int) c
                                + " at "
                                + i
                                + " (expected: no CR, LF or NUL)");
            }
            if (Character.isSurrogate(c)) {
                boolean pair =
                        i + 1 < value.length() && Character.isSurrogatePair(c, value.charAt(i + 1));
                if (!pair) {
                    throw new IllegalArgumentException(
                            "header " + name + ": half a character at " + i + " (expected: whole)");
                }
                length += 4;
                i++;
            } else {
                length += c < 0x80 ? 1 : c < 0x800 ? 2 : 3;
            }
        }
        return length;
    }

    private static CorruptedFrameException malformed(
            CharSequence name, String value, String expected) {
        return new CorruptedFrameException(
                "header "
                        + quote(name.toString())
                        + ": "
                        + quote(value)
                        + " (expected: "
                        + expected
                        + ")");
    }

    private static String quote(String text) {
        StringBuilder quoted = new StringBuilder().append('"');
        text.chars().limit(40).forEach(c -> quoted.append(c < ' ' || c > '~' ? '?' : (char) c));
        return quoted.append(text.length() > 40 ? "...\"" : "\"").toString();
    }

    // ---- as a value ----

    /// Tells if both have the same fields in the same order; names in any case.
    @Override
    public boolean equals(@Nullable Object other) {
        if (!(other instanceof TextHeaders that) || that.size() != size()) {
            return false;
        }
        for (int i = 0; i < fields.size(); i++) {
            Field a = fields.get(i);
            Field b = that.fields.get(i);
            if (!a.name.equalsIgnoreCase(b.name) || !a.value.equals(b.value)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public int hashCode() {
        int hash = 0;
        for (Field field : fields) {
            hash = (hash * 31 + field.name.hashIgnoreCase()) * 31 + field.value.hashCode();
        }
        return hash;
    }

    /// For people: the fields' names only, since values may be secrets.
    @Override
    public String toString() {
        return fields.stream().map(Field::name).toList().toString();
    }
}
