package io.weft.http.http1;

import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Classes of the 256 byte values, as characters, from the grammar of RFC 9110 and RFC 3986.
final class Bytes {
    private static final String ALPHANUMERIC =
            "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final String TOKEN = ALPHANUMERIC + "!#$%&'*+-.^_`|~";
    private static final String HOST = ALPHANUMERIC + "-._~!$&'()*+;=";
    private static final String PATH = HOST + ",:@/";

    private Bytes() {}

    private static Stream<String> all(IntPredicate filter) {
        return IntStream.range(0, 256).filter(filter).mapToObj(c -> Character.toString((char) c));
    }

    private static Stream<String> not(String chars) {
        return all(c -> chars.indexOf(c) < 0);
    }

    /// Bytes that no field value may have: controls but HTAB.
    static Stream<String> controls() {
        return all(c -> (c < 0x20 && c != '\t') || c == 0x7F);
    }

    /// Bytes of field values: VCHAR, obs-text, blanks.
    static Stream<String> text() {
        return all(c -> c == '\t' || (c >= 0x20 && c != 0x7F));
    }

    static Stream<String> token() {
        return all(c -> TOKEN.indexOf(c) >= 0);
    }

    static Stream<String> notToken() {
        return not(TOKEN);
    }

    static Stream<String> path() {
        return all(c -> PATH.indexOf(c) >= 0);
    }

    /// Bytes that no path has; `?` begins a query, and `%` two digits.
    static Stream<String> notPath() {
        return not(PATH + "?%");
    }

    /// Bytes that no query has, those aside that browsers send.
    static Stream<String> notQuery() {
        return not(PATH + "?%[]^{|}");
    }

    static Stream<String> host() {
        return all(c -> HOST.indexOf(c) >= 0);
    }

    static Stream<String> notHost() {
        return not(HOST + "%");
    }

    static Stream<String> notHex() {
        return not("0123456789ABCDEFabcdef");
    }
}
