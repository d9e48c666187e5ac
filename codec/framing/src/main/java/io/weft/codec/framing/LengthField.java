package io.weft.codec.framing;

import io.weft.buffer.Buffer;
import java.nio.ByteOrder;

/// The field of a frame that contains its length.
///
/// ```
/// | offset bytes | length field: bytes bytes | what the length counts, minus adjustment |
/// ```
///
/// @param offset bytes of the frame before the field
/// @param bytes of the field, which is unsigned: 1, 2, 3, 4 or 8
/// @param adjustment added to the field's value to get the number of bytes behind the field;
///     negative where the value counts the field itself, or what stands before it
/// @param strip bytes that are cut off the beginning of a received frame before it is handed on
public record LengthField(int offset, int bytes, int adjustment, int strip, ByteOrder order) {
    /// @throws IllegalArgumentException when a number is out of its range
    public LengthField {
        if (bytes != 1 && bytes != 2 && bytes != 3 && bytes != 4 && bytes != 8) {
            throw new IllegalArgumentException("bytes: " + bytes + " (expected: 1, 2, 3, 4 or 8)");
        }
        if (offset < 0 || offset > Integer.MAX_VALUE - 8) {
            throw new IllegalArgumentException("offset: " + offset + " (expected: >= 0)");
        }
        if (strip < 0) {
            throw new IllegalArgumentException("strip: " + strip + " (expected: >= 0)");
        }
    }

    /// A frame that begins with a big-endian field, which counts the bytes behind it and is cut
    /// off.
    public static LengthField of(int bytes) {
        return new LengthField(0, bytes, 0, bytes, ByteOrder.BIG_ENDIAN);
    }

    /// The same behind `offset` other bytes.
    public LengthField offset(int offset) {
        return new LengthField(offset, bytes, adjustment, strip, order);
    }

    public LengthField adjustment(int adjustment) {
        return new LengthField(offset, bytes, adjustment, strip, order);
    }

    public LengthField strip(int strip) {
        return new LengthField(offset, bytes, adjustment, strip, order);
    }

    public LengthField littleEndian() {
        return new LengthField(offset, bytes, adjustment, strip, ByteOrder.LITTLE_ENDIAN);
    }

    /// First byte behind the field.
    int end() {
        return offset + bytes;
    }

    /// The value at `at`; negative when it is above 2^63 - 1.
    long get(Buffer in, int at) {
        boolean big = order == ByteOrder.BIG_ENDIAN;
        return switch (bytes) {
            case 1 -> in.getUnsignedByte(at);
            case 2 -> big ? in.getUnsignedShort(at) : in.getUnsignedShortLE(at);
            case 3 -> big ? in.getUnsignedMedium(at) : in.getUnsignedMediumLE(at);
            case 4 -> big ? in.getUnsignedInt(at) : in.getUnsignedIntLE(at);
            default -> big ? in.getLong(at) : in.getLongLE(at);
        };
    }

    /// The largest value that the field can have.
    long max() {
        return bytes == 8 ? Long.MAX_VALUE : (1L << (8 * bytes)) - 1;
    }

    void write(Buffer out, long value) {
        boolean big = order == ByteOrder.BIG_ENDIAN;
        switch (bytes) {
            case 1 -> out.writeByte((int) value);
            case 2 -> {
                int v = (int) value;
                var _ = big ? out.writeShort(v) : out.writeShortLE(v);
            }
            case 3 -> {
                int v = (int) value;
                var _ = big ? out.writeMedium(v) : out.writeMediumLE(v);
            }
            case 4 -> {
                int v = (int) value;
                var _ = big ? out.writeInt(v) : out.writeIntLE(v);
            }
            default -> {
                var _ = big ? out.writeLong(value) : out.writeLongLE(value);
            }
        }
    }
}
