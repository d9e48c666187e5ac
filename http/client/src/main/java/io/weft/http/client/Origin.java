package io.weft.http.client;

import io.weft.http.model.RequestTarget;
import java.util.Locale;

/// A scheme, a host and a port (RFC 9110, 4.3.1): what a connection is made to, and what
/// credentials belong to.
///
/// @param secure whether the scheme is https
/// @param host a name in lower case, or an address; of IPv6 in brackets
/// @param port 1 to 65535
public record Origin(boolean secure, String host, int port) {
    /// @throws IllegalArgumentException when the port is out of range
    public Origin {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
        }
    }

    /// The origin of a target in absolute form, such as `https://example.org/path`.
    ///
    /// @throws IllegalArgumentException for another form
    public static Origin of(RequestTarget target) {
        String authority = target.authority();
        if (authority == null || target.form() != RequestTarget.Form.ABSOLUTE) {
            throw new IllegalArgumentException(
                    "target: " + target + " (expected: http://host[:port]/path, or https)");
        }
        boolean secure = target.toString().regionMatches(true, 0, "https", 0, 5);
        int colon = authority.lastIndexOf(':');
        boolean port = colon > authority.lastIndexOf(']');
        return new Origin(
                secure,
                (port ? authority.substring(0, colon) : authority).toLowerCase(Locale.ROOT),
                port ? Integer.parseInt(authority.substring(colon + 1)) : defaultPort(secure));
    }

    private static int defaultPort(boolean secure) {
        return secure ? 443 : 80;
    }

    /// Returns the host and, unless it is the scheme's, the port: the value of Host.
    public String authority() {
        return port == defaultPort(secure) ? host : host + ":" + port;
    }

    /// The host as resolvers and certificates have it: an address of IPv6 without its brackets.
    String name() {
        return host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    }

    /// As the begin of a URL.
    @Override
    public String toString() {
        return (secure ? "https://" : "http://") + authority();
    }
}
