package io.weft.transport.posix;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.SocketAddress;

/// A descriptor that listens.
///
/// @param localAddress with the port that the system chose for port 0
/// @param descriptors whether connections receive descriptors too
public record ListeningDescriptor(int fd, SocketAddress localAddress, boolean descriptors) {
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
        SocketAddress local = result < 0 ? null : Addresses.local(bound.fd());
        if (local == null) {
            bound.close();
            throw SocketErrors.failure(-result, "listen " + address);
        }
        return new ListeningDescriptor(
                bound.fd(), local, AcceptedDescriptor.receivesDescriptors(bound.fd(), options));
    }

    private static ChannelOptions forListener(ChannelOptions options) {
        boolean reuse = options.get(ChannelOption.SO_REUSEADDR);
        return options.with(ChannelOption.SO_REUSEADDR, reuse);
    }
}
