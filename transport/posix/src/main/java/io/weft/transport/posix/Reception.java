package io.weft.transport.posix;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.ffi.Sockets;

/// Kinds of streams by what is received from them.
public enum Reception {
    /// Bytes that came over a network.
    BYTES,

    /// Bytes that came through a Unix domain socket.
    UNIX_BYTES,

    /// The same, with the descriptors that came with them.
    DESCRIPTORS;

    /// Returns that of a stream with these options.
    ///
    /// @param family of its socket's address, such as `AF_UNIX`
    public static Reception of(int family, ChannelOptions options) {
        if (family != Sockets.AF_UNIX) {
            return BYTES;
        }
        return options.get(ChannelOption.RECEIVE_DESCRIPTORS) ? DESCRIPTORS : UNIX_BYTES;
    }

    /// Returns the family of a socket's address.
    static int family(int fd) {
        return (int) Sockets.getOption(fd, Sockets.SOL_SOCKET, Sockets.SO_DOMAIN);
    }
}
