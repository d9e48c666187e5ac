package io.weft.http.client;

import io.weft.http.http2.ErrorCode;
import java.io.IOException;

/// The reason of [HttpClientException.Disconnected] where the server has reset a stream of HTTP/2
/// (RFC 9113, 6.4), or has not processed it before it went away (6.8).
public final class StreamResetException extends IOException {
    private static final long serialVersionUID = 1L;

    private final int code;

    private StreamResetException(int code, String message) {
        super(message);
        this.code = code;
    }

    static StreamResetException of(int code) {
        return new StreamResetException(
                code, "stream: reset with " + name(code) + " (expected: a response)");
    }

    /// @param goneAway the reason of the server's GOAWAY; negative without one
    static StreamResetException refused(int goneAway) {
        String why = goneAway < 0 ? "REFUSED_STREAM" : "GOAWAY, " + name(goneAway);
        return new StreamResetException(
                ErrorCode.REFUSED_STREAM.code(), "stream: " + why + " (expected: processed)");
    }

    private static String name(int code) {
        ErrorCode known = ErrorCode.of(code);
        return known == null ? "code " + code : known.name();
    }

    /// Returns the error code as it is on the wire, such as 8 for CANCEL (RFC 9113, 7).
    public int code() {
        return code;
    }
}
