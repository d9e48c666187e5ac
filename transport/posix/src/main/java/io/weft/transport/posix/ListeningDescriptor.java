package io.weft.transport.posix;

import io.weft.channel.ChannelOption;
import io.weft.channel.ChannelOptions;
import io.weft.ffi.Libc;
import io.weft.ffi.Sockets;
import io.weft.ffi.Tcp;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// A descriptor that listens.
///
/// @param localAddress with the port that the system chose for port 0
public record ListeningDescriptor(int fd, SocketAddress localAddress) {
    /// Binds and listens.
    ///
    /// @param flags `SOCK_NONBLOCK` or 0
    /// @throws IOException a `BindException` when the address cannot be had; nothing is left open then
    public static ListeningDescriptor open(SocketAddress address, ChannelOptions options, int flags)
            throws IOException {
        InetSocketAddress inet = Addresses.inet(address);
        int fd =
                Tcp.bind(
                        inet,
                        flags,
                        options.get(ChannelOption.SO_REUSEADDR),
                        options.get(ChannelOption.SO_REUSEPORT));
        SocketOptions.configure(fd, options);
        int result = Sockets.listen(fd, options.get(ChannelOption.SO_BACKLOG));
        InetSocketAddress local = result < 0 ? null : Tcp.localAddress(fd);
        if (local == null) {
            Libc.close(fd);
            throw Tcp.failure(-result, "listen " + inet);
        }
        return new ListeningDescriptor(fd, local);
    }
}
