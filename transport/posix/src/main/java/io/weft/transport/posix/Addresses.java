package io.weft.transport.posix;

import io.weft.engine.UnixAbstractAddress;
import io.weft.ffi.Memory;
import io.weft.ffi.SockAddr;
import io.weft.ffi.SockAddrUn;
import io.weft.ffi.Sockets;
import java.net.Inet4Address;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import org.jspecify.annotations.Nullable;

/// Addresses of every family as structures of the kernel.
public final class Addresses {
    /// Room for an address of any family.
    public static final int SIZE = SockAddr.SIZE;

    /// Charset by which the JDK encodes paths for the kernel.
    private static final Charset PATHS =
            Charset.forName(
                    System.getProperty("sun.jnu.encoding", "UTF-8"), Charset.defaultCharset());

    private Addresses() {}

    private static IllegalArgumentException unsupported(SocketAddress address) {
        return new IllegalArgumentException(
                "address: "
                        + address
                        + " (expected: an InetSocketAddress, UnixDomainSocketAddress or"
                        + " UnixAbstractAddress)");
    }

    /// The family of sockets that reach `address`: `AF_INET`, `AF_INET6` or `AF_UNIX`.
    ///
    /// @throws IllegalArgumentException when it is of no known kind, or it is a host's name only
    public static int family(SocketAddress address) {
        return switch (address) {
            case InetSocketAddress inet when inet.isUnresolved() ->
                    throw new IllegalArgumentException(
                            "address: " + inet + " (expected: one that is resolved)");
            case InetSocketAddress inet -> SockAddr.familyFor(inet.getAddress());
            case UnixDomainSocketAddress _, UnixAbstractAddress _ -> Sockets.AF_UNIX;
            default -> throw unsupported(address);
        };
    }

    /// Tells if `address` means all IPv4 addresses, which is taken for all addresses of both
    /// families.
    static boolean isWildcard(SocketAddress address) {
        return address instanceof InetSocketAddress inet
                && inet.getAddress() instanceof Inet4Address v4
                && v4.isAnyLocalAddress();
    }

    /// Finds out, while nothing is open yet, whether `address` can be written for a socket of
    /// `family`.
    ///
    /// @throws SocketException when it cannot: a path is too long, or the address is of another
    ///     family
    static void check(SocketAddress address, int family) throws SocketException {
        long at = Memory.allocate(SIZE, 8);
        try {
            int _ = write(address, family, at);
        } catch (IllegalArgumentException e) {
            throw new SocketException("address " + address + ": " + e.getMessage());
        } finally {
            Memory.free(at, SIZE);
        }
    }

    /// Writes `address` for a socket of `family` at `at`, where there are [#SIZE] bytes, and
    /// returns its length.
    public static int write(SocketAddress address, int family, long at) {
        return switch (address) {
            case InetSocketAddress inet -> SockAddr.write(inet, family, at);
            case UnixDomainSocketAddress unix ->
                    SockAddrUn.writePath(unix.getPath().toString().getBytes(PATHS), at);
            case UnixAbstractAddress unix -> SockAddrUn.writeAbstract(unix.name(), at);
            default -> throw unsupported(address);
        };
    }

    /// Reads the address of `length` bytes at `at`; null when there is none, or it is a path that
    /// the JDK cannot have.
    public static @Nullable SocketAddress read(long at, int length) {
        if (length < Short.BYTES) {
            return null;
        }
        int family = SockAddr.family(at);
        if (family != Sockets.AF_UNIX) {
            return family == Sockets.AF_UNSPEC ? null : SockAddr.read(at);
        }
        byte[] name = SockAddrUn.name(at, length);
        return SockAddrUn.isAbstract(at, length) ? UnixAbstractAddress.of(name) : path(name);
    }

    /// Null where the JDK has no such path: a peer may bind to bytes that are no characters of this
    /// locale.
    private static @Nullable SocketAddress path(byte[] name) {
        try {
            return UnixDomainSocketAddress.of(new String(name, PATHS));
        } catch (InvalidPathException e) {
            return null;
        }
    }

    /// Null when the descriptor has none.
    public static @Nullable SocketAddress local(int fd) {
        return ask(fd, true);
    }

    /// Null when the descriptor is not connected.
    public static @Nullable SocketAddress remote(int fd) {
        return ask(fd, false);
    }

    private static @Nullable SocketAddress ask(int fd, boolean local) {
        long at = Memory.allocate(SIZE + 8, 8);
        try {
            long length = at + SIZE;
            Memory.putInt(length, SIZE);
            int result =
                    local
                            ? Sockets.getsockname(fd, at, length)
                            : Sockets.getpeername(fd, at, length);
            return result < 0 ? null : read(at, Memory.getInt(length));
        } finally {
            Memory.free(at, SIZE + 8);
        }
    }
}
