package io.weft.transport.udt.machine;

/// The terms of a connection that a handshake has settled.
///
/// @param messages whether it carries messages, and not a stream
/// @param sequence of the first packet that is sent
/// @param peerSequence of the first packet that is received
/// @param segment greatest packet, with [Packets#OUTER], in bytes
/// @param ownSegment greatest packet that this side takes, at least `segment`: a peer of a
///     rendezvous may go by this side's offer alone
/// @param window packets that this side has room for
/// @param peerWindow packets that the peer has room for
/// @param socket id of this side
/// @param peerSocket id of the peer's
/// @param halfClosure whether the peer understands an end of output
public record Terms(
        boolean messages,
        int sequence,
        int peerSequence,
        int segment,
        int ownSegment,
        int window,
        int peerWindow,
        int socket,
        int peerSocket,
        boolean halfClosure) {
    /// No window is larger, whatever the peer says.
    static final int MAX_WINDOW = 1 << 20;

    /// Returns the terms for the side with the id `socket`.
    ///
    /// @param peer the peer's handshake, which is sane
    /// @param sequence of the first packet that is sent
    static Terms of(Handshake peer, Offer offer, int socket, int sequence, boolean halfClosure) {
        return new Terms(
                offer.messages(),
                sequence,
                peer.sequence(),
                Math.min(peer.segmentSize(), offer.segment()),
                offer.segment(),
                offer.window(),
                Math.min(peer.window(), MAX_WINDOW),
                socket,
                peer.socket(),
                halfClosure);
    }

    /// Returns the bytes of a packet that carry data.
    public int payload() {
        return segment - Packets.OUTER - Packets.HEADER;
    }

    /// Returns the bytes of data in the greatest packet that this side takes.
    int ownPayload() {
        return ownSegment - Packets.OUTER - Packets.HEADER;
    }
}
