package io.weft.http.client;

import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Exception;
import org.jspecify.annotations.Nullable;

/// The reason for which an HTTP/2 connection comes to its end, as its exchanges hear it. Thread:
/// the channel's loop.
final class Parting {
    private @Nullable Http2Exception failure;

    /// The code of the server's GOAWAY; -1 without one.
    private int code = -1;

    /// The text of the server's GOAWAY, fit for a log.
    private String debug = "";

    /// Hears that the server has broken the protocol.
    void failed(Http2Exception cause) {
        failure = cause;
    }

    /// Hears of a GOAWAY, with its text fit for a log.
    void goneAway(int reason, String text) {
        code = reason;
        debug = text;
    }

    boolean isFailed() {
        return failure != null;
    }

    /// Returns the reason of exchanges that the end of the connection ends. An error that the
    /// server has told is more than the end, or the reset, which follows it.
    ///
    /// @param cause of that end, if one is known
    @Nullable Throwable end(@Nullable Throwable cause) {
        boolean told = code >= 0 && failure == null;
        if (told && (cause == null || code != ErrorCode.NO_ERROR.code())) {
            return StreamResetException.left(code, debug, cause);
        }
        return cause != null ? cause : failure;
    }

    /// Returns the reason of an exchange whose stream was reset.
    Throwable reset(int reason) {
        return failure == null ? StreamResetException.of(reason) : failure;
    }

    /// Returns the reason of an exchange that the server has certainly not processed.
    StreamResetException refused() {
        return StreamResetException.refused(code, debug);
    }
}
