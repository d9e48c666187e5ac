package io.weft.transport.local;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;

/// Room for bytes that have arrived and not been taken, as a kernel's two buffers have it.
final class Capacity {
    private static final int DEFAULT_SIZE = 64 << 10;
    private static final int LEAST_SIZE = 2 << 10;

    private Capacity() {}

    /// Returns the sum of both sizes in bytes, at most `Integer.MAX_VALUE`.
    static int of(ChannelOptions receiver, ChannelOptions sender) {
        long own = size(receiver, ChannelOption.SO_RCVBUF);
        return (int) Math.min(own + size(sender, ChannelOption.SO_SNDBUF), Integer.MAX_VALUE);
    }

    private static int size(ChannelOptions options, ChannelOption<Integer> option) {
        int wanted = options.get(option);
        return wanted == 0 ? DEFAULT_SIZE : Math.max(wanted, LEAST_SIZE);
    }
}
