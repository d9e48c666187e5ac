package io.weft.channel;

import java.time.Duration;

/// A typed option of a channel. Options that a kind of channel does not have are ignored by it.
///
/// @param <T> of its values
public final class ChannelOption<T> {
    /// Connections that the kernel queues for a listener; default 4096, cut to `net.core.somaxconn` by the kernel.
    public static final ChannelOption<Integer> SO_BACKLOG =
            new ChannelOption<>("SO_BACKLOG", Integer.class, 4096);

    /// Default true for listeners, so that a restarted server gets its port.
    public static final ChannelOption<Boolean> SO_REUSEADDR =
            new ChannelOption<>("SO_REUSEADDR", Boolean.class, true);

    /// Several listeners on one port, among which the kernel spreads connections; default false.
    public static final ChannelOption<Boolean> SO_REUSEPORT =
            new ChannelOption<>("SO_REUSEPORT", Boolean.class, false);

    /// Default true: handlers decide when to flush, so Nagle's algorithm only delays.
    public static final ChannelOption<Boolean> TCP_NODELAY =
            new ChannelOption<>("TCP_NODELAY", Boolean.class, true);

    public static final ChannelOption<Boolean> SO_KEEPALIVE =
            new ChannelOption<>("SO_KEEPALIVE", Boolean.class, false);

    /// Bytes; 0 leaves the choice to the kernel, which then tunes it by itself.
    public static final ChannelOption<Integer> SO_RCVBUF =
            new ChannelOption<>("SO_RCVBUF", Integer.class, 0);

    /// Bytes; 0 leaves the choice to the kernel, which then tunes it by itself.
    public static final ChannelOption<Integer> SO_SNDBUF =
            new ChannelOption<>("SO_SNDBUF", Integer.class, 0);

    /// Default 10 s.
    public static final ChannelOption<Duration> CONNECT_TIMEOUT =
            new ChannelOption<>("CONNECT_TIMEOUT", Duration.class, Duration.ofSeconds(10));

    /// How long an orderly close waits for a peer that takes nothing of what was flushed before; default 10 s.
    public static final ChannelOption<Duration> CLOSE_TIMEOUT =
            new ChannelOption<>("CLOSE_TIMEOUT", Duration.class, Duration.ofSeconds(10));

    /// How long an orderly close discards input that the peer has sent and nobody read, so that it does not end in a reset;
    /// default 2 s. Zero closes at once.
    public static final ChannelOption<Duration> LINGER_TIMEOUT =
            new ChannelOption<>("LINGER_TIMEOUT", Duration.class, Duration.ofSeconds(2));

    /// Whether a channel reads without being asked, while it is writable; default true.
    public static final ChannelOption<Boolean> AUTO_READ =
            new ChannelOption<>("AUTO_READ", Boolean.class, true);

    /// Whether the channel stays open when the peer closes its sending direction; default false.
    public static final ChannelOption<Boolean> ALLOW_HALF_CLOSURE =
            new ChannelOption<>("ALLOW_HALF_CLOSURE", Boolean.class, false);

    /// Whether a channel closes by itself when the peer has closed its sending direction and the channel its own;
    /// default true.
    public static final ChannelOption<Boolean> CLOSE_WHEN_SHUT =
            new ChannelOption<>("CLOSE_WHEN_SHUT", Boolean.class, true);

    /// Default 32 KiB and 64 KiB, with a hard cap of 1 MiB behind them.
    public static final ChannelOption<WriteBufferWaterMark> WRITE_BUFFER_WATER_MARK =
            new ChannelOption<>(
                    "WRITE_BUFFER_WATER_MARK",
                    WriteBufferWaterMark.class,
                    new WriteBufferWaterMark(32 << 10, 64 << 10, 1 << 20));

    private final String name;
    private final Class<T> type;
    private final T defaultValue;

    private ChannelOption(String name, Class<T> type, T defaultValue) {
        this.name = name;
        this.type = type;
        this.defaultValue = defaultValue;
    }

    public String name() {
        return name;
    }

    public T defaultValue() {
        return defaultValue;
    }

    T cast(Object value) {
        return type.cast(value);
    }

    @Override
    public String toString() {
        return name;
    }
}
