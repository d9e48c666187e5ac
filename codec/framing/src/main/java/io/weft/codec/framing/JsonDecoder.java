package io.weft.codec.framing;

import io.weft.buffer.Buffer;
import java.util.function.Consumer;

/// Cuts a stream of JSON texts (RFC 8259) into its objects and arrays, each a frame for a real parser: it looks for where
/// they end and checks nothing else. White space between them is dropped; anything else there is refused.
public final class JsonDecoder extends StepDecoder<Buffer> {
    /// Bytes of an object.
    public static final int DEFAULT_MAX_LENGTH = 1 << 20;

    /// Objects and arrays in each other.
    public static final int DEFAULT_MAX_DEPTH = 128;

    private final int maxLength;
    private final int maxDepth;

    /// Whether the brackets that are open are objects, one bit each.
    private final java.util.BitSet objects = new java.util.BitSet();

    private int depth;
    private int looked;
    private boolean inString;
    private boolean escaped;

    public JsonDecoder() {
        this(DEFAULT_MAX_LENGTH, DEFAULT_MAX_DEPTH);
    }

    public JsonDecoder(int maxLength, int maxDepth) {
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
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super Buffer> out) {
        if (looked == 0 && !skipToBegin(in)) {
            return false;
        }
        int start = in.readOffset();
        int to = Math.min(in.readableBytes(), maxLength);
        for (int i = looked; i < to; i++) {
            if (look(in.getByte(start + i)) && depth == 0) {
                looked = 0;
                out.accept(in.split(i + 1));
                return true;
            }
        }
        looked = to;
        if (to == maxLength) {
            throw new FrameTooLongException("JSON bytes", maxLength + 1L, maxLength);
        }
        return false;
    }

    private static boolean skipToBegin(Buffer in) {
        int start = in.readOffset();
        int end = in.writeOffset();
        int i = start;
        for (; i < end; i++) {
            byte b = in.getByte(i);
            if (b == '{' || b == '[') {
                in.readOffset(i);
                return true;
            }
            if (b != ' ' && b != '\t' && b != '\r' && b != '\n') {
                throw new CorruptedFrameException(
                        DecoderException.quote(in, i, i + 1) + " (expected: { or [)");
            }
        }
        in.readOffset(i);
        return false;
    }

    /// Whether `b` closes an object or array.
    private boolean look(byte b) {
        if (inString) {
            if (escaped) {
                escaped = false;
            } else if (b == '\\') {
                escaped = true;
            } else if (b == '"') {
                inString = false;
            }
            return false;
        }
        switch (b) {
            case '"' -> inString = true;
            case '{', '[' -> {
                if (depth == maxDepth) {
                    throw new FrameTooLongException("JSON depth", depth + 1L, maxDepth);
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
