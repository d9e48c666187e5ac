package io.weft.engine;

import java.io.IOException;

/// Reports that the first message to be sent cannot be, while the stream goes on. Its write fails
/// with this.
public class UnsentMessageException extends IOException {
    private static final long serialVersionUID = 1L;

    /// @param message says which message, and why
    public UnsentMessageException(String message) {
        super(message);
    }
}
