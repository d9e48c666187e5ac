package io.weft.transport.posix;

import io.weft.ffi.Sctp;
import io.weft.ffi.Sockets;
import java.util.Set;

/// Kinds of sockets by the options that they have.
enum SocketKind {
    TCP,
    UDP,
    SCTP,
    UNIX,
    OTHER;

    static final Set<SocketKind> ALL = Set.of(values());

    /// Of a socket that was made for a family and a type without a protocol.
    static SocketKind of(int family, int type) {
        if (family == Sockets.AF_UNIX) {
            return UNIX;
        }
        return (type & Sockets.SOCK_DGRAM) != 0 ? UDP : TCP;
    }

    static SocketKind of(int fd) {
        int family = (int) Sockets.getOption(fd, Sockets.SOL_SOCKET, Sockets.SO_DOMAIN);
        if (family == Sockets.AF_UNIX) {
            return UNIX;
        }
        return switch ((int) Sockets.getOption(fd, Sockets.SOL_SOCKET, Sockets.SO_PROTOCOL)) {
            case Sockets.IPPROTO_TCP -> TCP;
            case Sockets.IPPROTO_UDP -> UDP;
            case Sctp.IPPROTO_SCTP -> SCTP;
            default -> OTHER;
        };
    }
}
