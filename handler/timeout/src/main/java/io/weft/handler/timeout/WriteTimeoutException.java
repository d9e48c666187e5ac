package io.weft.handler.timeout;

import java.time.Duration;

/// What was written has not been sent for too long.
public final class WriteTimeoutException extends TimeoutException {
    private static final long serialVersionUID = 1L;

    WriteTimeoutException(Duration timeout) {
        super("a write not sent", timeout);
    }
}
