package io.weft.handler.traffic;

import java.io.IOException;

/// More was written than may wait for its turn.
public final class TrafficLimitException extends IOException {
    private static final long serialVersionUID = 1L;

    TrafficLimitException(String what, long held, long limit) {
        super(what + " held back: " + held + " (expected: at most " + limit + ")");
    }
}
