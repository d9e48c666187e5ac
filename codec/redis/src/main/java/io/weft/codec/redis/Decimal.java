package io.weft.codec.redis;

import io.weft.buffer.Buffer;

/// Writes integers as digits.
final class Decimal {
    /// Bytes of the longest line: a type, a sign, 19 digits, CR LF.
    static final int MAX_LINE = 23;

    private Decimal() {}

    /// Writes `prefix`, the digits of `value`, CR LF: the line of a length, mostly of one digit.
    static void line(Buffer to, int prefix, long value) {
        if (value >= 0 && value < 10) {
            to.writeInt(prefix << 24 | (int) ('0' + value) << 16 | '\r' << 8 | '\n');
        } else {
            to.writeByte(prefix);
            digits(to, value);
            to.writeShort('\r' << 8 | '\n');
        }
    }

    static void digits(Buffer to, long value) {
        long rest = value > 0 ? -value : value; // as there is one negative number more
        int length = length(rest) + (value < 0 ? 1 : 0);
        to.ensureWritable(length);
        int start = to.writeOffset();
        int at = start + length;
        to.writeOffset(at);
        while (rest <= -100) {
            int two = (int) (rest % 100);
            rest /= 100;
            at -= 2;
            to.setShort(at, ('0' - two / 10) << 8 | ('0' - two % 10));
        }
        if (rest <= -10) {
            at -= 2;
            to.setShort(at, (int) ('0' - rest / 10) << 8 | (int) ('0' - rest % 10));
        } else {
            to.setByte(--at, (int) ('0' - rest));
        }
        if (value < 0) {
            to.setByte(start, '-');
        }
    }

    /// The number of digits of `value`, which is not positive.
    private static int length(long value) {
        int length = 1;
        for (long least = -10; value <= least; least *= 10) {
            length++;
            if (length == 19) {
                break;
            }
        }
        return length;
    }
}
