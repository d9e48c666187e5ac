package io.weft.transport.sctp;

import java.util.List;

/// Streams whose sequence numbers are to begin at 0 again (RFC 6525).
///
/// @param incoming true to ask the peer to reset its side
/// @param outgoing true to reset this side
/// @param streams at most 1024; empty: all
public record SctpStreamReset(boolean incoming, boolean outgoing, List<Integer> streams) {
    /// @throws IllegalArgumentException when there are too many, or one is out of its range
    public SctpStreamReset {
        streams = List.copyOf(streams);
        SctpOption.check("streams", streams.size(), 0, 1024);
        streams.forEach(stream -> SctpOption.check("stream", stream, 0, 0xffff));
    }
}
