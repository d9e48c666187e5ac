package io.weft.ffi;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/// Internet addresses as `struct sockaddr_in` and `sockaddr_in6`, with families of Linux.
public final class SockAddr {
    /// The size of `struct sockaddr_storage`: room for an address of any family.
    public static final int SIZE = 128;

    public static final int SIZE_INET = 16;
    public static final int SIZE_INET6 = 28;

    static final int FAMILY = 0;
    static final int PORT = 2;
    static final int ADDRESS_INET = 4;
    static final int FLOWINFO = 4;
    static final int ADDRESS_INET6 = 8;
    static final int SCOPE_ID = 24;

    private static final AddressLayout HERE = Abi.HERE.addresses();

    private SockAddr() {}

    /// Returns the family of the address at `at`.
    public static int family(long at) {
        return HERE.family(at);
    }

    /// The family of sockets that reach the address: `AF_INET` or `AF_INET6`.
    public static int familyFor(InetAddress address) {
        return address instanceof Inet4Address ? Sockets.AF_INET : Sockets.AF_INET6;
    }

    /// Writes the address for a socket of `family` at `at`, where there are [#SIZE] bytes, and
    /// returns the structure's length. For `AF_INET6` an IPv4 address becomes `::ffff:a.b.c.d`, the
    /// unspecified one too, which then means every IPv4 address but no IPv6 address. A scope id is
    /// kept.
    ///
    /// @throws IllegalArgumentException for an unresolved address, or an IPv6 address with
    ///     `AF_INET`
    public static int write(InetSocketAddress address, int family, long at) {
        return write(HERE, address, family, at);
    }

    static int write(AddressLayout layout, InetSocketAddress address, int family, long at) {
        InetAddress ip = address.getAddress();
        if (ip == null) {
            throw new IllegalArgumentException("address: " + address + " (expected: resolved)");
        }
        if (family == Sockets.AF_INET && ip instanceof Inet4Address) {
            Memory.fill(at, SIZE_INET, (byte) 0);
            Memory.copy(ip.getAddress(), 0, at + ADDRESS_INET, 4);
            return header(layout, at, family, address.getPort(), SIZE_INET);
        }
        if (family == Sockets.AF_INET6) {
            Memory.fill(at, SIZE_INET6, (byte) 0);
            if (ip instanceof Inet6Address ipv6) {
                Memory.copy(ip.getAddress(), 0, at + ADDRESS_INET6, 16);
                Memory.putInt(at + SCOPE_ID, ipv6.getScopeId());
            } else {
                // RFC 4291, 2.5.5.2: IPv4-mapped IPv6 address
                Memory.putShort(at + ADDRESS_INET6 + 10, (short) -1);
                Memory.copy(ip.getAddress(), 0, at + ADDRESS_INET6 + 12, 4);
            }
            return header(layout, at, family, address.getPort(), SIZE_INET6);
        }
        throw new IllegalArgumentException(
                "family: "
                        + family
                        + " for "
                        + address
                        + " (expected: "
                        + (ip instanceof Inet4Address ? "AF_INET (2) or " : "")
                        + "AF_INET6 (10))");
    }

    /// Offset of the group in the argument of the `MCAST_` options, whose first member is the
    /// interface's index. The source follows the group, each in [#SIZE] bytes.
    public static int groupOffset() {
        return HERE.group();
    }

    /// Writes the IPv6 address that means all addresses, of IPv4 too where the socket allows it.
    public static int writeAny(int port, long at) {
        Memory.fill(at, SIZE_INET6, (byte) 0);
        return header(HERE, at, Sockets.AF_INET6, port, SIZE_INET6);
    }

    private static int header(AddressLayout layout, long at, int family, int port, int size) {
        layout.head(at, family, size);
        Memory.putShortBE(at + PORT, (short) port);
        return size;
    }

    /// Reads the address at `at`. An IPv4-mapped one becomes an `Inet4Address`. No name is looked
    /// up.
    ///
    /// @throws IllegalArgumentException for a family other than `AF_INET` and `AF_INET6`
    public static InetSocketAddress read(long at) {
        return read(HERE, at);
    }

    static InetSocketAddress read(AddressLayout layout, long at) {
        int family = layout.family(at);
        int port = Short.toUnsignedInt(Memory.getShortBE(at + PORT));
        return switch (family) {
            case Sockets.AF_INET -> new InetSocketAddress(ip(at + ADDRESS_INET, 4, 0), port);
            case Sockets.AF_INET6 ->
                    new InetSocketAddress(
                            ip(at + ADDRESS_INET6, 16, Memory.getInt(at + SCOPE_ID)), port);
            default ->
                    throw new IllegalArgumentException(
                            "family: " + family + " (expected: AF_INET (2) or AF_INET6 (10))");
        };
    }

    private static InetAddress ip(long at, int length, int scope) {
        byte[] bytes = new byte[length];
        Memory.copy(at, bytes, 0, length);
        try {
            return scope == 0
                    ? InetAddress.getByAddress(bytes) // maps an IPv4-mapped address back itself
                    : Inet6Address.getByAddress(null, bytes, scope);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("length: " + length, e);
        }
    }
}
