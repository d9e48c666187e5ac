package io.weft.http.server;

/// The phases of an [Http1Active].
enum Http1Phase {
    /// Requests are read.
    READING,
    /// One is being answered.
    ANSWERING,
    /// One is answered, and the rest of its body is dropped.
    DRAINING,
    /// The client does not take its answers.
    STALLED,
    /// The last answer is out, and the channel closes in order (RFC 9112, 9.6).
    CLOSING,
    /// Another protocol has the channel, or gets it when the decoder has returned.
    UPGRADED,
    CLOSED;

    /// Enough to begin with the next request, and to see that the client has gone.
    private static final int AHEAD = 16 << 10;

    /// Returns the undecoded bytes at which reading is suspended. What a client sends that takes no
    /// answers has no use, and is not to be held for it.
    int enough() {
        return switch (this) {
            case ANSWERING -> AHEAD;
            case STALLED -> 1;
            default -> Integer.MAX_VALUE;
        };
    }

    /// Tells if a request may be under way whose answer has not begun.
    boolean mayAnswer() {
        return this == READING || this == ANSWERING;
    }
}
