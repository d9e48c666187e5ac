package io.weft.transport.sim;

import io.weft.channel.ChannelOption;
import io.weft.channel.ChannelOptions;

/// The options of one socket. They are remembered; sizes of buffers have an effect.
final class OptionValues {
    private static final int BUFFER = 64 << 10;
    private static final int LEAST_BUFFER = 2 << 10;

    private ChannelOptions values;

    OptionValues(ChannelOptions values) {
        this.values = values;
    }

    ChannelOptions all() {
        return values;
    }

    <T> T get(ChannelOption<T> option) {
        try {
            return values.get(option);
        } catch (IllegalStateException e) {
            throw new UnsupportedOperationException(option + " of a simulated socket", e);
        }
    }

    <T> void set(ChannelOption<T> option, T value) {
        values = values.with(option, value);
    }

    /// The size of a buffer, which the simulated kernel chooses when it is 0.
    int size(ChannelOption<Integer> option) {
        int wanted = values.get(option);
        return wanted == 0 ? BUFFER : Math.max(wanted, LEAST_BUFFER);
    }
}
