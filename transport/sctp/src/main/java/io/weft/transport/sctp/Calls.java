package io.weft.transport.sctp;

import io.weft.ffi.Errno;
import io.weft.ffi.Sockets;

/// System calls that move messages, apart from the rest so that tests can script them.
interface Calls {
    Calls KERNEL =
            new Calls() {
                @Override
                public int send(int fd, long header) {
                    int sent;
                    do {
                        sent =
                                Sockets.sendmsg(
                                        fd, header, Sockets.MSG_NOSIGNAL | Sockets.MSG_DONTWAIT);
                    } while (sent == -Errno.EINTR);
                    return sent;
                }

                @Override
                public int receive(int fd, long header) {
                    return Sockets.recvmsg(fd, header, Sockets.MSG_DONTWAIT);
                }
            };

    /// Sends the message of a `struct msghdr`, as `sendmsg` does; not interrupted.
    int send(int fd, long header);

    /// Receives to a `struct msghdr`, as `recvmsg` does.
    int receive(int fd, long header);
}
