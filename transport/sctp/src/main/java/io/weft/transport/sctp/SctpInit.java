package io.weft.transport.sctp;

import java.time.Duration;

/// Terms on which associations begin (`SCTP_INITMSG`).
///
/// @param outboundStreams wanted, 1 to 65535; the peer may allow fewer
/// @param inboundStreams allowed at most, 1 to 65535
/// @param attempts of an initiation; 0: the kernel's default
/// @param timeout between attempts at most, up to 65535 ms; zero: the kernel's default
public record SctpInit(int outboundStreams, int inboundStreams, int attempts, Duration timeout) {
    /// 10 streams each way, as the kernel's default is, with 65535 allowed.
    public static final SctpInit DEFAULT = new SctpInit(10, 0xffff, 0, Duration.ZERO);

    /// @throws IllegalArgumentException when a value is out of its range
    public SctpInit {
        SctpOption.check("outboundStreams", outboundStreams, 1, 0xffff);
        SctpOption.check("inboundStreams", inboundStreams, 1, 0xffff);
        SctpOption.check("attempts", attempts, 0, 0xffff);
        SctpOption.check("timeout", timeout.toMillis(), 0, 0xffff);
    }
}
