package io.weft.transport.sim;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import java.util.Set;

/// The options of one socket, of TCP or UDP. They are remembered; sizes of buffers have an effect.
/// An option that a kind of socket does not have is refused, as elsewhere.
final class OptionValues {
    private static final Set<ChannelOption<?>> OF_DATAGRAMS =
            Set.of(
                    ChannelOption.SO_BROADCAST,
                    ChannelOption.IP_MULTICAST_IF,
                    ChannelOption.IP_MULTICAST_TTL,
                    ChannelOption.IP_MULTICAST_LOOP,
                    ChannelOption.IP_MULTICAST_ALL,
                    ChannelOption.UDP_SEGMENT,
                    ChannelOption.UDP_GRO);

    private static final int BUFFER = 64 << 10;
    private static final int LEAST_BUFFER = 2 << 10;

    private final boolean datagrams;
    private ChannelOptions values;

    OptionValues(ChannelOptions values, boolean datagrams) {
        this.values = values;
        this.datagrams = datagrams;
    }

    private void requireOfSocket(ChannelOption<?> option) {
        boolean absent =
                !option.isOfSocket()
                        || option == ChannelOption.SO_PEERCRED
                        || (datagrams
                                ? option.name().startsWith("TCP_")
                                : OF_DATAGRAMS.contains(option));
        if (absent) {
            throw new UnsupportedOperationException(option + " of a simulated socket");
        }
    }

    ChannelOptions all() {
        return values;
    }

    <T> T get(ChannelOption<T> option) {
        requireOfSocket(option);
        try {
            return values.get(option);
        } catch (IllegalStateException e) {
            throw new UnsupportedOperationException(option + " of a simulated socket", e);
        }
    }

    <T> void set(ChannelOption<T> option, T value) {
        requireOfSocket(option);
        values = values.with(option, value);
    }

    /// The size of a buffer, which the simulated kernel chooses when it is 0.
    int size(ChannelOption<Integer> option) {
        int wanted = values.get(option);
        return wanted == 0 ? BUFFER : Math.max(wanted, LEAST_BUFFER);
    }
}
