package io.weft.engine;

/// State that the kernel has of a TCP connection at a moment: `TCP_INFO` of
/// [tcp(7)](https://man7.org/linux/man-pages/man7/tcp.7.html), whose names these are. Times are
/// microseconds, but milliseconds since the last data and acknowledgements; sizes are bytes,
/// windows segments; rates are bytes a second. A field that an old kernel does not report is 0.
///
/// @param state 1 is established
/// @param rtt smoothed round-trip time, in microseconds
/// @param sndCwnd congestion window, in segments
/// @param totalRetrans segments sent again
/// @param notsentBytes bytes that wait in the socket
public record TcpInfo(
        int state,
        int caState,
        int retransmits,
        int probes,
        int backoff,
        int options,
        long rto,
        long ato,
        long sndMss,
        long rcvMss,
        long unacked,
        long sacked,
        long lost,
        long retrans,
        long fackets,
        long lastDataSent,
        long lastAckSent,
        long lastDataRecv,
        long lastAckRecv,
        long pmtu,
        long rcvSsthresh,
        long rtt,
        long rttvar,
        long sndSsthresh,
        long sndCwnd,
        long advmss,
        long reordering,
        long rcvRtt,
        long rcvSpace,
        long totalRetrans,
        long pacingRate,
        long maxPacingRate,
        long bytesAcked,
        long bytesReceived,
        long segsOut,
        long segsIn,
        long notsentBytes,
        long minRtt,
        long dataSegsIn,
        long dataSegsOut,
        long deliveryRate) {}
