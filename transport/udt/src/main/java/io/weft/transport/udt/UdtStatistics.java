package io.weft.transport.udt;

import java.time.Duration;

/// A snapshot of the counts and estimates of one connection; see [UdtOption#STATISTICS].
///
/// @param sent packets of data, repetitions too
/// @param repeated packets of data that were sent again
/// @param droppedMessages messages whose time to live was over
/// @param received packets of data, duplicates too
/// @param duplicates packets of data that had come before
/// @param missed packets of data that were reported as lost
/// @param inFlight packets that are not acknowledged
/// @param congestionWindow packets that may be in flight
/// @param packetsASecond the rate at which packets may go
/// @param roundTrip smoothed round-trip time
/// @param deliveryRate packets a second that arrive at the peer
/// @param capacity packets a second that the path is estimated to carry
public record UdtStatistics(
        long sent,
        long repeated,
        long droppedMessages,
        long received,
        long duplicates,
        long missed,
        int inFlight,
        int congestionWindow,
        double packetsASecond,
        Duration roundTrip,
        int deliveryRate,
        int capacity) {
    /// The statistics of a connection that has none yet.
    static final UdtStatistics NONE =
            new UdtStatistics(0, 0, 0, 0, 0, 0, 0, 0, 0, Duration.ZERO, 0, 0);
}
