package io.weft.transport.sctp;

import java.time.Duration;

/// Delay of acknowledgements (`SCTP_DELAYED_SACK`).
///
/// @param delay at most, up to 500 ms; zero leaves it as it is
/// @param packets after which one is sent at once; 1 turns the delay off, 0 leaves it as it is
public record SctpDelayedAck(Duration delay, int packets) {
    /// @throws IllegalArgumentException when a value is out of its range
    public SctpDelayedAck {
        SctpOption.check("delay", delay.toMillis(), 0, 500);
        SctpOption.check("packets", packets, 0, 0xffff);
    }
}
