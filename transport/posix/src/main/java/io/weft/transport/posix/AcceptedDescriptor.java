package io.weft.transport.posix;

import io.weft.channel.ChannelOption;
import io.weft.channel.ChannelOptions;
import io.weft.channel.spi.Accepted;
import io.weft.ffi.Libc;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import java.io.IOException;

/// A connection that no loop has yet.
///
/// @param descriptors whether it receives descriptors too
public record AcceptedDescriptor(int fd, boolean descriptors) implements Accepted {
    /// A connected stream's descriptor that came from elsewhere.
    ///
    /// @param nonBlocking whether it has to be
    /// @throws IOException when it is no stream
    public static AcceptedDescriptor of(int fd, boolean nonBlocking) throws IOException {
        long type = Sockets.getOption(fd, Sockets.SOL_SOCKET, Sockets.SO_TYPE);
        if (type != Sockets.SOCK_STREAM) {
            throw type < 0
                    ? SocketErrors.failure((int) -type, "descriptor " + fd)
                    : new IOException(
                            "descriptor " + fd + ": of type " + type + " (expected: a stream)");
        }
        int flags = Libc.fcntl(fd, Libc.F_GETFL, 0);
        int wanted = nonBlocking ? flags | Libc.O_NONBLOCK : flags & ~Libc.O_NONBLOCK;
        if (flags != wanted) {
            Libc.fcntl(fd, Libc.F_SETFL, wanted);
        }
        return new AcceptedDescriptor(fd, false);
    }

    /// Whether a socket with these options receives descriptors.
    public static boolean receivesDescriptors(int fd, ChannelOptions options) {
        return options.get(ChannelOption.RECEIVE_DESCRIPTORS)
                && SocketKind.of(fd) == SocketKind.UNIX;
    }

    @Override
    public void close() {
        Libc.close(fd);
    }
}
