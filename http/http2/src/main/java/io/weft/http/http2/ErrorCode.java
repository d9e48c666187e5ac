package io.weft.http.http2;

import org.jspecify.annotations.Nullable;

/// The reasons that RST_STREAM and GOAWAY give (RFC 9113, 7).
public enum ErrorCode {
    NO_ERROR(0),
    PROTOCOL_ERROR(1),
    INTERNAL_ERROR(2),
    FLOW_CONTROL_ERROR(3),
    SETTINGS_TIMEOUT(4),
    STREAM_CLOSED(5),
    FRAME_SIZE_ERROR(6),
    REFUSED_STREAM(7),
    CANCEL(8),
    COMPRESSION_ERROR(9),
    CONNECT_ERROR(10),
    ENHANCE_YOUR_CALM(11),
    INADEQUATE_SECURITY(12),
    HTTP_1_1_REQUIRED(13);

    private static final ErrorCode[] CODES = values();

    private final int code;

    ErrorCode(int code) {
        this.code = code;
    }

    /// As on the wire.
    public int code() {
        return code;
    }

    /// Returns the reason of that code; null for a code that is not registered, which means the
    /// same as INTERNAL_ERROR (RFC 9113, 7).
    public static @Nullable ErrorCode of(int code) {
        return code >= 0 && code < CODES.length ? CODES[code] : null;
    }
}
