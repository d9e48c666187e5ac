package io.weft.codec.xml;

import io.weft.buffer.Buffer;

/// Classes of bytes, and searches for those that end a run of plain text.
final class XmlBytes {
    private static final long ONES = 0x0101_0101_0101_0101L;
    private static final long HIGH = 0x8080_8080_8080_8080L;
    private static final long SPACES = 0x20 * ONES;
    private static final long AMPERSANDS = '&' * ONES;

    /// Without the bits in which `<` and `]` differ, they are what few others are: `=`, `\`, `}`.
    private static final long BUT_3_BITS = 0x9E9E_9E9E_9E9E_9E9EL;

    private static final long LESS_THANS_OR_BRACKETS = ('<' & 0x9E) * ONES;

    private static final long QUOTES = '"' * ONES;

    /// Without the bits in which the quotes and `&` differ.
    private static final long BUT_QUOTES = 0xFAFA_FAFA_FAFA_FAFAL;

    private static final long LESS_THANS = '<' * ONES;
    private static final long EQUALS = '=' * ONES;
    private static final long APOSTROPHES = '\'' * ONES;
    private static final long SLASHES = '/' * ONES;
    private static final long GREATER_THANS = '>' * ONES;

    private static final byte PLAIN = 1;
    private static final byte NAME = 2;
    private static final byte TAG = 4;
    private static final byte VALUE = 8;

    private static final byte[] KINDS = new byte[256];

    static {
        for (int b = 0; b < 256; b++) {
            boolean plain =
                    (b >= 0x20 && b < 0x80 && b != '<' && b != '&' && b != ']')
                            || b == '\t'
                            || b == '\n';
            boolean name =
                    b >= 0x80 || Character.isLetterOrDigit(b) || "_:-.".indexOf((char) b) >= 0;
            boolean tag = "\"'/<>".indexOf((char) b) >= 0;
            boolean value = b >= 0x20 && b < 0x80 && "\"'&<".indexOf((char) b) < 0;
            KINDS[b] =
                    (byte)
                            ((plain ? PLAIN : 0)
                                    | (name ? NAME : 0)
                                    | (tag ? TAG : 0)
                                    | (value ? VALUE : 0));
        }
    }

    private XmlBytes() {}

    static boolean isSpace(byte b) {
        return b == ' ' || b == '\n' || b == '\r' || b == '\t';
    }

    /// Tells if `b` may be one of a name; names are checked when they are seen first.
    static boolean isName(byte b) {
        return (KINDS[b & 0xFF] & NAME) != 0;
    }

    /// Index of the first byte in [from, to) that is none of a plain text: no ASCII, a control but
    /// tab and LF, `<`, `&` or `]`.
    static int endOfPlain(byte[] in, int from, int to) {
        int i = from;
        while (true) {
            // Loops that C2 counts.
            for (int last = to - 32; i <= last; i += 32) {
                long found = special(XmlWindow.word(in, i)) | special(XmlWindow.word(in, i + 8));
                found |= special(XmlWindow.word(in, i + 16)) | special(XmlWindow.word(in, i + 24));
                if ((found & HIGH) != 0) {
                    break;
                }
            }
            for (int last = to - 8; i <= last; i += 8) {
                if ((special(XmlWindow.word(in, i)) & HIGH) != 0) {
                    break;
                }
            }
            int end = Math.min(to, i + 8);
            for (; i < end; i++) {
                if ((KINDS[in[i] & 0xFF] & PLAIN) == 0) {
                    return i;
                }
            }
            if (i == to) {
                return to;
            }
        }
    }

    /// Non-zero in a high bit if a byte is special, and for some that are not.
    private static long special(long word) {
        // Without the high bit, which is special too, x - 1 has it for x = 0 alone.
        return word
                | (word - SPACES)
                | ((word ^ AMPERSANDS) - ONES)
                | (((word & BUT_3_BITS) ^ LESS_THANS_OR_BRACKETS) - ONES);
    }

    /// Index of the first byte in [from, to) that has a meaning in a tag: a quote, `/`, `<` or `>`.
    static int endOfPlainTag(Buffer in, int from, int to) {
        int i = from;
        for (int last = to - 8; i <= last; i += 8) {
            long found = ofTag(in.getLongLE(i));
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < to && (KINDS[in.getByte(i) & 0xFF] & TAG) == 0) {
            i++;
        }
        return i;
    }

