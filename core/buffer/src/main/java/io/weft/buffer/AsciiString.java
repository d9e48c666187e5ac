package io.weft.buffer;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.ThreadLocalRandom;

/// A text of ASCII characters, kept as the bytes that protocols send: it is written to a buffer by
/// one copy, compared with one without being decoded, and its hash is kept. Immutable; any thread.
///
/// [#equals] is exact, and another ASCII string's affair alone, as a `CharSequence`'s always is.
/// Protocols whose names are case-insensitive use [#equalsIgnoreCase] and [#hashIgnoreCase]; both
/// take any text, so that a name is found by a `String` too, and neither makes one. Only A to Z are
/// folded (RFC 4790, 9.2), whatever the locale.
///
/// The hashes differ from one JVM to the next, so that a peer cannot prepare names that collide.
public final class AsciiString implements CharSequence, Comparable<AsciiString> {
    public static final AsciiString EMPTY = new AsciiString(new byte[0]);

    /// Odd, so that no bit of a character is lost.
    private static final int MULTIPLIER = ThreadLocalRandom.current().nextInt() | 1;

    private final byte[] bytes;
    private int hash; // 0 until asked for; a race computes it twice
    private int hashIgnoreCase;

    private AsciiString(byte[] bytes) {
        this.bytes = bytes;
    }

    /// @throws IllegalArgumentException when a character of `text` is not ASCII
    public static AsciiString of(CharSequence text) {
        if (text instanceof AsciiString ascii) {
            return ascii;
        }
        byte[] bytes = new byte[text.length()];
        for (int i = 0; i < bytes.length; i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                throw new IllegalArgumentException(
                        "character %d: U+%04X (expected: at most U+007F)".formatted(i, (int) c));
            }
            bytes[i] = (byte) c;
        }
        return bytes.length == 0 ? EMPTY : new AsciiString(bytes);
    }

    /// A copy of `length` bytes of `buffer` from `index` on; no offset moves.
    ///
    /// @throws IllegalArgumentException when one of them is not ASCII
    /// @throws IndexOutOfBoundsException unless they are inside
    public static AsciiString of(Buffer buffer, int index, int length) {
        Objects.checkFromIndexSize(index, length, buffer.capacity());
        byte[] bytes = new byte[length];
        buffer.getBytes(index, bytes, 0, length);
        for (int i = 0; i < length; i++) {
            if (bytes[i] < 0) {
                throw new IllegalArgumentException(
                        "byte %d: 0x%02X (expected: at most 0x7F)".formatted(i, bytes[i]));
            }
        }
        return length == 0 ? EMPTY : new AsciiString(bytes);
    }

    @Override
    public int length() {
        return bytes.length;
    }

    @Override
    public char charAt(int index) {
        return (char) bytes[index];
    }

    @Override
    public AsciiString subSequence(int start, int end) {
        Objects.checkFromToIndex(start, end, bytes.length);
        return start == end ? EMPTY : new AsciiString(Arrays.copyOfRange(bytes, start, end));
    }

    /// Appends the bytes to `buffer`.
    public void writeTo(Buffer buffer) {
        buffer.writeBytes(bytes, 0, bytes.length);
    }

    /// Tells if `buffer` has these bytes at `index`.
    ///
    /// @throws IndexOutOfBoundsException unless as many are inside
    public boolean isAt(Buffer buffer, int index) {
        return buffer.contentEquals(index, bytes, 0, bytes.length);
    }

    /// This text in lower case; itself if it is already.
    public AsciiString toLowerCase() {
        for (int i = 0; i < bytes.length; i++) {
            if (fold(bytes[i]) != bytes[i]) {
                byte[] lower = bytes.clone();
                for (int j = i; j < lower.length; j++) {
                    lower[j] = (byte) fold(lower[j]);
                }
                return new AsciiString(lower);
            }
        }
        return this;
    }

    // ---- equality ----

    @Override
    public boolean equals(Object other) {
        return this == other || (other instanceof AsciiString a && Arrays.equals(bytes, a.bytes));
    }

    @Override
    public int hashCode() {
        int h = hash;
        if (h == 0) {
            for (byte b : bytes) {
                h = (h + b) * MULTIPLIER;
            }
            h ^= h >>> 15;
            hash = h;
        }
        return h;
    }

    public boolean equalsIgnoreCase(CharSequence other) {
        return equalsIgnoreCase(this, other);
    }

    /// Tells if the texts are equal, or differ only in the case of A to Z.
    public static boolean equalsIgnoreCase(CharSequence a, CharSequence b) {
        int length = a.length();
        if (length != b.length()) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (fold(a.charAt(i)) != fold(b.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    public int hashIgnoreCase() {
        int h = hashIgnoreCase;
        if (h == 0) {
            h = hashIgnoreCase((CharSequence) this);
            hashIgnoreCase = h;
        }
        return h;
    }

    /// A hash that texts have in common that are
    /// [equal but for case][#equalsIgnoreCase(CharSequence, CharSequence)].
    public static int hashIgnoreCase(CharSequence text) {
        int h = 0;
        for (int i = 0; i < text.length(); i++) {
            h = (h + fold(text.charAt(i))) * MULTIPLIER;
        }
        return h ^ h >>> 15;
    }

    private static int fold(int c) {
        return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c;
    }

    /// By their characters, as strings are.
    @Override
    public int compareTo(AsciiString other) {
        return Arrays.compare(bytes, other.bytes);
    }

    @Override
    public String toString() {
        return new String(bytes, US_ASCII);
    }
}
