package io.weft.pool;

import java.time.Duration;
import java.util.concurrent.TimeoutException;

/// A pool had no channel to give within the time that its users may wait.
public final class AcquireTimeoutException extends TimeoutException {
    private static final long serialVersionUID = 1L;

    AcquireTimeoutException(Duration patience, int channels) {
        super("no channel within " + patience + ": all " + channels + " are in use");
    }
}
