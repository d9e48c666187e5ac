package io.weft.http.http2;

import io.weft.http.hpack.PseudoHeader;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.NameSet;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Status;
import org.jspecify.annotations.Nullable;

/// Makes heads of field sections, and refuses those that are malformed (RFC 9113, 8.1.1 to 8.3.2;
/// RFC 8441, 4). A section that another recipient could read differently is malformed.
final class MessageRules {
    private static final NameSet CHECKED =
            NameSet.of(
                    HeaderName.CONNECTION,
                    HeaderName.KEEP_ALIVE,
                    HeaderName.PROXY_CONNECTION,
                    HeaderName.TRANSFER_ENCODING,
                    HeaderName.UPGRADE,
                    HeaderName.TE);

    private MessageRules() {}

    /// Returns the head of a request; null when it is malformed, as `section` then says.
    static @Nullable RequestHead request(SectionReader section, Headers fields) {
        String method = section.get(PseudoHeader.METHOD);
        if (section.get(PseudoHeader.STATUS) != null) {
            section.malformed(":status in a request");
        } else if (method == null) {
            section.malformed(":method: none (expected: one)");
        }
        checkConnection(section, fields);
        long length = contentLength(section, fields);
        if (section.malformed() != null || method == null) {
            return null;
        }
        try {
            Method m = Method.of(method);
            checkHost(section, fields);
            return m == Method.CONNECT && section.get(PseudoHeader.PROTOCOL) == null
                    ? connect(section, fields)
                    : ordinary(section, m, fields, length);
        } catch (IllegalArgumentException e) {
            section.malformed(String.valueOf(e.getMessage()));
            return null;
        }
    }

    private static RequestHead connect(SectionReader section, Headers headers) {
        String authority = section.get(PseudoHeader.AUTHORITY);
        if (section.get(PseudoHeader.SCHEME) != null
                || section.get(PseudoHeader.PATH) != null
                || authority == null) {
            throw refused("CONNECT", "with :authority, without :scheme and :path");
        }
        RequestTarget target = RequestTarget.of(authority);
        if (target.form() != RequestTarget.Form.AUTHORITY) {
            throw refused(":authority of CONNECT", "host:port");
        }
        return new RequestHead(Method.CONNECT, "", target, null, headers, -1);
    }

    private static RequestHead ordinary(
            SectionReader section, Method method, Headers headers, long length) {
        String scheme = section.get(PseudoHeader.SCHEME);
        String path = section.get(PseudoHeader.PATH);
        if (scheme == null || !isScheme(scheme)) {
            throw refused(":scheme", "one");
        }
        if (path == null || path.isEmpty()) {
            throw refused(":path", "not empty");
        }
        if (section.get(PseudoHeader.PROTOCOL) != null
                && (method != Method.CONNECT || section.get(PseudoHeader.AUTHORITY) == null)) {
            throw refused(":protocol", "with CONNECT and :authority");
        }
        RequestTarget target = RequestTarget.of(path);
        boolean fits =
                switch (target.form()) {
                    case ORIGIN -> true;
                    case ASTERISK -> method == Method.OPTIONS;
                    case ABSOLUTE, AUTHORITY -> false;
                };
        if (!fits) {
            throw refused(":path", "/path, or * for OPTIONS");
        }
        return new RequestHead(
                method, scheme, target, section.get(PseudoHeader.PROTOCOL), headers, length);
    }

    private static boolean isScheme(String scheme) {
        for (int i = 0; i < scheme.length(); i++) {
            char c = scheme.charAt(i);
            boolean letter = (c | 0x20) >= 'a' && (c | 0x20) <= 'z';
            boolean other = (c >= '0' && c <= '9') || c == '+' || c == '-' || c == '.';
            if (!letter && (i == 0 || !other)) {
                return false;
            }
        }
        return !scheme.isEmpty();
    }

