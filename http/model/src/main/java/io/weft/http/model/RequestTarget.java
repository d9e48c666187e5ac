package io.weft.http.model;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The target of a request (RFC 9112, 3.2), as it stands in the request line. Immutable and
/// validated: it is ASCII without blanks, controls, `#`, `"`, `<`, `>`, `\` or `` ` ``, and "%" in
/// a path begins two hex digits. Nothing is decoded or normalised.
public final class RequestTarget {
    /// The four forms of RFC 9112, 3.2.1 to 3.2.4.
    public enum Form {
        ORIGIN,
        ABSOLUTE,
        AUTHORITY,
        ASTERISK
    }

    /// `/`
    public static final RequestTarget ROOT = new RequestTarget("/", Form.ORIGIN, 0, -1);

    /// `*`, for OPTIONS about the server itself.
    public static final RequestTarget ASTERISK = new RequestTarget("*", Form.ASTERISK, 0, -1);

    private final String text;
    private final Form form;
    private final int pathStart;

    /// Of "?", or -1.
    private final int queryMark;

    private RequestTarget(String text, Form form, int pathStart, int queryMark) {
        this.text = text;
        this.form = form;
        this.pathStart = pathStart;
        this.queryMark = queryMark;
    }

    /// The target that `text` is: `/path?query`, `http://host/path?query`, `host:port` or `*`.
    ///
    /// @throws IllegalArgumentException when it is none of these
    public static RequestTarget of(String text) {
        if (text.equals("/")) {
            return ROOT;
        }
        if (text.equals("*")) {
            return ASTERISK;
        }
        if (text.startsWith("/")) {
            return new RequestTarget(text, Form.ORIGIN, 0, checkPathAndQuery(text, 0));
        }
        int authority = authorityStart(text);
        if (authority == 0) {
            checkAuthority(text, 0, text.length(), true);
            return new RequestTarget(text, Form.AUTHORITY, text.length(), -1);
        }
        int pathStart = authority;
        while (pathStart < text.length() && "/?#".indexOf(text.charAt(pathStart)) < 0) {
            pathStart++;
        }
        checkAuthority(text, authority, pathStart, false);
        return new RequestTarget(
                text, Form.ABSOLUTE, pathStart, checkPathAndQuery(text, pathStart));
    }

    /// The target that bytes [from, to) of `in` spell.
    ///
    /// @throws IllegalArgumentException when they are no target
    public static RequestTarget parse(Buffer in, int from, int to) {
        if (to - from == 1 && in.getByte(from) == '/') {
            return ROOT;
        }
        return of(Wire.text(in, from, to));
    }

    /// Tells if bytes [from, to) of `in` spell this target.
    public boolean isAt(Buffer in, int from, int to) {
        return Wire.equals(in, from, to - from, text);
    }

    private static int authorityStart(String text) {
        if (text.regionMatches(true, 0, "http://", 0, 7)) {
            return 7;
        }
        return text.regionMatches(true, 0, "https://", 0, 8) ? 8 : 0;
    }

    private static void checkAuthority(String text, int from, int to, boolean portRequired) {
        byte[] bytes = text.substring(from, to).getBytes(ISO_8859_1);
        if (!Authority.isValid(bytes, 0, bytes.length, portRequired)) {
            throw refused(text, "/path, http://host[:port]/path, host:port or *");
        }
    }

    /// Returns where "?" is, or -1.
    private static int checkPathAndQuery(String text, int from) {
        int length = text.length();
        for (int i = from; i < length; i++) {
            char c = text.charAt(i);
            if (!Chars.is(Chars.PATH, c)) {
                if (c == '?') {
                    checkQuery(text, i + 1);
                    return i;
                }
                if (c != '%' || !isPercentEncoded(text, i)) {
                    throw refused(text, "characters that a path may have");
                }
            }
        }
        return -1;
    }

    private static boolean isPercentEncoded(String text, int at) {
        return at + 2 < text.length()
                && Chars.is(Chars.HEX, text.charAt(at + 1))
                && Chars.is(Chars.HEX, text.charAt(at + 2));
    }

    private static void checkQuery(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (!Chars.is(Chars.QUERY, text.charAt(i))) {
                throw refused(text, "characters that a query may have");
            }
        }
    }

    private static IllegalArgumentException refused(String text, String expected) {
        return new IllegalArgumentException(
                "request target: " + Chars.quote(text) + " (expected: " + expected + ")");
    }

    public Form form() {
        return form;
    }

    /// Still percent-encoded. `/` when an absolute form has none; empty for the other two forms.
    public String path() {
        if (form == Form.ASTERISK) {
            return "";
        }
        String path = text.substring(pathStart, queryMark < 0 ? text.length() : queryMark);
        return path.isEmpty() && form == Form.ABSOLUTE ? "/" : path;
    }

    /// Returns the segments of the path, decoded: `a`, `b/c` and an empty one for `/a/b%2Fc/`, and
    /// none for `/`. Dots are segments like others. Bytes that are no UTF-8 become U+FFFD.
    public List<String> segments() {
        String path = path();
        List<String> segments = new ArrayList<>();
        for (int from = 1; from <= path.length() && path.length() > 1; ) {
            int slash = path.indexOf('/', from);
            int end = slash < 0 ? path.length() : slash;
            segments.add(PercentCoding.decode(path, from, end, false));
            from = end + 1;
        }
        return segments;
    }

    /// Returns the part behind "?", still percent-encoded; null if there is no "?".
    public @Nullable String query() {
        return queryMark < 0 ? null : text.substring(queryMark + 1);
    }

    /// Returns [#path], and [#query] behind "?" if there is one: the target in origin form. Empty
    /// for the forms without a path.
    public String pathAndQuery() {
        String query = query();
        return query == null ? path() : path() + "?" + query;
    }

    /// Host and port, if the target names them: it then stands above the Host field (RFC 9112,
    /// 3.2.2).
    public @Nullable String authority() {
        return switch (form) {
            case ORIGIN, ASTERISK -> null;
            case AUTHORITY -> text;
            case ABSOLUTE -> text.substring(authorityStart(text), pathStart);
        };
    }

    /// Tells if a request of this target asks about the server itself: it is `*`, or the absolute
    /// form of OPTIONS without path and query (RFC 9112, 3.2.4).
    public boolean isOfServer(Method method) {
        return form == Form.ASTERISK
                || (form == Form.ABSOLUTE
                        && pathStart == text.length()
                        && method == Method.OPTIONS);
    }

    /// As in the request line.
    @Override
    public String toString() {
        return text;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RequestTarget target && target.text.equals(text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }
}
