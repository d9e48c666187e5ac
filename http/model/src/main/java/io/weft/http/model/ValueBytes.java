package io.weft.http.model;

import java.nio.charset.StandardCharsets;

/// Comparisons of bytes, one a character, with text in any case.
final class ValueBytes {
    private ValueBytes() {}

    static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    static boolean equalsIgnoreCase(byte[] bytes, int from, int to, String text) {
        if (to - from != text.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (Chars.lower(bytes[from + i] & 0xFF) != Chars.lower(text.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /// Tells if `token` is in the comma-separated list of [from, to).
    static boolean listHas(byte[] bytes, int from, int to, String token) {
        int start = from;
        for (int i = from; i <= to; i++) {
            if (i == to || bytes[i] == ',') {
                int first = start;
                int end = i;
                while (first < end && FieldSection.isBlank(bytes[first])) {
                    first++;
                }
                while (end > first && FieldSection.isBlank(bytes[end - 1])) {
                    end--;
                }
                if (equalsIgnoreCase(bytes, first, end, token)) {
                    return true;
                }
                start = i + 1;
            }
        }
        return false;
    }
}
