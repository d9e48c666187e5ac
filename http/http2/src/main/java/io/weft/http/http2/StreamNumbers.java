package io.weft.http.http2;

/// The numbers of a connection's streams (RFC 9113, 5.1.1): odd for those of the client.
final class StreamNumbers {
    private final int peersParity;
    private int next;
    private int lastOfPeer;
    private int openHere;

    /// @param role of this side
    StreamNumbers(Http2Connection.Role role) {
        this.peersParity = role == Http2Connection.Role.SERVER ? 1 : 0;
        this.next = peersParity == 1 ? 2 : 1;
    }

    /// Takes the next number for a stream of this side, which counts until [#closed].
    int open() {
        int id = next;
        next += 2; // overflows below 0 behind the last one
        openHere++;
        return id;
    }

    /// Tells that a stream has closed.
    void closed(int stream) {
        if (!isPeers(stream)) {
            openHere--;
        }
    }

    /// Returns the number of open streams of this side.
    int openHere() {
        return openHere;
    }

    /// Tells if this side has opened the last stream that there is a number for.
    boolean areUsedUp() {
        return next < 0;
    }

    /// Tells that the peer has named a new stream, which may be refused.
    void seen(int stream) {
        lastOfPeer = stream;
    }

    /// Returns the highest stream that the peer has opened; 0 before the first.
    int lastOfPeer() {
        return lastOfPeer;
    }

    boolean isPeers(int stream) {
        return (stream & 1) == peersParity;
    }

    /// Tells if the stream is one that was never opened.
    boolean isIdle(int stream) {
        return isPeers(stream) ? stream > lastOfPeer : stream >= next && next > 0;
    }
}
