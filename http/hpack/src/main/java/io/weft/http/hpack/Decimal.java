package io.weft.http.hpack;

/// Numbers that are not negative, in decimal.
final class Decimal {
    /// Digits of the largest one.
    static final int MAX_LENGTH = 19;

    private Decimal() {}

    /// Writes the digits of a number to the beginning of `to`, which has room for [#MAX_LENGTH].
    ///
    /// @return how many they are
    static int write(long number, byte[] to) {
        if (number < 0) {
            throw new IllegalArgumentException("number: " + number + " (expected: at least 0)");
        }
        int length = length(number);
        long left = number;
        for (int at = length - 1; at >= 0; at--) {
            to[at] = (byte) ('0' + left % 10);
            left /= 10;
        }
        return length;
    }

    private static int length(long number) {
        int length = 1;
        for (long left = number; left >= 10; left /= 10) {
            length++;
        }
        return length;
    }
}
