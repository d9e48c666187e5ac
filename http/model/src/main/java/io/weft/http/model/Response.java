package io.weft.http.model;

/// A response. Immutable; unless its body is a stream, one object can be sent any number of times
/// by any thread.
///
/// Framing is the wire's business: Transfer-Encoding is refused here, and a
/// Content-Length has to be the body's length. Only with an empty body may it be another one, for
/// answers to HEAD and for 304, which tell the length of what they do not send.
public final class Response {
    private static final Headers TEXT = Headers.of("content-type", "text/plain; charset=utf-8");
    private static final Headers HTML = Headers.of("content-type", "text/html; charset=utf-8");
    private static final Headers JSON = Headers.of("content-type", "application/json");
    private static final Headers PROBLEM = Headers.of("content-type", "application/problem+json");
    private static final NameSet FRAMING =
            NameSet.of(HeaderName.TRANSFER_ENCODING, HeaderName.CONTENT_LENGTH);

    private final Status status;
    private final Headers headers;
    private final Body body;

    private Response(Status status, Headers headers, Body body) {
        if (headers.mayContain(FRAMING)) {
            checkFraming(headers, body);
        }
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    private static void checkFraming(Headers headers, Body body) {
        if (headers.contains(HeaderName.TRANSFER_ENCODING)) {
            throw new IllegalArgumentException(
                    "transfer-encoding: set (expected: none, the wire adds it)");
        }
        int field = headers.indexOf(HeaderName.CONTENT_LENGTH, 0);
        if (field >= 0) {
            String value = headers.value(field);
            boolean digits =
                    !value.isEmpty()
                            && value.length() <= 18
                            && value.chars().allMatch(c -> c >= '0' && c <= '9');
            boolean fits = body instanceof Body.Empty || value.equals("" + body.length());
            if (!digits || !fits || headers.indexOf(HeaderName.CONTENT_LENGTH, field + 1) >= 0) {
                throw new IllegalArgumentException(
                        "content-length: "
                                + headers.all(HeaderName.CONTENT_LENGTH)
                                + " (expected: once, the body's length "
                                + body.length()
                                + ")");
            }
        }
    }

    /// 200 with `text` as `text/plain; charset=utf-8`.
    public static Response text(String text) {
        return new Response(Status.OK, TEXT, Body.of(text));
    }

    /// 200 with `text`, which is JSON, as `application/json`. Nothing is checked or escaped.
    public static Response json(String text) {
        return new Response(Status.OK, JSON, Body.of(text));
    }

    /// 200 with `text` as `text/html; charset=utf-8`. Nothing is escaped.
    public static Response html(String text) {
        return new Response(Status.OK, HTML, Body.of(text));
    }

    /// An error as `application/problem+json` (RFC 9457), with the status' reason as its title.
    ///
    /// @param detail for the client to read; left out if it is empty
    public static Response problem(Status status, String detail) {
        StringBuilder json = new StringBuilder("{\"title\":");
        Json.quote(status.reason(), json);
        json.append(",\"status\":").append(status.code());
        if (!detail.isEmpty()) {
            json.append(",\"detail\":");
            Json.quote(detail, json);
        }
        return new Response(status, PROBLEM, Body.of(json.append('}').toString()));
    }

    /// 303 (See Other), 307, 308 or another redirection to `location`.
    ///
    /// @throws IllegalArgumentException unless the status is 3xx, or when `location` has a
    ///     forbidden character
    public static Response redirect(Status status, String location) {
        if (status.code() / 100 != 3) {
            throw new IllegalArgumentException("status: " + status + " (expected: 3xx)");
        }
        return of(status).withHeader(HeaderName.LOCATION, location);
    }

    /// A response without headers and content.
    public static Response of(Status status) {
        return new Response(status, Headers.EMPTY, Body.empty());
    }

    /// @throws IllegalArgumentException when the headers contradict the body's framing
    public static Response of(Status status, Headers headers, Body body) {
        return new Response(status, headers, body);
    }

    public Status status() {
        return status;
    }

    public Headers headers() {
        return headers;
    }

    public Body body() {
        return body;
    }

    public Response withStatus(Status status) {
        return new Response(status, headers, body);
    }

    /// This response with one field of this name.
    ///
    /// @throws IllegalArgumentException when the value has a forbidden character
    public Response withHeader(HeaderName name, String value) {
        return withHeaders(headers.with(name, value));
    }

    /// @throws IllegalArgumentException when the name is no token, or the value has a forbidden
    ///     character
    public Response withHeader(String name, String value) {
        return withHeader(HeaderName.of(name), value);
    }

    /// This response with one more cookie to set.
    public Response withCookie(Cookie cookie) {
        return withHeaders(headers.plus(HeaderName.SET_COOKIE, cookie.toField()));
    }

    /// @throws IllegalArgumentException when the headers contradict the body's framing
    public Response withHeaders(Headers headers) {
        return new Response(status, headers, body);
    }

    public Response withBody(Body body) {
        return new Response(status, headers, body);
    }

    /// Without headers and body, which may be secrets.
    @Override
    public String toString() {
        return status.toString();
    }
}
