package io.weft.handler.timeout;

import java.time.Duration;

/// Nothing was received for too long.
public final class ReadTimeoutException extends TimeoutException {
    private static final long serialVersionUID = 1L;

    ReadTimeoutException(Duration timeout) {
        super("nothing received", timeout);
    }
}
