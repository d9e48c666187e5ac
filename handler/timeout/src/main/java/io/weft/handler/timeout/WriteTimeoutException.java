package io.weft.handler.timeout;

import java.time.Duration;

/// Thrown if written data is not sent within the time-out.
public final class WriteTimeoutException extends TimeoutException {
    private static final long serialVersionUID = 1L;

    WriteTimeoutException(Duration timeout) {
        super("a write not sent", timeout);
    }
}
