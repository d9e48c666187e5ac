package io.weft.http.model;

/// `host [":" port]` (RFC 3986, 3.2) of an http URI: the host is not empty, there is no user, the
/// port is a number up to 65535.
final class Authority {
    private Authority() {}

    static boolean isValid(byte[] b, int from, int to, boolean portRequired) {
        int hostEnd =
                from < to && b[from] == '[' ? endOfIpLiteral(b, from, to) : endOfName(b, from, to);
        if (hostEnd <= from) {
            return false;
        }
        return hostEnd == to ? !portRequired : b[hostEnd] == ':' && isPort(b, hostEnd + 1, to);
    }

    private static int endOfName(byte[] b, int from, int to) {
        int i = from;
        while (i < to && Chars.is(Chars.HOST, b[i])) {
            if (b[i] == '%' && !isPercentEncoded(b, i, to)) {
                return -1;
            }
            i++;
        }
        return i;
    }

    private static boolean isPercentEncoded(byte[] b, int at, int to) {
        return at + 2 < to && Chars.is(Chars.HEX, b[at + 1]) && Chars.is(Chars.HEX, b[at + 2]);
    }

    /// An IPv6 address in brackets; its inner structure is the resolver's to check.
    private static int endOfIpLiteral(byte[] b, int from, int to) {
        int i = from + 1;
        while (i < to && (Chars.is(Chars.HEX, b[i]) || b[i] == ':' || b[i] == '.')) {
            i++;
        }
        return i < to && b[i] == ']' && i >= from + 3 ? i + 1 : -1;
    }

    private static boolean isPort(byte[] b, int from, int to) {
        int port = 0;
        for (int i = from; i < to; i++) {
            port = port * 10 + (b[i] - '0');
            if (!Chars.is(Chars.DIGIT, b[i]) || port > 65535) {
                return false;
            }
        }
        return to > from;
    }
}
