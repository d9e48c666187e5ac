package io.weft.codec.redis;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A value of RESP2 or RESP3.
///
/// **Ownership.** A value owns the buffers inside; its consumer calls [#close] once, which is
/// nothing for values without.
public sealed interface RespValue extends RespPart {
    /// The type on the wire; of an [Attributed] value that of the value.
    RespType type();

    /// The content as text, in UTF-8 where it is bytes, the digits of a number; null for nulls and
    /// aggregates. No offset moves.
    default @Nullable String text() {
        return null;
    }

    /// The elements; of a map each key with its value behind it; none for values that have none.
    default List<RespValue> elements() {
        return List.of();
    }

    /// Tells if it is an error of either kind.
    default boolean isError() {
        return false;
    }

    /// A line of text.
    record SimpleString(String text) implements RespValue {
        public static final SimpleString OK = new SimpleString("OK");
        public static final SimpleString PONG = new SimpleString("PONG");
        public static final SimpleString QUEUED = new SimpleString("QUEUED");

        /// @throws IllegalArgumentException when there is a CR, LF or NUL in it
        public SimpleString {
            requireLine(text);
        }

        @Override
        public RespType type() {
            return RespType.SIMPLE_STRING;
        }
    }

    /// An error in one line: a code in capital letters, a space and a message.
    record SimpleError(String text) implements RespValue {
        /// @throws IllegalArgumentException when there is a CR, LF or NUL in it
        public SimpleError {
            requireLine(text);
        }

        @Override
        public RespType type() {
            return RespType.SIMPLE_ERROR;
        }

        @Override
        public boolean isError() {
            return true;
        }

        /// The first word, such as ERR, WRONGTYPE or MOVED.
        public String code() {
            int space = text.indexOf(' ');
            return space < 0 ? text : text.substring(0, space);
        }
    }

    /// An integer of 64 bits.
    record Int(long value) implements RespValue {
        @Override
        public RespType type() {
            return RespType.INTEGER;
        }

        @Override
        public String text() {
            return Long.toString(value);
        }
    }

    /// An integer of up to 4,096 digits.
    record BigInt(BigInteger value) implements RespValue {
        @Override
        public RespType type() {
            return RespType.BIG_NUMBER;
        }

        @Override
        public String text() {
            return value.toString();
        }
    }

    /// A double, which may be infinite or not a number.
    record Real(double value) implements RespValue {
        @Override
        public RespType type() {
            return RespType.DOUBLE;
        }

        @Override
        public String text() {
            return Doubles.text(value);
        }
    }

    /// True or false.
    enum Bool implements RespValue {
        TRUE,
        FALSE;

        public static Bool of(boolean value) {
            return value ? TRUE : FALSE;
        }

        public boolean value() {
            return this == TRUE;
        }

        @Override
        public RespType type() {
            return RespType.BOOLEAN;
        }

        @Override
        public String text() {
            return this == TRUE ? "true" : "false";
        }
    }

    /// The absence of a value. RESP3 has one null, RESP2 a null instead of a bulk and one instead
    /// of an array.
    enum Null implements RespValue {
        NULL,
        BULK,
        ARRAY;

        @Override
        public RespType type() {
            return RespType.NULL;
        }
    }

    /// A string of any bytes.
    ///
    /// @param content which the value owns
    record Bulk(Buffer content) implements RespValue {
        /// The bytes of `text` in UTF-8.
        public static Bulk of(String text) {
            return new Bulk(bytes(text));
        }

        @Override
        public RespType type() {
            return RespType.BULK;
        }

        @Override
        public String text() {
            return decoded(content);
        }

        @Override
        public void close() {
            content.release();
        }
    }

    /// An error of any bytes.
    ///
    /// @param content which the value owns
    record BulkError(Buffer content) implements RespValue {
        @Override
        public RespType type() {
            return RespType.BULK_ERROR;
        }

        @Override
        public String text() {
            return decoded(content);
        }

        @Override
        public boolean isError() {
            return true;
        }

