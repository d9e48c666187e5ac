package io.weft.transport.udt.machine;

/// The values that one side brings into a handshake.
///
/// @param messages whether the connection is to carry messages, and not a stream
/// @param segment greatest packet, with [Packets#OUTER], in bytes
/// @param window packets that there is room for
public record Offer(boolean messages, int segment, int window) {
    int type() {
        return messages ? Handshake.MESSAGE : Handshake.STREAM;
    }
}
