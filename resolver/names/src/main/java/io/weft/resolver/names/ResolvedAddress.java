package io.weft.resolver.names;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// An address at which a host can be reached, as a [NameResolver] found it.
///
/// @param address its address
/// @param port to connect to; the one that was asked for, unless the name says otherwise as
///     records of type SVCB and HTTPS may (RFC 9460, 7.2)
/// @param protocols that the server speaks there, by their names for ALPN (RFC 9460, 7.1); empty
///     where the name does not say
/// @param rank of the place that it belongs to, 0 or above: all addresses of a lower rank are tried
///     before those of a higher (RFC 9460, 2.4.1)
public record ResolvedAddress(InetAddress address, int port, List<String> protocols, int rank) {
    /// @throws IllegalArgumentException when `port` is outside 0..65535, or `rank` negative
    public ResolvedAddress {
        Objects.requireNonNull(address, "address");
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0 to 65535)");
        }
        if (rank < 0) {
            throw new IllegalArgumentException("rank: " + rank + " (expected: >= 0)");
        }
        protocols = List.copyOf(protocols);
    }

    /// Makes an address of the first rank.
    public ResolvedAddress(InetAddress address, int port, List<String> protocols) {
        this(address, port, protocols, 0);
    }

    /// Makes an address of which no protocols are known.
    public ResolvedAddress(InetAddress address, int port) {
        this(address, port, List.of(), 0);
    }

    /// Tells if the address is of IPv6.
    public boolean isIpv6() {
        return address instanceof Inet6Address;
    }

    /// Returns it as the address of a socket.
    public InetSocketAddress socketAddress() {
        return new InetSocketAddress(address, port);
    }

    /// Tells if both are the same, the zones of their addresses too, which [Inet6Address#equals]
    /// passes over: `fe80::1` of two links is two hosts (RFC 4007, 5).
    @Override
    public final boolean equals(@Nullable Object o) {
        return o instanceof ResolvedAddress other
                && port == other.port
                && rank == other.rank
                && address.equals(other.address)
                && zone(address) == zone(other.address)
                && protocols.equals(other.protocols);
    }

    @Override
    public final int hashCode() {
        return 31 * (31 * address.hashCode() + protocols.hashCode()) + 31 * port + rank;
    }

    private static int zone(InetAddress address) {
        return address instanceof Inet6Address ipv6 ? ipv6.getScopeId() : 0;
    }
}
