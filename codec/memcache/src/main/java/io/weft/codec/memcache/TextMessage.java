package io.weft.codec.memcache;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A command or a reply of the text protocol, classic or meta: the words of a line, and the data
/// behind it if it has some.
///
/// A message is one buffer, its bytes as they are on the wire, and the bounds of its words.
///
/// **Ownership.** A message owns its buffer; its consumer calls [#close] once. Encoders do so.
public final class TextMessage implements MemcachePart {
    private static final int NO_DATA = -1;
    private static final short CRLF = '\r' << 8 | '\n';

    private final Buffer wire;

    /// The beginning and the end of each word in `wire`.
    private final int[] bounds;

    private final int dataStart;
    private final int dataLength;

    TextMessage(Buffer wire, int[] bounds, int dataStart, int dataLength) {
        this.wire = wire;
        this.bounds = bounds;
        this.dataStart = dataStart;
        this.dataLength = dataLength;
    }

    /// A line of these words.
    ///
    /// @throws IllegalArgumentException when there is none, or one is empty or has a space or a
    ///     control character
    public static TextMessage of(String... words) {
        return of(words, NO_DATA, null);
    }

    /// A line of the words that `line` has between single spaces.
    public static TextMessage line(String line) {
        return of(line.split(" ", -1));
    }

    /// A line of `words`, which must say the length of `data` where the command does, and data.
    ///
    /// @throws IllegalArgumentException also when the words do not say that length
    public static TextMessage of(byte[] data, String... words) {
        return of(words, data.length, data);
    }

    /// A line of `words`, and `length` bytes of data of which [MemcachePart.ValueChunk]s follow.
    ///
    /// @throws IllegalArgumentException also when the words do not say that length
    public static TextMessage streamed(int length, String... words) {
        return of(words, length, null);
    }

    private static TextMessage of(String[] words, int length, byte @Nullable [] data) {
        byte[][] encoded = new byte[words.length][];
        int size = 0;
        for (int i = 0; i < words.length; i++) {
            encoded[i] = words[i].getBytes(StandardCharsets.UTF_8);
            requireWord(encoded[i]);
            size += encoded[i].length + 1;
        }
        requireLength(words, length);
        Buffer wire =
                BufferAllocator.pooled().allocate(size + 3 + (data == null ? 0 : data.length + 2));
        int[] bounds = new int[2 * words.length];
        for (int i = 0; i < words.length; i++) {
            if (i > 0) {
                wire.writeByte(' ');
            }
            bounds[2 * i] = wire.writeOffset();
            wire.writeBytes(encoded[i]);
            bounds[2 * i + 1] = wire.writeOffset();
        }
        wire.writeShort(CRLF);
        int start = wire.writeOffset();
        if (data != null) {
            wire.writeBytes(data).writeShort(CRLF);
        }
        return new TextMessage(wire, bounds, start, length);
    }

    private static void requireWord(byte[] word) {
        boolean valid = word.length > 0;
        for (byte b : word) {
            valid &= (b & 0xFF) > ' ' && b != 0x7F;
        }
        if (!valid) {
            throw new IllegalArgumentException(
                    "word: "
                            + word.length
                            + " bytes (expected: some, without spaces and controls)");
        }
    }

    /// Checks that a message is read as the one that is written.
    private static void requireLength(String[] words, int length) {
        int at = words.length == 0 ? -1 : DataWord.ofEither(words[0]);
        boolean said =
                at >= 0
                        && at < words.length
                        && words[at].equals(String.valueOf(Math.max(0, length)));
        boolean valid = length == NO_DATA ? at < 0 || at >= words.length : said;
        if (words.length == 0 || !valid) {
            throw new IllegalArgumentException(
                    "words: "
                            + words.length
                            + ", data "
                            + length
                            + " (expected: the length of the data where the command has it)");
        }
    }

    /// Number of words.
    public int size() {
        return bounds.length / 2;
    }

    /// Word `index` as text in UTF-8: the first is the command, or the kind of a reply.
    ///
    /// @throws IndexOutOfBoundsException unless there is such a word
    public String word(int index) {
        return wire.getString(start(index), length(index), StandardCharsets.UTF_8);
    }

    /// A copy of the bytes of word `index`: keys need not be UTF-8.
    public byte[] bytes(int index) {
        byte[] bytes = new byte[length(index)];
        wire.getBytes(start(index), bytes, 0, bytes.length);
        return bytes;
    }

    /// Number of bytes of word `index`.
    public int length(int index) {
        return bounds[2 * index + 1] - start(index);
    }

    private int start(int index) {
        return bounds[2 * Objects.checkIndex(index, bounds.length / 2)];
    }

    /// Tells if word `index` is `text`, which is ASCII.
    public boolean is(int index, String text) {
        int start = start(index);
        int length = length(index);
        if (length != text.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (wire.getByte(start + i) != text.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Word `index` as an integer without a sign, of 64 bits.
    ///
    /// @throws IllegalArgumentException unless it is one
    public long number(int index) {
        String text = word(index);
        if (!text.startsWith("+") && text.length() <= 20) {
            try {
                return Long.parseUnsignedLong(text);
            } catch (NumberFormatException e) {
                // Said below.
            }
        }
        throw new IllegalArgumentException(
                "word " + index + ": not a number (expected: 0 to 2^64 - 1)");
    }

    /// Tells if data is behind the line, or follows in chunks.
    public boolean hasData() {
        return dataLength != NO_DATA;
    }

    /// Bytes of data; 0 for none.
    public int dataLength() {
        return Math.max(0, dataLength);
    }

    /// Tells if the data comes in chunks behind this.
    public boolean isStreamed() {
        return hasData() && wire.writeOffset() < dataStart + dataLength;
    }

    /// The data, which the caller owns, on the same memory.
    ///
    /// @throws IllegalStateException when there is none, or it comes in chunks
    public Buffer data() {
        if (!hasData() || isStreamed()) {
            throw new IllegalStateException(
                    "data: " + (hasData() ? "streamed" : "none") + " (expected: whole)");
        }
        return wire.slice(dataStart, dataLength);
    }

    /// The data as text in UTF-8.
    ///
    /// @throws IllegalStateException as [#data]
    public String dataText() {
        try (Buffer data = data()) {
            return data.readString(StandardCharsets.UTF_8);
        }
    }

    Buffer wire() {
        return wire;
    }

    @Override
    public void close() {
        wire.release();
    }

    /// The words.
    @Override
    public String toString() {
        String[] words = new String[Math.min(size(), 10)];
        Arrays.setAll(words, this::word);
        return String.join(" ", words) + (hasData() ? " + " + dataLength + " bytes" : "");
    }
}
