package io.weft.http.http2;

/// The states of a stream (RFC 9113, 5.1). Push is refused, so there is none for promised streams.
///
/// ```
///            HEADERS
///   IDLE ------------> OPEN --- END_STREAM sent ----> HALF_CLOSED_LOCAL --.
///                       |  '---- END_STREAM received -> HALF_CLOSED_REMOTE -+-> CLOSED
///                       '------------- RST_STREAM, either side ------------'
/// ```
///
/// Idle and closed streams have no [Http2Stream]; the connection knows them by their numbers.
public enum StreamState {
    /// Both sides send.
    OPEN,
    /// This side has sent everything.
    HALF_CLOSED_LOCAL,
    /// The peer has sent everything.
    HALF_CLOSED_REMOTE,
    /// Nothing more is sent or received.
    CLOSED;

    boolean mayReceive() {
        return this == OPEN || this == HALF_CLOSED_LOCAL;
    }

    boolean maySend() {
        return this == OPEN || this == HALF_CLOSED_REMOTE;
    }
}
