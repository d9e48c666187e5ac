package io.weft.transport.posix;

import io.weft.channel.ChannelOption;
import io.weft.channel.ChannelOptions;
import io.weft.ffi.Sockets;

/// Options of channels as options of sockets.
public final class SocketOptions {
    private SocketOptions() {}

    /// Sets what a socket has before it is bound or connected. Connections inherit these options from their listener.
    public static void configure(int fd, ChannelOptions options) {
        if (options.get(ChannelOption.TCP_NODELAY)) {
            Sockets.setOption(fd, Sockets.IPPROTO_TCP, Sockets.TCP_NODELAY, 1);
        }
        if (options.get(ChannelOption.SO_KEEPALIVE)) {
            Sockets.setOption(fd, Sockets.SOL_SOCKET, Sockets.SO_KEEPALIVE, 1);
        }
        int receive = options.get(ChannelOption.SO_RCVBUF);
        if (receive > 0) {
            Sockets.setOption(fd, Sockets.SOL_SOCKET, Sockets.SO_RCVBUF, receive);
        }
        int send = options.get(ChannelOption.SO_SNDBUF);
        if (send > 0) {
            Sockets.setOption(fd, Sockets.SOL_SOCKET, Sockets.SO_SNDBUF, send);
        }
    }
}
