package io.weft.transport.sctp;

import java.net.InetSocketAddress;
import java.time.Duration;

/// State of an association (`SCTP_STATUS`).
///
/// @param association the kernel's id
/// @param state 4 is established; RFC 6458, 8.2.1 has the others
/// @param receiveWindow bytes that the peer takes at the moment
/// @param unacknowledged packets that were sent and not acknowledged
/// @param pending messages that wait to be read
/// @param inboundStreams streams from the peer
/// @param outboundStreams streams to the peer
/// @param fragmentation bytes of a message above which it is cut into packets
/// @param primary address that packets are sent to
/// @param smoothedRoundTrip of the primary address
/// @param retransmission time-out of the primary address
/// @param mtu of the path to the primary address
public record SctpStatus(
        int association,
        int state,
        long receiveWindow,
        int unacknowledged,
        int pending,
        int inboundStreams,
        int outboundStreams,
        int fragmentation,
        InetSocketAddress primary,
        Duration smoothedRoundTrip,
        Duration retransmission,
        int mtu) {}
