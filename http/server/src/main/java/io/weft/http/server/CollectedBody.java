package io.weft.http.server;

import io.weft.http.http2.Http2Stream;

/// The body of one request over HTTP/2 that is collected in memory, and what its client may send of
/// it. Thread: the loop.
final class CollectedBody {
    private final CollectedBodies all;
    private final Http2Stream stream;

    /// Length by the request's head; -1 without one.
    private final long announced;

    private boolean collecting;

    /// Bytes so far.
    private int bytes;

    /// Bytes that were granted, and have not come.
    private int grant;

    /// More has to wait until there is memory for it.
    private boolean held;

    CollectedBody(CollectedBodies all, Http2Stream stream, long announced) {
        this.all = all;
        this.stream = stream;
        this.announced = announced;
    }

    /// Begins: the body counts from now on.
    void begin() {
        collecting = true;
        all.begin(this);
    }

    /// Counts bytes that have come.
    void add(int length) {
        bytes += length;
        int spent = Math.min(grant, length);
        grant -= spent;
        if (all.add(this, length, spent)) {
            stream.consumed(length);
        } else {
            stream.keep(length);
        }
    }

    /// Ends the collection: the body is whole, and counts on.
    void end() {
        collecting = false;
    }

    /// The body counts no longer.
    void leave() {
        collecting = false;
        all.remove(this);
    }

    boolean isCollecting() {
        return collecting;
    }

    boolean isHeld() {
        return held;
    }

    int bytes() {
        return bytes;
    }

    /// Returns the bytes that the client may need to send in its next window.
    int needs(int window) {
        return announced < 0 ? window : (int) Math.min(window, Math.max(0, announced - bytes));
    }

    boolean isGranted() {
        return grant > 0;
    }

    /// Returns the bytes of the grant that have not come.
    int giveUpGrant() {
        int rest = grant;
        grant = 0;
        return rest;
    }

    /// The body has to wait.
    void hold() {
        held = true;
    }

    /// There is memory for the whole body.
    void goOn() {
        held = false;
        stream.grantWindow();
    }

    /// There is memory for some more bytes of the body.
    void goOn(int more) {
        held = false;
        grant = more;
        stream.grant(more);
    }
}