    /// The authority is one typed value: a Host beside `:authority` has to be the same (8.3.1).
    private static void checkHost(SectionReader section, Headers fields) {
        String authority = section.get(PseudoHeader.AUTHORITY);
        int host = fields.indexOf(HeaderName.HOST, 0);
        if (host >= 0 && fields.indexOf(HeaderName.HOST, host + 1) >= 0) {
            throw refused("host: several", "one at most");
        }
        if (authority != null && !fields.valueIs(host, authority)) {
            throw refused("host", "as :authority");
        }
        if (host >= 0 && !fields.valueIsAuthority(host)) {
            throw refused(":authority or host", "host[:port]");
        }
    }

    /// Returns the head of a response; null when it is malformed, as `section` then says.
    static @Nullable ResponseHead response(SectionReader section, Headers fields) {
        String status = section.get(PseudoHeader.STATUS);
        if (section.get(PseudoHeader.METHOD) != null
                || section.get(PseudoHeader.SCHEME) != null
                || section.get(PseudoHeader.AUTHORITY) != null
                || section.get(PseudoHeader.PATH) != null
                || section.get(PseudoHeader.PROTOCOL) != null) {
            section.malformed("a pseudo-header field of requests in a response");
        } else if (status == null
                || status.length() != 3
                || !status.chars().allMatch(c -> c >= '0' && c <= '9')
                || status.charAt(0) < '1'
                || status.charAt(0) > '5') {
            section.malformed(":status: none or malformed (expected: 100 to 599)");
        } else if (status.equals("101")) {
            section.malformed(":status: 101 (expected: any other, 8.6)");
        }
        checkConnection(section, fields);
        long length = contentLength(section, fields);
        if (section.malformed() != null || status == null) {
            return null;
        }
        return new ResponseHead(Status.of(Integer.parseInt(status)), fields, length);
    }

    /// Trailers have no pseudo-header fields (8.1).
    static void trailers(SectionReader section, Headers fields) {
        if (section.hasPseudo()) {
            section.malformed("a pseudo-header field in trailers");
        }
        if (fields.contains(HeaderName.CONTENT_LENGTH) || fields.contains(HeaderName.HOST)) {
            section.malformed("content-length or host in trailers");
        }
        checkConnection(section, fields);
    }

    private static void checkConnection(SectionReader section, Headers fields) {
        if (!fields.mayContain(CHECKED)) {
            return;
        }
        for (int i = 0; i < fields.size(); i++) {
            HeaderName name = fields.name(i);
            if (isConnectionSpecific(name)) {
                section.malformed(name + ": set (expected: no field of a connection)");
            } else if (name.equals(HeaderName.TE) && !fields.valueIs(i, "trailers")) {
                section.malformed("te: another value (expected: trailers)");
            }
        }
    }

    /// Tells if the field concerns one connection (8.2.2).
    static boolean isConnectionSpecific(HeaderName name) {
        return name == HeaderName.CONNECTION
                || name == HeaderName.KEEP_ALIVE
                || name == HeaderName.PROXY_CONNECTION
                || name == HeaderName.TRANSFER_ENCODING
                || name == HeaderName.UPGRADE;
    }

    private static long contentLength(SectionReader section, Headers fields) {
        int at = fields.indexOf(HeaderName.CONTENT_LENGTH, 0);
        if (at < 0) {
            return -1;
        }
        String value = fields.value(at);
        boolean digits =
                !value.isEmpty()
                        && value.length() <= 18
                        && value.chars().allMatch(c -> c >= '0' && c <= '9');
        if (!digits || fields.indexOf(HeaderName.CONTENT_LENGTH, at + 1) >= 0) {
            section.malformed("content-length: malformed or several (expected: one number)");
            return -1;
        }
        return Long.parseLong(value);
    }

    private static IllegalArgumentException refused(String what, String expected) {
        return new IllegalArgumentException(what + " (expected: " + expected + ")");
    }
}
