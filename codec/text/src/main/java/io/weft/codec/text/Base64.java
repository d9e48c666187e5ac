package io.weft.codec.text;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import java.util.Arrays;

/// Base 64 (RFC 4648) from buffer to buffer. Each sequence of bytes has one encoding, and only that
/// one is accepted: no line ends, no missing padding, no bits that are set behind the end (RFC
/// 4648, 3.5 and 12).
@SuppressWarnings("ImmutableEnumChecker") // its arrays do not change
public enum Base64 {
    /// With `+` and `/`, padded (section 4).
    STANDARD('+', '/', true),

    /// With `-` and `_`, padded (section 5).
    URL_SAFE('-', '_', true),

    /// With `-` and `_`, not padded, as JSON Web Tokens have it (RFC 7515, 2).
    URL_SAFE_UNPADDED('-', '_', false);

    private final byte[] digits =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789??".getBytes(US_ASCII);

    /// -1 for what is no digit.
    private final byte[] values = new byte[256];

    private final boolean padded;

    Base64(char digit62, char digit63, boolean padded) {
        digits[62] = (byte) digit62;
        digits[63] = (byte) digit63;
        Arrays.fill(values, (byte) -1);
        for (int i = 0; i < 64; i++) {
            values[digits[i]] = (byte) i;
        }
        this.padded = padded;
    }

    /// Returns the number of bytes that the encoding of `length` bytes takes.
    ///
    /// @throws ArithmeticException when no buffer could hold it
    public int encodedLength(int length) {
        long full = length / 3 * 4L;
        int rest = length % 3;
        return Math.toIntExact(full + (rest == 0 ? 0 : padded ? 4 : rest + 1));
    }

    /// Takes the readable bytes of `from` and appends their encoding to `to`.
    public void encode(Buffer from, Buffer to) {
        to.ensureWritable(encodedLength(from.readableBytes()));
        for (; from.readableBytes() >= 3; ) {
            int bits = from.readUnsignedMedium();
            to.writeInt(
                    digits[bits >>> 18] << 24
                            | digits[bits >>> 12 & 63] << 16
                            | digits[bits >>> 6 & 63] << 8
                            | digits[bits & 63]);
        }
        int rest = from.readableBytes();
        if (rest == 1) {
            int bits = from.readUnsignedByte();
            to.writeByte(digits[bits >>> 2]).writeByte(digits[bits << 4 & 63]);
        } else if (rest == 2) {
            int bits = from.readUnsignedShort();
            to.writeByte(digits[bits >>> 10]).writeByte(digits[bits >>> 4 & 63]);
            to.writeByte(digits[bits << 2 & 63]);
        }
        if (padded && rest > 0) {
            to.writeByte('=');
            if (rest == 1) {
                to.writeByte('=');
            }
        }
    }

    /// Takes the readable bytes of `from` and appends what they encode to `to`. When it throws,
    /// some may be there.
    ///
    /// @throws CorruptedFrameException when `from` is not the encoding of anything
    public void decode(Buffer from, Buffer to) {
        int length = withoutPadding(from);
        to.ensureWritable(length / 4 * 3 + 2);
        int at = from.readOffset();
        int end = at + length;
        for (; at <= end - 4; at += 4) {
            int a = values[from.getUnsignedByte(at)];
            int b = values[from.getUnsignedByte(at + 1)];
            int c = values[from.getUnsignedByte(at + 2)];
            int d = values[from.getUnsignedByte(at + 3)];
            if ((a | b | c | d) < 0) {
                throw corrupted(from, at, at + 4);
            }
            to.writeMedium(a << 18 | b << 12 | c << 6 | d);
        }
        int bits = 0;
        for (int i = at; i < end; i++) {
            int value = values[from.getUnsignedByte(i)];
            if (value < 0) {
                throw corrupted(from, at, end);
            }
            bits = bits << 6 | value;
        }
        int rest = end - at;
        if (rest == 1 || (rest == 2 && (bits & 15) != 0) || (rest == 3 && (bits & 3) != 0)) {
            throw corrupted(from, at, end);
        }
        if (rest == 2) {
            to.writeByte(bits >>> 4);
        } else if (rest == 3) {
            to.writeShort(bits >>> 2);
        }
        from.readOffset(from.writeOffset());
    }

    private int withoutPadding(Buffer from) {
        int length = from.readableBytes();
        if (!padded) {
            return length;
        }
        int end = from.writeOffset();
        if (length % 4 != 0) {
            throw corrupted(from, from.readOffset(), end);
        }
        if (length == 0 || from.getByte(end - 1) != '=') {
            return length;
        }
        return from.getByte(end - 2) == '=' ? length - 2 : length - 1;
    }

    private CorruptedFrameException corrupted(Buffer from, int at, int end) {
        return new CorruptedFrameException(
                "base64: " + DecoderException.quote(from, at, end) + " (expected: " + this + ")");
    }
}
