package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Classes of characters.
final class Chars {
    private Chars() {}

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    static boolean isLetter(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    static boolean isLetterOrDigit(int c) {
        return isDigit(c) || isLetter(c);
    }

    /// The `atext` of RFC 5322, 3.2.3, with what RFC 6531, 3.3 adds.
    static boolean isAtom(int c) {
        return isLetterOrDigit(c) || isInternational(c) || "!#$%&'*+-/=?^_`{|}~".indexOf(c) >= 0;
    }

    /// Tells if `c` may stand in an internationalized address: no control, no surrogate alone.
    static boolean isInternational(int c) {
        return c > 0x9F
                && !(c >= 0xD800 && c <= 0xDFFF)
                && c != 0x2028
                && c != 0x2029
                && (c & 0xFFFE) != 0xFFFE;
    }

    /// In upper case, ASCII alone: in Unicode, a long s is the small letter of S, and a dotless i
    /// that of I.
    static String upper(String text) {
        int i = 0;
        while (i < text.length() && !isLower(text.charAt(i))) {
            i++;
        }
        if (i == text.length()) {
            return text;
        }
        char[] chars = text.toCharArray();
        for (; i < chars.length; i++) {
            chars[i] = isLower(chars[i]) ? (char) (chars[i] - 0x20) : chars[i];
        }
        return new String(chars);
    }

    private static boolean isLower(char c) {
        return c >= 'a' && c <= 'z';
    }

    /// Tells if two texts are the same, whatever the case of ASCII letters.
    static boolean same(String a, String b) {
        return a.length() == b.length() && upper(a).equals(upper(b));
    }

    static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }

    static int utf8Length(String text) {
        return isAscii(text) ? text.length() : text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// Text of one line: printable ASCII, space, tab, and what is not ASCII but no control.
    static String requireText(String name, String text) {
        for (int i = 0; i < text.length(); ) {
            int c = text.charAt(i);
            if (c >= 0x20 && c < 0x7F) {
                i++; // nearly all
                continue;
            }
            c = text.codePointAt(i);
            if ((c < 0x20 && c != '\t') || (c >= 0x7F && !isInternational(c))) {
                throw new IllegalArgumentException(
                        "%s: character 0x%02x at %d (expected: text without controls)"
                                .formatted(name, c, i));
            }
            i += Character.charCount(c);
        }
        return text;
    }

    /// [from, to) of `in` in UTF-8; null if it is none.
    static @Nullable String utf8(Buffer in, int from, int to) {
        boolean ascii = true;
        for (int i = from; i < to && ascii; i++) {
            ascii = in.getByte(i) >= 0;
        }
        if (ascii) {
            return in.getString(from, to - from, StandardCharsets.ISO_8859_1);
        }
        byte[] bytes = new byte[to - from];
        in.getBytes(from, bytes, 0, bytes.length);
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }
}
