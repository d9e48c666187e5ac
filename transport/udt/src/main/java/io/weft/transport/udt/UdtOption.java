package io.weft.transport.udt;

import io.weft.engine.ChannelOption;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.random.RandomGenerator;

/// Options of UDT's channels. Those of UDP sockets apply to the port of a listener or connection:
/// `SO_RCVBUF` and `SO_SNDBUF`, which are 1 MiB unless said otherwise, `IP_TOS` and others. A port
/// opens with an `SO_RCVBUF` of 64 KiB at least.
public final class UdtOption {
    /// Time after which a message that was not delivered is given up, of those that are sent from
    /// then on; default zero: never. It can be changed between two writes that are flushed.
    public static final ChannelOption<Duration> MESSAGE_TTL =
            ChannelOption.ofEndpoint("UDT_MESSAGE_TTL", Duration.class, Duration.ZERO);

    /// True if messages are delivered in the order in which they were sent, of those that are sent
    /// from then on; default true. Else each is delivered when it is whole.
    public static final ChannelOption<Boolean> MESSAGE_ORDERED =
            ChannelOption.ofEndpoint("UDT_MESSAGE_ORDERED", Boolean.class, true);

    /// Bytes of packets that a connection sends a second at most; default 0: as many as congestion
    /// control lets.
    public static final ChannelOption<Long> MAX_RATE =
            ChannelOption.ofEndpoint("UDT_MAX_RATE", Long.class, 0L);

    /// Counts and estimates of a connection; can only be read.
    public static final ChannelOption<UdtStatistics> STATISTICS =
            ChannelOption.ofEndpoint("UDT_STATISTICS", UdtStatistics.class, UdtStatistics.NONE);

    /// The source of ids, first sequence numbers and secrets; a `SecureRandom` by default, which is
    /// what keeps others from guessing them. Another makes simulations repeatable.
    public static final ChannelOption<RandomGenerator> RANDOM =
            ChannelOption.ofEndpoint("UDT_RANDOM", RandomGenerator.class, new SecureRandom());

    private UdtOption() {}
}
