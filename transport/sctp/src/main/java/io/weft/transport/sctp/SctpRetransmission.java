package io.weft.transport.sctp;

import java.time.Duration;

/// Time-outs after which packets are sent again (`SCTP_RTOINFO`); zero leaves one as it is.
///
/// @param initial before anything has been measured
/// @param least at least
/// @param most at most
public record SctpRetransmission(Duration initial, Duration least, Duration most) {
    /// @throws IllegalArgumentException when one is negative or longer than a day
    public SctpRetransmission {
        SctpOption.checkTime("initial", initial);
        SctpOption.checkTime("least", least);
        SctpOption.checkTime("most", most);
    }
}
