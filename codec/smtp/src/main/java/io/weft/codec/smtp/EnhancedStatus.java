package io.weft.codec.smtp;

import org.jspecify.annotations.Nullable;

/// An enhanced status code (RFC 3463), such as 5.1.1.
///
/// @param kind 2 for success, 4 for a temporary and 5 for a permanent failure
/// @param subject 0 to 999
/// @param detail 0 to 999
public record EnhancedStatus(int kind, int subject, int detail) {
    private static final int SUBJECTS = 8;
    private static final int DETAILS = 32;

    public EnhancedStatus {
        if (kind != 2 && kind != 4 && kind != 5) {
            throw new IllegalArgumentException("kind: " + kind + " (expected: 2, 4 or 5)");
        }
        if (subject < 0 || subject > 999 || detail < 0 || detail > 999) {
            throw new IllegalArgumentException(
                    "subject, detail: " + subject + ", " + detail + " (expected: 0..999)");
        }
    }

    /// Those that are in use, each made once.
    private static final EnhancedStatus[] KNOWN = new EnhancedStatus[3 * SUBJECTS * DETAILS];

    static {
        for (int i = 0; i < KNOWN.length; i++) {
            int kind = i / (SUBJECTS * DETAILS);
            KNOWN[i] =
                    new EnhancedStatus(
                            kind == 0 ? 2 : kind + 3, i / DETAILS % SUBJECTS, i % DETAILS);
        }
    }

    private static EnhancedStatus known(int kind, int subject, int detail) {
        if (subject >= SUBJECTS || detail >= DETAILS) {
            return new EnhancedStatus(kind, subject, detail);
        }
        return KNOWN[((kind == 2 ? 0 : kind - 3) * SUBJECTS + subject) * DETAILS + detail];
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
        int kind = number(text, from, to);
        int dot = endOfNumber(text, from, to);
        int subject = isDot(text, dot, to) ? number(text, dot + 1, to) : -1;
        int next = subject < 0 ? to : endOfNumber(text, dot + 1, to);
        int detail = isDot(text, next, to) ? number(text, next + 1, to) : -1;
        boolean good =
                (kind == 2 || kind == 4 || kind == 5)
                        && detail >= 0
                        && endOfNumber(text, next + 1, to) == to;
        return good ? known(kind, subject, detail) : null;
    }

    private static boolean isDot(String text, int at, int to) {
        return at < to && text.charAt(at) == '.';
    }

    private static int endOfNumber(String text, int from, int to) {
        int i = from;
        while (i < to && Chars.isDigit(text.charAt(i))) {
            i++;
        }
        return i;
    }

    /// The number of up to three digits at `from`; -1 if there is none.
    private static int number(String text, int from, int to) {
        int end = endOfNumber(text, from, to);
        int length = end - from;
        if (length == 0 || length > 3 || (length > 1 && text.charAt(from) == '0')) {
            return -1;
        }
        int number = 0;
        for (int i = from; i < end; i++) {
            number = number * 10 + text.charAt(i) - '0';
        }
        return number;
    }

    @Override
    public String toString() {
        return kind + "." + subject + "." + detail;
    }
}
