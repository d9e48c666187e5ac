package io.weft.codec.dns;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/// Octets of a message, as they are: immutable, compared by content.
public final class Octets implements Comparable<Octets> {
    /// No octets.
    public static final Octets EMPTY = new Octets(new byte[0], 0, 0);

    private final byte[] array;
    private final int offset;
    private final int length;

    /// Shares `array`, which must not be written to from now on.
    Octets(byte[] array, int offset, int length) {
        this.array = array;
        this.offset = offset;
        this.length = length;
    }

    /// A copy of `bytes`.
    public static Octets of(byte... bytes) {
        return bytes.length == 0 ? EMPTY : new Octets(bytes.clone(), 0, bytes.length);
    }

    /// A copy of `length` bytes from `offset` on.
    ///
    /// @throws IndexOutOfBoundsException unless they are in `bytes`
    public static Octets of(byte[] bytes, int offset, int length) {
        java.util.Objects.checkFromIndexSize(offset, length, bytes.length);
        return new Octets(Arrays.copyOfRange(bytes, offset, offset + length), 0, length);
    }

    /// The octets of `text` in UTF-8.
    public static Octets ofText(String text) {
        return of(text.getBytes(StandardCharsets.UTF_8));
    }

    /// @throws IllegalArgumentException unless `hex` is pairs of hexadecimal digits
    public static Octets ofHex(String hex) {
        return of(HexFormat.of().parseHex(hex));
    }

    /// @throws IllegalArgumentException unless `text` is base 64, padded
    public static Octets ofBase64(String text) {
        return of(Base64.getDecoder().decode(text));
    }

    public int length() {
        return length;
    }

    /// The octet at `index`, 0 to 255.
    public int get(int index) {
        return array[offset + java.util.Objects.checkIndex(index, length)] & 0xFF;
    }

    /// The octets from `from` to before `to`.
    public Octets slice(int from, int to) {
        java.util.Objects.checkFromToIndex(from, to, length);
        return new Octets(array, offset + from, to - from);
    }

    public byte[] toArray() {
        return Arrays.copyOfRange(array, offset, offset + length);
    }

    void copyTo(byte[] to, int at) {
        System.arraycopy(array, offset, to, at, length);
    }

    /// The octets read as UTF-8; what is malformed is replaced by U+FFFD.
    public String text() {
        return new String(array, offset, length, StandardCharsets.UTF_8);
    }

    /// The octets as lower-case hexadecimal digits.
    public String hex() {
        return HexFormat.of().formatHex(array, offset, offset + length);
    }

    /// The octets in base 64, padded.
    public String base64() {
        return Base64.getEncoder().encodeToString(toArray());
    }

    /// Compares octet by octet, unsigned; a prefix comes first.
    @Override
    public int compareTo(Octets other) {
        return Arrays.compareUnsigned(
                array,
                offset,
                offset + length,
                other.array,
                other.offset,
                other.offset + other.length);
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Octets other && compareTo(other) == 0;
    }

    @Override
    public int hashCode() {
        int hash = 1;
        for (int i = offset; i < offset + length; i++) {
            hash = 31 * hash + array[i];
        }
        return hash;
    }

    /// The same as [#hex()].
    @Override
    public String toString() {
        return hex();
    }
}
