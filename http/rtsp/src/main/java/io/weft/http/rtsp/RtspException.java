package io.weft.http.rtsp;

import io.weft.codec.DecoderException;
import io.weft.http.model.Status;

/// Bytes that are no message of RTSP, or more of one than the limits allow. The connection is to be
/// closed behind the answer.
public final class RtspException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    RtspException(Status status, String message) {
        super(message);
        this.status = status;
    }

    static RtspException bad(String message) {
        return new RtspException(Status.BAD_REQUEST, message);
    }

    /// Returns the status with which a server should answer.
    public Status status() {
        return status;
    }
}
