package io.weft.http.client;

import io.weft.http.http2.ErrorCode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The reason of [HttpClientException.Disconnected] where the server has reset a stream of HTTP/2
/// (RFC 9113, 6.4), or went away (6.8) and has not processed it, or not answered it whole.
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
    /// @param debug its text, fit for a log
    static StreamResetException refused(int goneAway, String debug) {
        String why = goneAway < 0 ? "REFUSED_STREAM" : goAway(goneAway, debug);
        return new StreamResetException(
                ErrorCode.REFUSED_STREAM.code(), "stream: " + why + " (expected: processed)");
    }

    /// @param goneAway the reason of the server's GOAWAY
    /// @param debug its text, fit for a log
    /// @param cause of the connection's end; null if the server ended it in order
    static StreamResetException left(int goneAway, String debug, @Nullable Throwable cause) {
        StreamResetException left =
                new StreamResetException(
                        goneAway,
                        "connection: " + goAway(goneAway, debug) + " (expected: a response)");
        if (cause != null) {
            left.initCause(cause);
        }
        return left;
    }

    private static String goAway(int code, String debug) {
        return "GOAWAY, " + name(code) + (debug.isEmpty() ? "" : ", \"" + debug + '"');
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
