package io.weft.transport.sctp;

import java.time.Duration;

/// Settings of the paths to a peer's addresses (`SCTP_PEER_ADDR_PARAMS`).
///
/// @param heartbeat time between heartbeats of an idle path; zero turns them off
/// @param retransmissions in a row after which an address is taken for unreachable, 0 to 65535; 0
///     leaves it as it is
public record SctpPath(Duration heartbeat, int retransmissions) {
    /// @throws IllegalArgumentException when a value is out of its range
    public SctpPath {
        SctpOption.checkTime("heartbeat", heartbeat);
        SctpOption.check("retransmissions", retransmissions, 0, 0xffff);
    }
}
