package io.weft.http.model;

import org.jspecify.annotations.Nullable;

/// A response status (RFC 9110, 15). Immutable; one object a code, so `==` works. The reason phrase
/// is the registered one, or empty: it says nothing that the code does not, and an application
/// cannot put text there.
public final class Status {
    private static final int MIN = 100;
    private static final int MAX = 599;
    private static final Status[] CODES = new Status[MAX - MIN + 1];

    public static final Status CONTINUE = register(100, "Continue");
    public static final Status SWITCHING_PROTOCOLS = register(101, "Switching Protocols");
    public static final Status EARLY_HINTS = register(103, "Early Hints");
    public static final Status OK = register(200, "OK");
    public static final Status CREATED = register(201, "Created");
    public static final Status ACCEPTED = register(202, "Accepted");
    public static final Status NON_AUTHORITATIVE_INFORMATION =
            register(203, "Non-Authoritative Information");
    public static final Status NO_CONTENT = register(204, "No Content");
    public static final Status RESET_CONTENT = register(205, "Reset Content");
    public static final Status PARTIAL_CONTENT = register(206, "Partial Content");
    public static final Status MULTIPLE_CHOICES = register(300, "Multiple Choices");
    public static final Status MOVED_PERMANENTLY = register(301, "Moved Permanently");
    public static final Status FOUND = register(302, "Found");
    public static final Status SEE_OTHER = register(303, "See Other");
    public static final Status NOT_MODIFIED = register(304, "Not Modified");
    public static final Status TEMPORARY_REDIRECT = register(307, "Temporary Redirect");
    public static final Status PERMANENT_REDIRECT = register(308, "Permanent Redirect");
    public static final Status BAD_REQUEST = register(400, "Bad Request");
    public static final Status UNAUTHORIZED = register(401, "Unauthorized");
    public static final Status FORBIDDEN = register(403, "Forbidden");
    public static final Status NOT_FOUND = register(404, "Not Found");
    public static final Status METHOD_NOT_ALLOWED = register(405, "Method Not Allowed");
    public static final Status NOT_ACCEPTABLE = register(406, "Not Acceptable");
    public static final Status REQUEST_TIMEOUT = register(408, "Request Timeout");
    public static final Status CONFLICT = register(409, "Conflict");
    public static final Status GONE = register(410, "Gone");
    public static final Status LENGTH_REQUIRED = register(411, "Length Required");
    public static final Status PRECONDITION_FAILED = register(412, "Precondition Failed");
    public static final Status CONTENT_TOO_LARGE = register(413, "Content Too Large");
    public static final Status URI_TOO_LONG = register(414, "URI Too Long");
    public static final Status UNSUPPORTED_MEDIA_TYPE = register(415, "Unsupported Media Type");
    public static final Status RANGE_NOT_SATISFIABLE = register(416, "Range Not Satisfiable");
    public static final Status EXPECTATION_FAILED = register(417, "Expectation Failed");
    public static final Status MISDIRECTED_REQUEST = register(421, "Misdirected Request");
    public static final Status UNPROCESSABLE_CONTENT = register(422, "Unprocessable Content");
    public static final Status UPGRADE_REQUIRED = register(426, "Upgrade Required");
    public static final Status PRECONDITION_REQUIRED = register(428, "Precondition Required");
    public static final Status TOO_MANY_REQUESTS = register(429, "Too Many Requests");
    public static final Status REQUEST_HEADER_FIELDS_TOO_LARGE =
            register(431, "Request Header Fields Too Large");
    public static final Status INTERNAL_SERVER_ERROR = register(500, "Internal Server Error");
    public static final Status NOT_IMPLEMENTED = register(501, "Not Implemented");
    public static final Status BAD_GATEWAY = register(502, "Bad Gateway");
    public static final Status SERVICE_UNAVAILABLE = register(503, "Service Unavailable");
    public static final Status GATEWAY_TIMEOUT = register(504, "Gateway Timeout");
    public static final Status HTTP_VERSION_NOT_SUPPORTED =
            register(505, "HTTP Version Not Supported");

    static {
        for (int code = MIN; code <= MAX; code++) {
            if (CODES[code - MIN] == null) {
                register(code, "");
            }
        }
    }

    private final int code;
    private final String reason;

    private Status(int code, String reason) {
        this.code = code;
        this.reason = reason;
    }

    private static Status register(int code, String reason) {
        Status status = new Status(code, reason);
        CODES[code - MIN] = status;
        return status;
    }

    /// @throws IllegalArgumentException unless 100 <= code <= 599
    public static Status of(int code) {
        if (code < MIN || code > MAX) {
            throw new IllegalArgumentException("status: " + code + " (expected: 100 to 599)");
        }
        return CODES[code - MIN];
    }

    public int code() {
        return code;
    }

    /// Empty for codes without a registered phrase.
    public String reason() {
        return reason;
    }

    /// 1xx: another response follows.
    public boolean isInformational() {
        return code < 200;
    }

    /// Tells if responses with this status have no content, whatever the request was (RFC 9110,
    /// 6.4.1).
    public boolean isWithoutContent() {
        return code < 200 || code == 204 || code == 304;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return code;
    }

    @Override
    public String toString() {
        return reason.isEmpty() ? Integer.toString(code) : code + " " + reason;
    }
}
