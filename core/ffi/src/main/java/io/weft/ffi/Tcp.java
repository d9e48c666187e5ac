package io.weft.ffi;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/// TCP sockets, as sequences of the calls in [Sockets]. Every descriptor is close-on-exec.
public final class Tcp {
    static {
        // Loaded now: what a failure needs may come from a file, and the failure may be that no
        // file can be opened.
        String _ = Errno.name(Errno.EMFILE);
    }

    private Tcp() {}

    /// A socket bound to `address` and not listening yet, so that options can be set first.
    ///
    /// The IPv4 wildcard address means all addresses: it is bound as the IPv6 wildcard with mapped addresses where the
    /// system has IPv6.
    ///
    /// @param flags `SOCK_NONBLOCK` or 0
    /// @throws IOException a `BindException` when the address cannot be had; nothing is left open then
    public static int bind(
            InetSocketAddress address, int flags, boolean reuseAddress, boolean reusePort)
            throws IOException {
        boolean wildcard =
                address.getAddress() instanceof Inet4Address v4 && v4.isAnyLocalAddress();
        int family = wildcard ? Sockets.AF_INET6 : SockAddr.familyFor(address.getAddress());
        int fd = Sockets.socket(family, Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC | flags, 0);
        if (wildcard && fd == -Errno.EAFNOSUPPORT) {
            family = Sockets.AF_INET;
            fd = Sockets.socket(family, Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC | flags, 0);
        }
        check(fd, "socket", address);
        try {
            if (family == Sockets.AF_INET6) {
                check(
                        Sockets.setOption(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_V6ONLY, 0),
                        "setsockopt",
                        address);
            }
            if (reuseAddress) {
                check(
                        Sockets.setOption(fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR, 1),
                        "setsockopt",
                        address);
            }
            if (reusePort) {
                check(
                        Sockets.setOption(fd, Sockets.SOL_SOCKET, Sockets.SO_REUSEPORT, 1),
                        "setsockopt",
                        address);
            }
            long at = Memory.allocate(SockAddr.SIZE, 8);
            try {
                int length =
                        wildcard && family == Sockets.AF_INET6
                                ? anyIpv6(address.getPort(), at)
                                : SockAddr.write(address, family, at);
                check(Sockets.bind(fd, at, length), "bind", address);
            } finally {
                Memory.free(at, SockAddr.SIZE);
            }
            return fd;
        } catch (IOException e) {
            Libc.close(fd);
            throw e;
        }
    }

    private static int anyIpv6(int port, long at) {
        Memory.fill(at, SockAddr.SIZE, (byte) 0);
        Memory.putShort(at, (short) Sockets.AF_INET6);
        Memory.putShortBE(at + 2, (short) port);
        return SockAddr.SIZE_INET6;
    }

    /// An unconnected socket for reaching `address`.
    public static int open(InetSocketAddress address, int flags) throws IOException {
        int family = SockAddr.familyFor(address.getAddress());
        int fd = Sockets.socket(family, Sockets.SOCK_STREAM | Sockets.SOCK_CLOEXEC | flags, 0);
        check(fd, "socket", address);
        return fd;
    }

    /// Null when the descriptor has none.
    public static @Nullable InetSocketAddress localAddress(int fd) {
        return address(fd, true);
    }

    /// Null when the descriptor is not connected.
    public static @Nullable InetSocketAddress remoteAddress(int fd) {
        return address(fd, false);
    }

    private static @Nullable InetSocketAddress address(int fd, boolean local) {
        long at = Memory.allocate(SockAddr.SIZE + 8, 8);
        try {
            long length = at + SockAddr.SIZE;
            Memory.putInt(length, SockAddr.SIZE);
            int result =
                    local
                            ? Sockets.getsockname(fd, at, length)
                            : Sockets.getpeername(fd, at, length);
            return result < 0 ? null : SockAddr.read(at);
        } finally {
            Memory.free(at, SockAddr.SIZE + 8);
        }
    }

    private static void check(int result, String call, InetSocketAddress address)
            throws IOException {
        if (result < 0) {
            throw failure(-result, call + " " + address);
        }
    }

    /// The JDK's exception for an errno, so that callers can catch what they would catch of any socket.
    ///
    /// @param what was tried, for the message: `connect /127.0.0.1:80`
    public static IOException failure(int errno, String what) {
        String message = what + ": " + Errno.describe(errno);
        return switch (errno) {
            case Errno.EADDRINUSE, Errno.EADDRNOTAVAIL, Errno.EACCES -> new BindException(message);
            case Errno.ECONNREFUSED, Errno.ETIMEDOUT -> new ConnectException(message);
            case Errno.EHOSTUNREACH, Errno.ENETUNREACH -> new NoRouteToHostException(message);
            case Errno.ECONNRESET, Errno.EPIPE, Errno.ECONNABORTED -> new SocketException(message);
            default -> new IOException(message);
        };
    }

    /// Whether an accept that failed so is worth trying again once something has been closed.
    public static boolean isExhaustion(int errno) {
        return errno == Errno.EMFILE
                || errno == Errno.ENFILE
                || errno == Errno.ENOBUFS
                || errno == Errno.ENOMEM;
    }
}
