package io.weft.http.http2;

/// The end of a connection without the loss of a request (RFC 9113, 6.8): GOAWAY for all streams
/// that the peer may have opened, a PING, and when that is answered, GOAWAY with the last stream.
final class Shutdown {
    /// The opaque data of the PING between the two GOAWAYs.
    private static final long PING = 0x57454654_474F4E45L;

    private final StreamNumbers numbers;
    private final Writer writer;
    private boolean begun;

    /// The highest stream of the peer's that is processed; those beyond were refused by GOAWAY.
    private int accepted = Integer.MAX_VALUE;

    /// The peer takes no more streams of this side.
    private boolean byPeer;

    Shutdown(StreamNumbers numbers, Writer writer) {
        this.numbers = numbers;
        this.writer = writer;
    }

    void begin() {
        if (!begun) {
            begun = true;
            FrameEncoder.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR, "", writer.out());
            FrameEncoder.ping(false, PING, writer.out());
        }
    }

    /// Refuses streams that come from now on.
    void finish() {
        if (!isFinished()) {
            begun = true;
            accepted = numbers.lastOfPeer();
            FrameEncoder.goAway(accepted, ErrorCode.NO_ERROR, "", writer.out());
        }
    }

    /// Finishes if `ping` is the one that was sent.
    ///
    /// @return whether it was
    boolean answered(long ping) {
        boolean own = ping == PING && begun;
        if (own) {
            finish();
        }
        return own;
    }

    void byPeer() {
        byPeer = true;
    }

    /// Tells if the peer takes no more streams of this side.
    boolean isByPeer() {
        return byPeer;
    }

    boolean isBegun() {
        return begun;
    }

    boolean isFinished() {
        return accepted != Integer.MAX_VALUE;
    }

    /// Returns the last stream of the peer's that may have been processed. It never rises behind a
    /// GOAWAY that told it (6.8).
    int last() {
        return Math.min(accepted, numbers.lastOfPeer());
    }

    /// Tells if the stream is dropped unprocessed.
    boolean refuses(int stream) {
        return stream > accepted;
    }
}
