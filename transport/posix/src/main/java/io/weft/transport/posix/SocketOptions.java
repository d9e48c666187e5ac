package io.weft.transport.posix;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.RawOption;
import io.weft.ffi.Errno;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.SocketException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Options of channels as options of sockets.
public final class SocketOptions {
    private static final Map<ChannelOption<?>, SocketOption<?>> KNOWN = new HashMap<>();

    static {
        SocketOptionTable.fill(KNOWN);
    }

    private SocketOptions() {}

    /// Sets, before a socket is bound or connected, what was chosen for it and what differs from
    /// the kernel's defaults. Connections inherit these options from their TCP listener. Options
    /// that this kind of socket does not have are passed over.
    ///
    /// @throws IOException when the kernel refuses one
    public static void configure(int fd, ChannelOptions options) throws IOException {
        configure(fd, SocketKind.of(fd), options);
    }

    static void configure(int fd, SocketKind kind, ChannelOptions options) throws IOException {
        if (kind == SocketKind.TCP && !options.isSet(ChannelOption.TCP_NODELAY)) {
            Sockets.setOption(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1);
        }
        for (ChannelOption<?> option : options.set()) {
            configure(fd, kind, options, option);
        }
    }

    private static <T> void configure(
            int fd, SocketKind kind, ChannelOptions options, ChannelOption<T> option)
            throws IOException {
        SocketOption<T> known = find(option);
        if (known != null && known.isOf(kind) && !known.isReadOnly()) {
            check(known.set(fd, options.get(option)), "setsockopt", option);
        }
    }

    @SuppressWarnings("unchecked") // the table pairs options of one type
    private static <T> @Nullable SocketOption<T> find(ChannelOption<T> option) {
        RawOption raw = option.raw();
        return raw != null
                ? (SocketOption<T>) SocketOption.raw(option, raw)
                : (SocketOption<T>) KNOWN.get(option);
    }

    private static <T> SocketOption<T> required(int fd, ChannelOption<T> option) {
        SocketOption<T> known = find(option);
        SocketKind kind = SocketKind.of(fd);
        if (known == null || !known.isOf(kind)) {
            throw new UnsupportedOperationException(option + " of a socket of kind " + kind);
        }
        return known;
    }

    /// The value that the kernel has.
    public static <T> T get(int fd, ChannelOption<T> option) throws IOException {
        return required(fd, option).get(fd, option);
    }

    public static <T> void set(int fd, ChannelOption<T> option, T value) throws IOException {
        SocketOption<T> known = required(fd, option);
        if (known.isReadOnly()) {
            throw new UnsupportedOperationException(option + ": can only be read");
        }
        check(known.set(fd, value), "setsockopt", option);
    }

    static void check(long result, String call, ChannelOption<?> option) throws SocketException {
        if (result < 0) {
            throw new SocketException(call + " " + option + ": " + Errno.describe((int) -result));
        }
    }
}
