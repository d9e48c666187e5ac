package io.weft.http.model;

/// Text in JSON (RFC 8259, 7).
final class Json {
    private Json() {}

    /// Adds `text` with its quotes.
    static void quote(String text, StringBuilder to) {
        to.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> to.append('\\').append(c);
                case '\n' -> to.append("\\n");
                case '\r' -> to.append("\\r");
                case '\t' -> to.append("\\t");
                default -> {
                    // U+2028 and U+2029 end lines in JavaScript, and "<" may end a script.
                    if (c < 0x20 || c == 0x7F || c == '<' || c == 0x2028 || c == 0x2029) {
                        to.append(String.format("\\u%04x", (int) c));
                    } else {
                        to.append(c);
                    }
                }
            }
        }
        to.append('"');
    }
}
