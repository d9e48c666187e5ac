package io.weft.transport.posix;

import io.weft.engine.ChannelOptions;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.SockAddr;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/// A descriptor on its way to be bound or connected; close-on-exec, options set.
///
/// @param family that addresses are to be written for
public record SocketDescriptor(int fd, int family) {
    /// A socket for reaching `address`.
    ///
    /// @param type `SOCK_STREAM` or `SOCK_DGRAM`, perhaps with `SOCK_NONBLOCK`
    /// @throws IOException when there is none to be had, or the kernel refuses an option; nothing
    ///     is left open then
    public static SocketDescriptor open(SocketAddress address, int type, ChannelOptions options)
            throws IOException {
        return made(Addresses.family(address), address, type, options);
    }

    /// A socket bound to `address`.
    ///
    /// The IPv4 wildcard address means all addresses: it is bound as the IPv6 wildcard with mapped
    /// addresses where the system has IPv6.
    ///
    /// @param type `SOCK_STREAM` or `SOCK_DGRAM`, perhaps with `SOCK_NONBLOCK`
    /// @throws IOException a `BindException` when the address cannot be had; nothing is left open
    ///     then
    public static SocketDescriptor bound(SocketAddress address, int type, ChannelOptions options)
            throws IOException {
        return bound(address, type, options, Addresses.isWildcard(address) && hasIpv6());
    }

    /// A socket bound to `address` of IPv4, also where that is the wildcard.
    ///
    /// @throws IOException as [#bound]
    static SocketDescriptor boundAsIs(SocketAddress address, int type, ChannelOptions options)
            throws IOException {
        return bound(address, type, options, false);
    }

    private static SocketDescriptor bound(
            SocketAddress address, int type, ChannelOptions options, boolean any)
            throws IOException {
        int family = Addresses.family(address);
        SocketDescriptor made = made(any ? Sockets.AF_INET6 : family, address, type, options);
        int result = OwnedDescriptor.of(made.fd, () -> made.bind(address, any));
        if (result < 0) {
            made.close();
            throw SocketErrors.failure(-result, "bind " + address);
        }
        return made;
    }

    private static boolean hasIpv6() {
        int fd = Sockets.socket(Sockets.AF_INET6, Sockets.SOCK_DGRAM | Sockets.SOCK_CLOEXEC, 0);
        if (fd >= 0) {
            Libc.close(fd);
        }
        return fd != -Errno.EAFNOSUPPORT && fd != -Errno.EPROTONOSUPPORT;
    }

    private static SocketDescriptor made(
            int family, SocketAddress address, int type, ChannelOptions options)
            throws IOException {
        Addresses.check(address, family);
        int fd = Sockets.socket(family, type | Sockets.SOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw SocketErrors.failure(-fd, "socket for " + address);
        }
        return OwnedDescriptor.of(
                fd,
                () -> {
                    if (family == Sockets.AF_INET6) {
                        Sockets.setOption(fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_V6ONLY, 0);
                    }
                    SocketOptions.configure(fd, SocketKind.of(family, type), options);
                    return new SocketDescriptor(fd, family);
                });
    }

    private int bind(SocketAddress address, boolean any) {
        long at = Memory.allocate(Addresses.SIZE, 8);
        try {
            int length =
                    any
                            ? SockAddr.writeAny(((InetSocketAddress) address).getPort(), at)
                            : Addresses.write(address, family, at);
            return Sockets.bind(fd, at, length);
        } finally {
            Memory.free(at, Addresses.SIZE);
        }
    }

    /// Begins to connect: what `connect` returns. If this throws, an `Error` too, the descriptor is
    /// closed.
    ///
    /// @param fast whether the first bytes that are sent go with the first packet, where the system
    ///     has a call for it and not the option `TCP_FASTOPEN_CONNECT`
    /// @throws IOException when it is no address of this family
    public int connect(SocketAddress address, boolean fast) throws IOException {
        return OwnedDescriptor.of(fd, () -> connectOwned(address, fast));
    }

    private int connectOwned(SocketAddress address, boolean fast) throws IOException {
        Addresses.check(address, family);
        long at = Memory.allocate(Addresses.SIZE, 8);
        try {
            int length = Addresses.write(address, family, at);
            return fast ? Sockets.connectFast(fd, at, length) : Sockets.connect(fd, at, length);
        } finally {
            Memory.free(at, Addresses.SIZE);
        }
    }

    public void close() {
        Libc.close(fd);
    }
}
