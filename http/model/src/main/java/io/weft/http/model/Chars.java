package io.weft.http.model;

/// Classes of the 256 byte values: the elements that each may be part of.
final class Chars {
    /// RFC 9110, 5.6.2: `tchar`.
    static final int TOKEN = 1;

    /// RFC 3986, 3.3: a segment of a path and "/", without "%", which needs a look at what follows.
    static final int PATH = 2;

    /// Characters that may follow "?". These are more than in RFC 3986: browsers leave `[ ] ^ { |
    /// }` as they are there (WHATWG URL, query percent-encode set), and a lone "%".
    static final int QUERY = 4;

    /// RFC 3986, 3.2.2: `reg-name` without ",", which no host has but a list of hosts does.
    static final int HOST = 8;

    static final int DIGIT = 16;
    static final int HEX = 32;

    private static final byte[] TABLE = new byte[256];

    static {
        String digits = "0123456789";
        String letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
        allow(TOKEN, digits, letters, "!#$%&'*+-.^_`|~");
        allow(PATH, digits, letters, "-._~!$&'()*+,;=:@/");
        allow(QUERY, digits, letters, "-._~!$&'()*+,;=:@/?%[]^{|}");
        allow(HOST, digits, letters, "-._~!$&'()*+;=%");
        allow(DIGIT, digits);
        allow(HEX, digits, "ABCDEFabcdef");
    }

    private Chars() {}

    private static void allow(int kind, String... sets) {
        for (String set : sets) {
            for (int i = 0; i < set.length(); i++) {
                TABLE[set.charAt(i)] |= (byte) kind;
            }
        }
    }

    static boolean is(int kind, byte b) {
        return (TABLE[b & 0xFF] & kind) != 0;
    }

    static boolean is(int kind, char c) {
        return c < 256 && (TABLE[c] & kind) != 0;
    }

    static boolean isToken(CharSequence text) {
        for (int i = 0; i < text.length(); i++) {
            if (!is(TOKEN, text.charAt(i))) {
                return false;
            }
        }
        return !text.isEmpty();
    }

    /// ASCII only; what is no upper-case letter stays as it is.
    static int lower(int c) {
        return c >= 'A' && c <= 'Z' ? c + 32 : c;
    }

    /// `text` fit for a message or a log: at most 40 characters, all but printable ASCII escaped.
    static String quote(CharSequence text) {
        int end = Math.min(text.length(), 40);
        StringBuilder quoted = new StringBuilder(end + 8).append('"');
        for (int i = 0; i < end; i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c > 0x7E || c == '"' || c == '\\') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        quoted.append('"');
        return end < text.length() ? quoted.append("...").toString() : quoted.toString();
    }
}
