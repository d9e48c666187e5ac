package io.weft.http.hpack;

import org.jspecify.annotations.Nullable;

/// The pseudo-header fields of HTTP/2 (RFC 9113, 8.3; RFC 8441, 4).
public enum PseudoHeader {
    AUTHORITY(":authority", 1, 0),
    METHOD(":method", 2, 1),
    PATH(":path", 4, 2),
    SCHEME(":scheme", 6, 3),
    STATUS(":status", 8, 4),
    PROTOCOL(":protocol", 0, 5);

    private final String field;

    /// The first entry of the static table with this name; 0 when there is none.
    final int staticIndex;

    /// From 0 on.
    final int number;

    PseudoHeader(String field, int staticIndex, int number) {
        this.field = field;
        this.staticIndex = staticIndex;
        this.number = number;
    }

    /// Returns the name of the field, with its colon.
    public String field() {
        return field;
    }

    /// The one that [from, to) spells. No two names have the same length and the same third byte.
    static @Nullable PseudoHeader of(byte[] bytes, int from, int to) {
        int length = to - from;
        PseudoHeader found =
                switch (length) {
                    case 5 -> PATH;
                    case 7 ->
                            switch (bytes[from + 1]) {
                                case 'm' -> METHOD;
                                case 's' -> bytes[from + 2] == 'c' ? SCHEME : STATUS;
                                default -> null;
                            };
                    case 9 -> PROTOCOL;
                    case 10 -> AUTHORITY;
                    default -> null;
                };
        if (found == null) {
            return null;
        }
        for (int i = 0; i < length; i++) {
            if (bytes[from + i] != found.field.charAt(i)) {
                return null;
            }
        }
        return found;
    }
}
