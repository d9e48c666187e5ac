package io.weft.http.http1;

import io.weft.buffer.Buffer;

/// Numbers as text, without a string in between.
final class Digits {
    static final int MAX_HEX = 16;

    private Digits() {}

    static void writeDecimal(long value, Buffer out) {
        long unit = 1;
        for (long rest = value; rest >= 10; rest /= 10) {
            unit *= 10;
        }
        for (; unit > 0; unit /= 10) {
            out.writeByte('0' + (int) (value / unit % 10));
        }
    }

    static void writeHex(long value, Buffer out) {
        int digits = Math.max(1, (67 - Long.numberOfLeadingZeros(value)) >>> 2);
        for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
            int digit = (int) (value >>> shift) & 15;
            out.writeByte(digit < 10 ? '0' + digit : 'a' - 10 + digit);
        }
    }
}
