package io.weft.transport.sctp;

import io.weft.buffer.Buffer;
import io.weft.engine.EndpointMessage;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A message of an association, or a piece of one that is delivered partially. Who has it owns the
/// content.
///
/// @param content at least one byte where it is sent
/// @param stream within the association, 0 to 65535
/// @param protocolId the payload protocol identifier, which SCTP carries for the applications; an
///     unsigned number, in network order on the wire
/// @param unordered true if it may overtake others of its stream
/// @param complete false if more of this message follows; messages that are sent are complete
/// @param association the kernel's id, for sockets with any number of them; 0: the one there is, or
///     to be sent to `peer`
/// @param peer the address that it came from, or goes to where `association` is 0; null: not known,
///     or not needed
/// @param reliability of sending
public record SctpMessage(
        Buffer content,
        int stream,
        int protocolId,
        boolean unordered,
        boolean complete,
        int association,
        @Nullable InetSocketAddress peer,
        SctpReliability reliability)
        implements EndpointMessage {
    /// @throws IllegalArgumentException when the stream is out of its range, or the peer is not
    ///     resolved; the content stays the caller's
    public SctpMessage {
        Objects.requireNonNull(content, "content");
        Objects.requireNonNull(reliability, "reliability");
        if (stream < 0 || stream > 0xffff) {
            throw new IllegalArgumentException("stream: " + stream + " (expected: 0 to 65535)");
        }
        if (peer != null && peer.isUnresolved()) {
            throw new IllegalArgumentException("peer: " + peer + " (expected: resolved)");
        }
    }

    /// Returns an ordered message of a stream.
    public static SctpMessage of(Buffer content, int stream) {
        return of(content, stream, 0);
    }

    /// Returns an ordered message of a stream with a payload protocol identifier.
    public static SctpMessage of(Buffer content, int stream, int protocolId) {
        return new SctpMessage(
                content, stream, protocolId, false, true, 0, null, SctpReliability.FULL);
    }

    /// Returns the same message with other bytes.
    public SctpMessage withContent(Buffer other) {
        return new SctpMessage(
                other, stream, protocolId, unordered, complete, association, peer, reliability);
    }

    /// Returns the same message, complete or a piece.
    public SctpMessage withComplete(boolean whole) {
        return new SctpMessage(
                content, stream, protocolId, unordered, whole, association, peer, reliability);
    }

    /// Returns the same message, unordered or ordered.
    public SctpMessage withUnordered(boolean free) {
        return new SctpMessage(
                content, stream, protocolId, free, complete, association, peer, reliability);
    }

    /// Returns the same message for another association.
    public SctpMessage withAssociation(int id) {
        return new SctpMessage(
                content, stream, protocolId, unordered, complete, id, null, reliability);
    }

    /// Returns the same message for the association with a peer, which is made if there is none.
    public SctpMessage withPeer(InetSocketAddress to) {
        return new SctpMessage(
                content, stream, protocolId, unordered, complete, 0, to, reliability);
    }

    /// Returns the same message, sent with another effort.
    public SctpMessage withReliability(SctpReliability effort) {
        return new SctpMessage(
                content, stream, protocolId, unordered, complete, association, peer, effort);
    }
}
