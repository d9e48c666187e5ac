package io.weft.transport.sctp;

/// Numbers of streams to be added to an association (RFC 6525).
///
/// @param inbound 0 to 65535
/// @param outbound 0 to 65535
public record SctpStreams(int inbound, int outbound) {
    /// @throws IllegalArgumentException when a value is out of its range
    public SctpStreams {
        SctpOption.check("inbound", inbound, 0, 0xffff);
        SctpOption.check("outbound", outbound, 0, 0xffff);
    }
}
