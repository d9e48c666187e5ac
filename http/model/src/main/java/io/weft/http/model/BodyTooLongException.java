package io.weft.http.model;

import java.io.IOException;

/// A body that is longer than it may be. A server answers 413 when a handler fails with it.
public final class BodyTooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    /// @param limit bytes that the body may have
    public BodyTooLongException(long limit) {
        super("body: longer (expected: at most " + limit + " bytes)");
    }
}
