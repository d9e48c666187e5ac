package io.weft.http.server;

/// The progress of one stream, for its deadlines: what had been sent and received when the last
/// wait began, and when that was.
final class Http2Progress {
    /// Bytes that a client must take of an answer within the stall time-out.
    private static final int MIN_SENT = 1024;

    private long since;
    private long sentBefore;
    private long receivedBefore;

    Http2Progress(long now) {
        since = now;
    }

    /// A wait begins.
    void begin(long now, long sent, long received) {
        since = now;
        sentBefore = sent;
        receivedBefore = received;
    }

    /// Tells if a client has taken too little of what waits for it.
    boolean isStalled(long now, long sent, HttpServerLimits limits) {
        if (sent - sentBefore >= MIN_SENT) {
            since = now;
            sentBefore = sent;
            return false;
        }
        return now - since > limits.stallTimeout().toNanos();
    }

    /// Tells if a body comes at less than its rate.
    boolean isTooSlow(long now, long received, HttpServerLimits limits) {
        long waited = now - since;
        long grace = limits.bodyGrace().toNanos();
        return waited > grace
                && received - receivedBefore < (waited - grace) / 1e9 * limits.bodyRate();
    }
}