        @Override
        public void close() {
            content.release();
        }
    }

    /// A string that says how it is to be shown.
    ///
    /// @param format three characters of ASCII: `txt` for plain text, `mkd` for Markdown
    /// @param content which the value owns
    record Verbatim(String format, Buffer content) implements RespValue {
        /// @throws IllegalArgumentException unless the format is three characters of ASCII
        public Verbatim {
            if (format.length() != 3 || !format.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
                throw new IllegalArgumentException(
                        "format: " + format.length() + " characters (expected: 3 of ASCII)");
            }
        }

        @Override
        public RespType type() {
            return RespType.VERBATIM;
        }

        @Override
        public String text() {
            return decoded(content);
        }

        @Override
        public void close() {
            content.release();
        }
    }

    /// A list of values.
    record Array(List<RespValue> elements) implements RespValue {
        public static final Array EMPTY = new Array(List.of());

        public Array {
            elements = Elements.of(elements);
        }

        @Override
        public RespType type() {
            return RespType.ARRAY;
        }

        @Override
        public void close() {
            elements.forEach(RespValue::close);
        }
    }

    /// Values without an order. Equal ones are the sender's mistake, which is kept.
    record Set(List<RespValue> elements) implements RespValue {
        public static final Set EMPTY = new Set(List.of());

        public Set {
            elements = Elements.of(elements);
        }

        @Override
        public RespType type() {
            return RespType.SET;
        }

        @Override
        public void close() {
            elements.forEach(RespValue::close);
        }
    }

    /// Keys, each with its value behind it. Equal keys are the sender's mistake, which is kept.
    record Map(List<RespValue> elements) implements RespValue {
        public static final Map EMPTY = new Map(List.of());

        /// @throws IllegalArgumentException when a value is missing
        public Map {
            requirePairs(elements);
            elements = Elements.of(elements);
        }

        @Override
        public RespType type() {
            return RespType.MAP;
        }

        /// The first value whose key has this text, which stays the map's; null if there is none.
        public @Nullable RespValue get(String key) {
            for (int i = 0; i < elements.size(); i += 2) {
                if (key.equals(elements.get(i).text())) {
                    return elements.get(i + 1);
                }
            }
            return null;
        }

        @Override
        public void close() {
            elements.forEach(RespValue::close);
        }
    }

    /// A message that answers no command, of a subscription or of client-side caching: its kind and
    /// its arguments.
    record Push(List<RespValue> elements) implements RespValue {
        public Push {
            elements = Elements.of(elements);
        }

        @Override
        public RespType type() {
            return RespType.PUSH;
        }

        @Override
        public void close() {
            elements.forEach(RespValue::close);
        }
    }

    /// A value with attributes, which clients may ignore.
    record Attributed(Map attributes, RespValue value) implements RespValue {
        @Override
        public RespType type() {
            return value.type();
        }

        @Override
        public @Nullable String text() {
            return value.text();
        }

        @Override
        public List<RespValue> elements() {
            return value.elements();
        }

        @Override
        public boolean isError() {
            return value.isError();
        }

        @Override
        public void close() {
            attributes.close();
            value.close();
        }
    }

    private static void requireLine(String text) {
        if (text.indexOf('\r') >= 0 || text.indexOf('\n') >= 0 || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("text: has a CR, LF or NUL (expected: one line)");
        }
    }

    private static void requirePairs(List<RespValue> elements) {
        if (elements.size() % 2 != 0) {
            throw new IllegalArgumentException(
                    "elements: " + elements.size() + " (expected: as many values as keys)");
        }
    }

    private static Buffer bytes(String text) {
        Buffer content = BufferAllocator.pooled().allocate(Math.max(16, text.length()));
        try {
            content.writeUtf8(text);
            return content;
        } catch (RuntimeException e) {
            content.release();
            throw e;
        }
    }

    private static String decoded(Buffer content) {
        return content.getString(
                content.readOffset(), content.readableBytes(), StandardCharsets.UTF_8);
    }
}
