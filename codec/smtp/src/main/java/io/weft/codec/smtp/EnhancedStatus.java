package io.weft.codec.smtp;

import org.jspecify.annotations.Nullable;

/// An enhanced status code (RFC 3463), such as 5.1.1.
///
/// @param kind 2 for success, 4 for a temporary and 5 for a permanent failure
/// @param subject 0 to 999
/// @param detail 0 to 999
public record EnhancedStatus(int kind, int subject, int detail) {
    public EnhancedStatus {
        if (kind != 2 && kind != 4 && kind != 5) {
            throw new IllegalArgumentException("kind: " + kind + " (expected: 2, 4 or 5)");
        }
        if (subject < 0 || subject > 999 || detail < 0 || detail > 999) {
            throw new IllegalArgumentException(
                    "subject, detail: " + subject + ", " + detail + " (expected: 0..999)");
        }
    }

    /// Reads a code as it stands on the wire.
    ///
    /// @throws IllegalArgumentException when it is none
    public static EnhancedStatus of(String text) {
        EnhancedStatus status = parse(text, 0, text.length());
        if (status == null) {
            throw new IllegalArgumentException(
                    "status: " + text + " (expected: such as 2.1.0, see RFC 3463)");
        }
        return status;
    }

    /// The code in [from, to) of `text`; null if there is none. Leading zeros are not allowed (RFC
    /// 3463, section 2).
    static @Nullable EnhancedStatus parse(String text, int from, int to) {
        int[] numbers = new int[3];
        int at = from;
        for (int i = 0; i < 3; i++) {
            int start = at;
            while (at < to && at - start < 3 && Chars.isDigit(text.charAt(at))) {
                numbers[i] = numbers[i] * 10 + text.charAt(at++) - '0';
            }
            if (at == start || (at - start > 1 && text.charAt(start) == '0')) {
                return null;
            }
            if (i < 2 && (at == to || text.charAt(at++) != '.')) {
                return null;
            }
        }
        boolean known = numbers[0] == 2 || numbers[0] == 4 || numbers[0] == 5;
        return at == to && known ? new EnhancedStatus(numbers[0], numbers[1], numbers[2]) : null;
    }

    @Override
    public String toString() {
        return kind + "." + subject + "." + detail;
    }
}
