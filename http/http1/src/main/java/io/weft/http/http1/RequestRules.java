package io.weft.http.http1;

import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.NameSet;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;

/// Rules for a request that is to be sent. They are those that [RequestDecoder] has for one that
/// came in, so that no server can take it for two requests, or for one to another host:
///
/// - one Host field, a valid one, and that of the target if the target names one (RFC 9112, 3.2);
/// - the form of the target that the method has (RFC 9112, 3.2);
/// - no Transfer-Encoding, and no Content-Length but the body's (RFC 9112, 6);
/// - no content with CONNECT and TRACE (RFC 9110, 9.3.6 and 9.3.8);
/// - Expect is `100-continue`, and there is content (RFC 9110, 10.1.1);
/// - Connection names no field that says what the request is (RFC 9110, 7.6.1), since a proxy would
///   remove it; and Upgrade stands there (RFC 9110, 7.8).
final class RequestRules {
    private static final NameSet FIELDS =
            NameSet.of(
                    HeaderName.TRANSFER_ENCODING,
                    HeaderName.CONTENT_LENGTH,
                    HeaderName.EXPECT,
                    HeaderName.CONNECTION,
                    HeaderName.UPGRADE);

    /// Fields that have to reach the server.
    private static final String[] END_TO_END = {
        "host",
        "content-length",
        "content-type",
        "content-encoding",
        "authorization",
        "cookie",
        "expect",
        "range",
        "trailer",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
        "forwarded",
        "via"
    };

    private RequestRules() {}

    /// @throws IllegalArgumentException when `request` breaks a rule
    static void check(Request request) {
        Headers headers = request.headers();
        RequestLine.checkForm(request.method(), request.target());
        checkHost(headers, request.target());
        Body body = request.body();
        if (body.length() != 0
                && (request.method() == Method.CONNECT || request.method() == Method.TRACE)) {
            throw new IllegalArgumentException(
                    request.method() + " with a body (expected: none; RFC 9110, 9.3)");
        }
        if (headers.mayContain(FIELDS)) {
            checkLength(headers, body);
            checkExpect(headers, body);
            checkConnection(headers);
        }
    }

    private static void checkHost(Headers headers, RequestTarget target) {
        int host = headers.indexOf(HeaderName.HOST, 0);
        if (host < 0) {
            throw new IllegalArgumentException("host: none (expected: exactly one)");
        }
        if (headers.indexOf(HeaderName.HOST, host + 1) >= 0) {
            throw new IllegalArgumentException("host: several (expected: exactly one)");
        }
        if (!headers.valueIsAuthority(host)) {
            throw new IllegalArgumentException("host: malformed (expected: host[:port])");
        }
        String authority = target.authority();
        if (authority != null && !headers.valueIs(host, authority)) {
            throw new IllegalArgumentException(
                    "host: "
                            + headers.value(host)
                            + " (expected: "
                            + authority
                            + ", the target's)");
        }
    }

    private static void checkLength(Headers headers, Body body) {
        if (headers.contains(HeaderName.TRANSFER_ENCODING)) {
            throw new IllegalArgumentException(
                    "transfer-encoding: set (expected: none, the wire adds it)");
        }
        int length = headers.indexOf(HeaderName.CONTENT_LENGTH, 0);
        if (length >= 0
                && (!headers.value(length).equals("" + body.length())
                        || headers.indexOf(HeaderName.CONTENT_LENGTH, length + 1) >= 0)) {
            throw new IllegalArgumentException(
                    "content-length: "
                            + headers.all(HeaderName.CONTENT_LENGTH)
                            + " (expected: once, the body's length "
                            + body.length()
                            + ")");
        }
    }

    private static void checkExpect(Headers headers, Body body) {
        int expect = headers.indexOf(HeaderName.EXPECT, 0);
        if (expect >= 0
                && (!headers.valueIs(expect, "100-continue")
                        || headers.indexOf(HeaderName.EXPECT, expect + 1) >= 0
                        || body.length() == 0)) {
            throw new IllegalArgumentException(
                    "expect: "
                            + headers.all(HeaderName.EXPECT)
                            + " (expected: 100-continue once, with a body)");
        }
    }

    private static void checkConnection(Headers headers) {
        boolean upgrade = headers.contains(HeaderName.UPGRADE);
        if (upgrade != headers.containsToken(HeaderName.CONNECTION, "upgrade")) {
            throw new IllegalArgumentException(
                    "upgrade without connection: upgrade, or the other way round (expected: both)");
        }
        if (!headers.contains(HeaderName.CONNECTION)) {
            return;
        }
        for (String name : END_TO_END) {
            if (headers.containsToken(HeaderName.CONNECTION, name)) {
                throw new IllegalArgumentException(
                        "connection: " + name + " (expected: no field of the message)");
            }
        }
    }
}
