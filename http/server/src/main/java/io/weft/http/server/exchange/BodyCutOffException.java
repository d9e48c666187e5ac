package io.weft.http.server.exchange;

import io.weft.http.model.Status;
import java.io.IOException;

/// The rest of a request's body will not come, for which its client is to blame.
final class BodyCutOffException extends IOException {
    private static final long serialVersionUID = 1;

    private final transient Status status;

    /// @param status that the client gets, unless the handler answers
    BodyCutOffException(Status status, String message) {
        super(message);
        this.status = status;
    }

    Status status() {
        return status;
    }
}
