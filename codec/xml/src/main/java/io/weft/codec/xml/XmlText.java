package io.weft.codec.xml;

/// Characters of XML 1.0 (fifth edition), 2.2 and 2.3, and their escapes.
final class XmlText {
    private XmlText() {}

    static boolean isChar(int c) {
        return c == '\t'
                || c == '\n'
                || c == '\r'
                || (c >= 0x20 && c <= 0xD7FF)
                || (c >= 0xE000 && c <= 0xFFFD)
                || c >= 0x10000;
    }

    private static boolean isNameStart(int c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || c == '_'
                || (c >= 0xC0 && c <= 0x2FF && c != 0xD7 && c != 0xF7)
                || (c >= 0x370 && c <= 0x1FFF && c != 0x37E)
                || (c >= 0x200C && c <= 0x200D)
                || (c >= 0x2070 && c <= 0x218F)
                || (c >= 0x2C00 && c <= 0x2FEF)
                || (c >= 0x3001 && c <= 0xD7FF)
                || (c >= 0xF900 && c <= 0xFDCF)
                || (c >= 0xFDF0 && c <= 0xFFFD)
                || (c >= 0x10000 && c <= 0xEFFFF);
    }

    private static boolean isNamePart(int c) {
        return isNameStart(c)
                || c == '-'
                || c == '.'
                || (c >= '0' && c <= '9')
                || c == 0xB7
                || (c >= 0x300 && c <= 0x36F)
                || (c >= 0x203F && c <= 0x2040);
    }

    /// Index of the first control or surrogate from `from` on. A loop that does nothing else is one
    /// that C2 counts.
    private static int endOfPlain(String text, int from) {
        int length = text.length();
        for (int i = from; i < length; i++) {
            char unit = text.charAt(i);
            if (unit < ' ' || unit >= Character.MIN_SURROGATE) {
                return i;
            }
        }
        return length;
    }

    static void requireChars(String what, String text) {
        for (int i = endOfPlain(text, 0); i < text.length(); i = endOfPlain(text, i)) {
            int c = text.codePointAt(i);
            if (!isChar(c)) {
                throw new IllegalArgumentException(
                        "%s: character 0x%x at %d (expected: one of XML)".formatted(what, c, i));
            }
            i += Character.charCount(c);
        }
    }

    /// Requires a name without a colon, as of namespaces.
    static void requireName(String what, String name) {
        boolean good = !name.isEmpty();
        for (int i = 0; i < name.length() && good; ) {
            int c = name.codePointAt(i);
            good = i == 0 ? isNameStart(c) : isNamePart(c);
            i += Character.charCount(c);
        }
        if (!good) {
            throw new IllegalArgumentException(
                    what + ": " + quote(name) + " (expected: a name of XML without a colon)");
        }
    }

    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length() && i < 40; i++) {
            char c = text.charAt(i);
            quoted.append(c < 0x20 || c > 0x7E || c == '"' || c == '\\' ? '?' : c);
        }
        return quoted.append(text.length() > 40 ? "...\"" : "\"").toString();
    }

    /// Appends `text` with references for what has a meaning in texts or values.
    static void escape(String text, boolean isValue, StringBuilder to) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> to.append("&amp;");
                case '<' -> to.append("&lt;");
                case '>' -> to.append("&gt;");
                case '"' -> to.append("&quot;");
                case '\r' -> to.append("&#13;"); // XML 2.11: it would be read as LF
                case '\n', '\t' -> {
                    if (isValue) {
                        to.append("&#").append((int) c).append(';'); // 3.3.3: read as space
                    } else {
                        to.append(c);
                    }
                }
                default -> to.append(c);
            }
        }
    }
}
