package io.weft.buffer;

/// Integers in as few bytes as they need, seven bits each, the lowest first; a set high bit says
/// that more follow. This is unsigned LEB128, as protobuf, WebAssembly and many others have it.
/// Numbers below zero take the most bytes there are unless they are turned by [#zigZag] first.
public final class Varint {
    private static final int MAX_INT_BYTES = 5;
    private static final int MAX_LONG_BYTES = 10;

    private Varint() {}

    /// Appends all 32 bits of `value` as an unsigned number, in one to five bytes.
    public static void writeInt(Buffer to, int value) {
        writeLong(to, value & 0xFFFF_FFFFL);
    }

    /// Appends all 64 bits of `value` as an unsigned number, in one to ten bytes.
    public static void writeLong(Buffer to, long value) {
        to.ensureWritable(size(value));
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            to.writeByte((int) rest | 0x80);
            rest >>>= 7;
        }
        to.writeByte((int) rest);
    }

    /// Reads a number of up to 32 bits; when that fails, nothing is read.
    ///
    /// @throws IndexOutOfBoundsException when it is not all readable yet, see [#encodedLength]
    /// @throws IllegalArgumentException when it takes more than 32 bits or five bytes
    public static int readInt(Buffer from) {
        int length = lengthOrThrow(from, MAX_INT_BYTES);
        long value = get(from, length);
        if (value >>> 32 != 0) {
            throw new IllegalArgumentException("varint: " + value + " (expected: at most 32 bits)");
        }
        from.skipReadable(length);
        return (int) value;
    }

    /// Reads a number of up to 64 bits; when that fails, nothing is read.
    ///
    /// @throws IndexOutOfBoundsException when it is not all readable yet, see [#encodedLength]
    /// @throws IllegalArgumentException when it takes more than 64 bits or ten bytes
    public static long readLong(Buffer from) {
        int length = lengthOrThrow(from, MAX_LONG_BYTES);
        long value = get(from, length);
        from.skipReadable(length);
        return value;
    }

    /// Returns the number of bytes that the number at the read offset takes; 0 if its end is not
    /// readable yet.
    ///
    /// @throws IllegalArgumentException when more than ten bytes belong to it
    public static int encodedLength(Buffer from) {
        return encodedLength(from, MAX_LONG_BYTES);
    }

    private static int encodedLength(Buffer from, int most) {
        int readable = from.readableBytes();
        for (int i = 0; i < most; i++) {
            if (i == readable) {
                return 0;
            }
            if (from.getByte(from.readOffset() + i) >= 0) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException(
                "varint: more than " + most + " bytes (expected: at most " + most + ")");
    }

    private static int lengthOrThrow(Buffer from, int most) {
        int length = encodedLength(from, most);
        if (length == 0) {
            throw new IndexOutOfBoundsException(
                    "varint: more than "
                            + from.readableBytes()
                            + " bytes (expected: at most readableBytes)");
        }
        return length;
    }

    private static long get(Buffer from, int length) {
        long value = 0;
        for (int i = length - 1; i >= 0; i--) {
            value = (value << 7) | (from.getByte(from.readOffset() + i) & 0x7F);
        }
        if (length == MAX_LONG_BYTES && from.getByte(from.readOffset() + length - 1) > 1) {
            throw new IllegalArgumentException(
                    "varint: more than 64 bits (expected: at most 64 bits)");
        }
        return value;
    }

    /// Number of bytes that `value`, as an unsigned number, takes: one to ten.
    public static int size(long value) {
        return (63 - Long.numberOfLeadingZeros(value | 1)) / 7 + 1;
    }

    /// Numbers near zero, of either sign, to small ones: 0, -1, 1, -2 to 0, 1, 2, 3.
    public static long zigZag(long value) {
        return (value << 1) ^ (value >> 63);
    }

    /// Returns the number that [#zigZag] turned into `value`.
    public static long unZigZag(long value) {
        return (value >>> 1) ^ -(value & 1);
    }

    /// As for long, in 32 bits.
    public static int zigZag(int value) {
        return (value << 1) ^ (value >> 31);
    }

    /// As for long, in 32 bits.
    public static int unZigZag(int value) {
        return (value >>> 1) ^ -(value & 1);
    }
}
