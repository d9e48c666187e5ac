package io.weft.http.http1;

import io.weft.codec.DecoderException;
import io.weft.http.model.Status;

/// The peer's bytes are no HTTP/1.1 request or response, or break a limit. The connection cannot go
/// on: of a request, answer [#status] and close; of a response, close.
public final class HttpDecodeException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final transient Status status;

    public HttpDecodeException(Status status, String message) {
        super(message);
        this.status = status;
    }

    static HttpDecodeException badRequest(String message) {
        return new HttpDecodeException(Status.BAD_REQUEST, message);
    }

    /// Returns the status to answer with: 400, 414, 417, 431, 501 or 505 for a request. For a
    /// response 502, which is what a gateway answers then.
    public Status status() {
        return status;
    }
}
