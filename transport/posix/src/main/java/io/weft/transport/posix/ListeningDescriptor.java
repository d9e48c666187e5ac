package io.weft.transport.posix;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.ffi.Libc;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;

/// A descriptor that listens.
///
/// @param localAddress with the port that the system chose for port 0
/// @param reception of its connections
public record ListeningDescriptor(int fd, SocketAddress localAddress, Reception reception) {
    /// Binds and listens.
    ///
    /// @param flags `SOCK_NONBLOCK` or 0
    /// @throws IOException a `BindException` when the address cannot be had; nothing is left open
    ///     then
    public static ListeningDescriptor open(SocketAddress address, ChannelOptions options, int flags)
            throws IOException {
        SocketDescriptor bound =
                SocketDescriptor.bound(address, Sockets.SOCK_STREAM | flags, forListener(options));
        int result = Sockets.listen(bound.fd(), options.get(ChannelOption.SO_BACKLOG));
        String filter = options.get(ChannelOption.SO_ACCEPTFILTER);
        if (result >= 0 && !filter.isEmpty() && Sockets.HAS_ACCEPT_FILTERS) {
            result = Sockets.acceptFilter(bound.fd(), filter.getBytes(StandardCharsets.US_ASCII));
        }
        SocketAddress local = result < 0 ? null : Addresses.local(bound.fd());
        if (local == null) {
            bound.close();
            throw SocketErrors.failure(-result, "listen " + address);
        }
        return new ListeningDescriptor(bound.fd(), local, Reception.of(bound.family(), options));
    }

    /// A listening descriptor that came from elsewhere, with the options that it has. Closes it if
    /// this throws.
    ///
    /// @param nonBlocking whether it has to be; that is the same for all processes which share it
    /// @throws IOException when it is no listening stream
    public static ListeningDescriptor of(int fd, ChannelOptions options, boolean nonBlocking)
            throws IOException {
        return OwnedDescriptor.of(fd, () -> taken(fd, options, nonBlocking));
    }

    private static ListeningDescriptor taken(int fd, ChannelOptions options, boolean nonBlocking)
            throws IOException {
        expect(fd, Sockets.SO_TYPE, Sockets.SOCK_STREAM, "a stream");
        expect(fd, Sockets.SO_ACCEPTCONN, 1, "a socket that listens");
        SocketAddress local = Addresses.local(fd);
        if (local == null) {
            throw new IOException("descriptor " + fd + ": no address (expected: a bound one)");
        }
        int _ = Libc.blocking(fd, !nonBlocking);
        Libc.fcntl(fd, Libc.F_SETFD, Libc.FD_CLOEXEC);
        return new ListeningDescriptor(fd, local, Reception.of(Reception.family(fd), options));
    }

    private static void expect(int fd, int option, int value, String what) throws IOException {
        long found = Sockets.getOption(fd, Sockets.SOL_SOCKET, option);
        if (found < 0) {
            throw SocketErrors.failure((int) -found, "descriptor " + fd);
        }
        if (found != value) {
            throw new IOException("descriptor " + fd + ": another (expected: " + what + ")");
        }
    }

    private static ChannelOptions forListener(ChannelOptions options) {
        boolean reuse = options.get(ChannelOption.SO_REUSEADDR);
        return options.with(ChannelOption.SO_REUSEADDR, reuse);
    }
}
