package io.weft.transport.nio;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.nio.channels.NetworkChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;
import org.jspecify.annotations.Nullable;

/// Options of channels as options of the JDK's channels.
final class NioOptions {
    private static final Map<ChannelOption<?>, SocketOption<?>> KNOWN =
            Map.ofEntries(
                    Map.entry(ChannelOption.SO_REUSEADDR, StandardSocketOptions.SO_REUSEADDR),
                    Map.entry(ChannelOption.SO_REUSEPORT, StandardSocketOptions.SO_REUSEPORT),
                    Map.entry(ChannelOption.SO_KEEPALIVE, StandardSocketOptions.SO_KEEPALIVE),
                    Map.entry(ChannelOption.SO_RCVBUF, StandardSocketOptions.SO_RCVBUF),
                    Map.entry(ChannelOption.SO_SNDBUF, StandardSocketOptions.SO_SNDBUF),
                    Map.entry(ChannelOption.SO_LINGER, StandardSocketOptions.SO_LINGER),
                    Map.entry(ChannelOption.SO_BROADCAST, StandardSocketOptions.SO_BROADCAST),
                    Map.entry(ChannelOption.IP_TOS, StandardSocketOptions.IP_TOS),
                    Map.entry(ChannelOption.IP_MULTICAST_IF, StandardSocketOptions.IP_MULTICAST_IF),
                    Map.entry(
                            ChannelOption.IP_MULTICAST_TTL, StandardSocketOptions.IP_MULTICAST_TTL),
                    Map.entry(
                            ChannelOption.IP_MULTICAST_LOOP,
                            StandardSocketOptions.IP_MULTICAST_LOOP),
                    Map.entry(ChannelOption.TCP_NODELAY, StandardSocketOptions.TCP_NODELAY),
                    Map.entry(ChannelOption.TCP_KEEPIDLE, ExtendedSocketOptions.TCP_KEEPIDLE),
                    Map.entry(ChannelOption.TCP_KEEPINTVL, ExtendedSocketOptions.TCP_KEEPINTERVAL),
                    Map.entry(ChannelOption.TCP_KEEPCNT, ExtendedSocketOptions.TCP_KEEPCOUNT),
                    Map.entry(ChannelOption.TCP_QUICKACK, ExtendedSocketOptions.TCP_QUICKACK));

    private NioOptions() {}

    /// Null where the channel, or this system, has no such option.
    @SuppressWarnings("unchecked") // the table pairs options of one type
    private static <T> @Nullable SocketOption<T> find(
            NetworkChannel channel, ChannelOption<T> option) {
        SocketOption<T> jdk = option.jdk();
        SocketOption<T> known = jdk != null ? jdk : (SocketOption<T>) KNOWN.get(option);
        return known != null && channel.supportedOptions().contains(known) ? known : null;
    }

    private static <T> SocketOption<T> required(NetworkChannel channel, ChannelOption<T> option) {
        SocketOption<T> known = find(channel, option);
        if (known == null) {
            throw new UnsupportedOperationException(
                    option + " of " + channel + " (expected: an option of the transport nio)");
        }
        return known;
    }

    static <T> T get(NetworkChannel channel, ChannelOption<T> option) throws IOException {
        return channel.getOption(required(channel, option));
    }

    static <T> void set(NetworkChannel channel, ChannelOption<T> option, T value)
            throws IOException {
        channel.setOption(required(channel, option), value);
    }

    /// Sets what was chosen and what differs from the system's defaults; what the channel does not
    /// have is passed over.
    static void configure(NetworkChannel channel, ChannelOptions options) throws IOException {
        if (channel instanceof SocketChannel) {
            configure(channel, options, ChannelOption.TCP_NODELAY);
        } else if (channel instanceof ServerSocketChannel) {
            configure(channel, options, ChannelOption.SO_REUSEADDR);
        }
        for (ChannelOption<?> option : options.set()) {
            configure(channel, options, option);
        }
    }

    private static <T> void configure(
            NetworkChannel channel, ChannelOptions options, ChannelOption<T> option)
            throws IOException {
        SocketOption<T> known = find(channel, option);
        if (known == null || (isSize(option) && options.get(option).equals(0))) {
            return;
        }
        channel.setOption(known, options.get(option));
    }

    /// 0 leaves the system to tune it.
    private static boolean isSize(ChannelOption<?> option) {
        return option == ChannelOption.SO_RCVBUF || option == ChannelOption.SO_SNDBUF;
    }
}
