package io.weft.codec.text;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import java.util.function.Consumer;

/// Cuts a stream of JSON texts (RFC 8259) into its objects and arrays, each a frame for a real
/// parser: it looks for where they end and checks nothing else. White space between them is
/// dropped; anything else there is refused.
///
/// With [#elements] the elements of its arrays are frames, for arrays that are too long to be taken
/// whole, or never end.
public final class JsonDecoder extends StepDecoder<Buffer> {
    /// Bytes of an object.
    public static final int DEFAULT_MAX_LENGTH = 1 << 20;

    /// Objects and arrays in each other.
    public static final int DEFAULT_MAX_DEPTH = 128;

    /// The place of the read offset, if elements are frames.
    private enum Place {
        OUTSIDE,

        /// Behind the bracket of an array, where it may end; behind a comma, where it may not.
        FIRST,
        NEXT,

        /// Behind an element.
        BEHIND
    }

    private final int maxLength;
    private final int maxDepth;
    private final boolean elements;
    private Place place = Place.OUTSIDE;

    /// One bit for each open bracket: set if it is an object's.
    private final java.util.BitSet objects = new java.util.BitSet();

    private int depth;
    private int looked;
    private boolean inString;
    private boolean escaped;

    public JsonDecoder() {
        this(DEFAULT_MAX_LENGTH, DEFAULT_MAX_DEPTH);
    }

    public JsonDecoder(int maxLength, int maxDepth) {
        this(maxLength, maxDepth, false);
    }

    /// Hands on each element of an array by itself, whatever it is, and objects outside of arrays.
    ///
    /// @param maxLength bytes of an element
    /// @param maxDepth of objects and arrays in an element
    public static JsonDecoder elements(int maxLength, int maxDepth) {
        return new JsonDecoder(maxLength, maxDepth, true);
    }

    private JsonDecoder(int maxLength, int maxDepth, boolean elements) {
        if (maxLength < 2 || maxDepth < 1) {
            throw new IllegalArgumentException(
                    "maxLength, maxDepth: "
                            + maxLength
                            + ", "
                            + maxDepth
                            + " (expected: at least 2, 1)");
        }
        this.maxLength = maxLength;
        this.maxDepth = maxDepth;
        this.elements = elements;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super Buffer> out) {
        if (elements) {
            return element(in, out);
        }
        if (looked == 0 && !skipToBegin(in)) {
            return false;
        }
        return value(in, out);
    }

    /// An object, an array or a string; false when its end is not there yet.
    private boolean value(Buffer in, Consumer<? super Buffer> out) {
        int start = in.readOffset();
        int to = Math.min(in.readableBytes(), maxLength);
        for (int i = looked; i < to; i++) {
            if (look(in.getByte(start + i)) && depth == 0) {
                hand(in, i + 1, out);
                return true;
            }
        }
        looked = to;
        if (to == maxLength) {
            throw tooLong();
        }
        return false;
    }

    private void hand(Buffer in, int length, Consumer<? super Buffer> out) {
        looked = 0;
        place = place == Place.OUTSIDE ? Place.OUTSIDE : Place.BEHIND;
        out.accept(in.split(length));
    }

    private LimitExceededException tooLong() {
        return new LimitExceededException("JSON bytes", maxLength + 1L, maxLength);
    }

    private boolean element(Buffer in, Consumer<? super Buffer> out) {
        if (looked == 0 && !skipBlanks(in)) {
            return false;
        }
        byte first = in.getByte(in.readOffset());
        if (looked == 0 && isBetween(first)) {
            in.skipReadable(1);
            return true;
        }
        boolean scalar = first != '{' && first != '[' && first != '"';
        if (place == Place.BEHIND || (place == Place.OUTSIDE && first != '{')) {
            throw unexpected(in, place == Place.BEHIND ? ", or ]" : "{ or [");
        }
        return scalar ? scalar(in, out) : value(in, out);
    }

    /// Tells if `b` belongs to the array that contains the elements; if so, moves the place behind
    /// it.
    private boolean isBetween(byte b) {
        if (place == Place.OUTSIDE && b == '[') {
            place = Place.FIRST;
        } else if (place == Place.BEHIND && b == ',') {
            place = Place.NEXT;
        } else if ((place == Place.BEHIND || place == Place.FIRST) && b == ']') {
            place = Place.OUTSIDE;
        } else {
            return false;
        }
        return true;
    }

    /// A number, or a word: it ends before the first byte that belongs to none.
    private boolean scalar(Buffer in, Consumer<? super Buffer> out) {
        int start = in.readOffset();
        int end = in.readableBytes();
        for (int i = looked; i < end && i <= maxLength; i++) {
            byte b = in.getByte(start + i);
            if (!Character.isLetterOrDigit(b) && b != '-' && b != '+' && b != '.') {
                if (i == 0) {
                    throw unexpected(in, "a value");
                }
                hand(in, i, out);
                return true;
            }
        }
        looked = Math.min(end, maxLength + 1);
        if (looked > maxLength) {
            throw tooLong();
        }
        return false;
    }

    private static CorruptedFrameException unexpected(Buffer in, String expected) {
        int at = in.readOffset();
        return new CorruptedFrameException(
                DecoderException.quote(in, at, at + 1) + " (expected: " + expected + ")");
    }

    /// Skips blanks, and tells if there is something behind them.
    private static boolean skipBlanks(Buffer in) {
        while (in.isReadable()) {
            byte b = in.getByte(in.readOffset());
            if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
                return true;
            }
            in.skipReadable(1);
        }
        return false;
    }

    /// Elements of an array may have come without its end.
    @Override
    protected void finish(int unread, Consumer<? super Buffer> out) {
        if (place != Place.OUTSIDE) {
            throw new PrematureEndException("a JSON array");
        }
        super.finish(unread, out);
    }

    private static boolean skipToBegin(Buffer in) {
        if (!skipBlanks(in)) {
            return false;
        }
        byte b = in.getByte(in.readOffset());
        if (b != '{' && b != '[') {
            throw unexpected(in, "{ or [");
        }
        return true;
    }

    /// Takes `b`, and tells if it closes an object, an array or a string.
    private boolean look(byte b) {
        if (inString) {
            if (escaped) {
                escaped = false;
            } else if (b == '\\') {
                escaped = true;
            } else if (b == '"') {
                inString = false;
                return true;
            }
            return false;
        }
        switch (b) {
            case '"' -> inString = true;
            case '{', '[' -> {
                if (depth == maxDepth) {
                    throw new LimitExceededException("JSON depth", depth + 1L, maxDepth);
                }
                objects.set(depth++, b == '{');
            }
            case '}', ']' -> {
                if (objects.get(--depth) != (b == '}')) {
                    throw new CorruptedFrameException(
                            (char) b + " (expected: " + (b == '}' ? ']' : '}') + ")");
                }
                return true;
            }
            default -> {}
        }
        return false;
    }
}
