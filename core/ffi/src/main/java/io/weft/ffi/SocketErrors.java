package io.weft.ffi;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;

/// The meaning of errors of sockets.
public final class SocketErrors {
    static {
        // Loaded now: what a failure needs may come from a file, and the failure may be that no
        // file can be opened.
        String _ = Errno.name(Errno.EMFILE);
    }

    private SocketErrors() {}

    /// The JDK's exception for an errno, so that callers can catch what they would catch of any
    /// socket.
    ///
    /// @param what was tried, for the message: `connect /127.0.0.1:80`
    public static IOException failure(int errno, String what) {
        // Not "+": where hundreds of connections break at once in a young process, linking and
        // compiling what javac makes of it takes longer than all the rest.
        String message = what.concat(": ").concat(Errno.describe(errno));
        return switch (errno) {
            case Errno.EADDRINUSE, Errno.EADDRNOTAVAIL, Errno.EACCES -> new BindException(message);
            case Errno.ECONNREFUSED, Errno.ETIMEDOUT -> new ConnectException(message);
            case Errno.EHOSTUNREACH, Errno.ENETUNREACH -> new NoRouteToHostException(message);
            case Errno.ECONNRESET, Errno.EPIPE, Errno.ECONNABORTED -> new SocketException(message);
            default -> new IOException(message);
        };
    }

    /// Tells if a send that failed so has found the connection ended by the peer. What had arrived
    /// before can still be received.
    public static boolean isBroken(int errno) {
        return errno == Errno.EPIPE || errno == Errno.ECONNRESET;
    }

    /// Tells if an accept that failed so is worth trying again once something has been closed.
    public static boolean isExhaustion(int errno) {
        return errno == Errno.EMFILE
                || errno == Errno.ENFILE
                || errno == Errno.ENOBUFS
                || errno == Errno.ENOMEM;
    }
}
