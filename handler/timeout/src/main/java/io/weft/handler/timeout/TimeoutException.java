package io.weft.handler.timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/// The peer was too slow. It carries no stack trace: the peer causes it, as often as it likes.
public sealed class TimeoutException extends IOException
        permits ReadTimeoutException, WriteTimeoutException {
    private static final long serialVersionUID = 1L;

    TimeoutException(String what, Duration timeout) {
        super(what + " for " + TimeUnit.MILLISECONDS.convert(timeout) + " ms");
    }

    @Override
    @SuppressWarnings("UnsynchronizedOverridesSynchronized") // changes nothing
    public Throwable fillInStackTrace() {
        return this;
    }
}