    /// As above, in an array.
    static int endOfPlainTag(byte[] in, int from, int to) {
        int i = from;
        for (int last = to - 8; i <= last; i += 8) {
            long found = ofTag(XmlWindow.word(in, i));
            if (found != 0) {
                return i + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (i < to && (KINDS[in[i] & 0xFF] & TAG) == 0) {
            i++;
        }
        return i;
    }

    /// The lowest bit that is set is the high one of the first byte that has a meaning in a tag.
    private static long ofTag(long word) {
        // '<' and '>' differ in one bit.
        long found = zero(word ^ QUOTES) | zero(word ^ APOSTROPHES);
        found |= zero(word ^ SLASHES) | zero((word | 2 * ONES) ^ GREATER_THANS);
        return found & HIGH;
    }

    private static long zero(long word) {
        return (word - ONES) & ~word;
    }

    /// Index of the first byte in [from, to) that is none of a UTF-8 text of characters beyond
    /// ASCII, or that begins a character which is not whole there.
    ///
    /// @throws XmlException if a character is malformed, or none of XML
    static int endOfUnicode(byte[] in, int from, int to) {
        int i = from;
        while (i < to && in[i] < 0) {
            int length = characterLength(in, i, to);
            if (length > to - i) {
                return i;
            }
            i += length;
        }
        return i;
    }

    /// Index of the first byte in [from, to) that begins a character which is not whole there.
    ///
    /// @throws XmlException if a character is malformed, or none of XML
    static int endOfName(byte[] in, int from, int to) {
        int i = from;
        while (i < to) {
            if (in[i] >= 0) {
                i++;
                continue;
            }
            int end = endOfUnicode(in, i, to);
            if (end == i) {
                return i;
            }
            i = end;
        }
        return to;
    }

    /// Bytes of the character at `at`, as far as they are there: more than that if it is not whole.
    private static int characterLength(byte[] in, int at, int to) {
        int first = (in[at] & 0xFF);
        if (first < 0xC2 || first > 0xF4) {
            throw notText(in, at);
        }
        int length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
        // The ranges exclude longer forms than needed, surrogates, and what lies above U+10FFFF.
        int min = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
        int max = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
        for (int i = at + 1; i < Math.min(to, at + length); i++) {
            int b = (in[i] & 0xFF);
            if (b < min || b > max) {
                throw notText(in, i);
            }
            min = 0x80;
            max = 0xBF;
        }
        boolean whole = length <= to - at;
        if (whole && first == 0xEF && (in[at + 1] & 0xFF) == 0xBF && (in[at + 2] & 0xFF) >= 0xBE) {
            throw new XmlException("character U+FFFE or U+FFFF (expected: one of XML)");
        }
        return length;
    }

    private static XmlException notText(byte[] in, int at) {
        return new XmlException(
                "byte 0x" + Integer.toHexString((in[at] & 0xFF)) + " (expected: UTF-8)");
    }

    /// Value of the reference in [from, to), without its `&` and `;`.
    ///
    /// @throws XmlException for all but the five of XML itself, and characters of XML
    static int reference(byte[] in, int from, int to) {
        if (to - from > 1 && in[from] == '#') {
            return number(in, from + 1, to);
        }
        int length = to - from;
        if (length == 2 && in[from + 1] == 't') {
            if (in[from] == 'l') {
                return '<';
            }
            if (in[from] == 'g') {
                return '>';
            }
        }
        if (is(in, from, to, "amp")) {
            return '&';
        }
        if (is(in, from, to, "quot")) {
            return '"';
        }
        if (is(in, from, to, "apos")) {
            return '\'';
        }
        throw XmlException.restricted("reference: to no known entity (expected: one of XML)");
    }

    private static int number(byte[] in, int from, int to) {
        boolean hex = in[from] == 'x';
        long number = hex && from + 1 == to ? -1 : 0;
        for (int i = hex ? from + 1 : from; i < to && number >= 0 && number < 0x11_0000; i++) {
            byte b = in[i];
            int digit = b < 0 ? -1 : Character.digit(b, hex ? 16 : 10);
            number = digit < 0 ? -1 : number * (hex ? 16 : 10) + digit;
        }
        if (number < 0 || number > Character.MAX_CODE_POINT || !XmlText.isChar((int) number)) {
            throw new XmlException("reference: to no character (expected: one of XML)");
        }
        return (int) number;
    }

    /// Index of the first byte in [from, to) that is none of a plain value: a quote, `&`, `<`, a
    /// control, or no ASCII. A word can be read behind the last.
    static int endOfPlainValue(byte[] in, int from, int to) {
        for (int i = from; i < to; i += 8) {
            long word = XmlWindow.word(in, i);
            // '#' is among these too.
            long found = ((word & BUT_QUOTES) ^ QUOTES) - ONES;
            found |= word | (word - SPACES) | ((word ^ LESS_THANS) - ONES);
            if ((found & HIGH) != 0) {
                i += Long.numberOfTrailingZeros(found & HIGH) >>> 3;
                while (i < to && (KINDS[in[i] & 0xFF] & VALUE) != 0) {
                    i++;
                }
                return Math.min(i, to);
            }
        }
        return to;
    }

    /// Index of the first byte in [from, to) that is white space, a control, `=`, `/` or `>`. A
    /// word can be read behind the last.
    static int endOfPlainName(byte[] in, int from, int to) {
        for (int i = from; i < to; i += 8) {
            long word = XmlWindow.word(in, i);
            long found = zero(word ^ EQUALS) | zero(word ^ SLASHES) | zero(word ^ GREATER_THANS);
            found |= (word - SPACES - ONES) & ~word;
            if ((found & HIGH) != 0) {
                return Math.min(to, i + (Long.numberOfTrailingZeros(found & HIGH) >>> 3));
            }
        }
        return to;
    }

    static int indexOf(byte[] in, byte b, int from, int to) {
        for (int i = from; i < to; i++) {
            if (in[i] == b) {
                return i;
            }
        }
        return -1;
    }

    static boolean is(byte[] in, int from, int to, String ascii) {
        boolean same = to - from == ascii.length();
        for (int i = 0; same && i < ascii.length(); i++) {
            same = in[from + i] == ascii.charAt(i);
        }
        return same;
    }
}
