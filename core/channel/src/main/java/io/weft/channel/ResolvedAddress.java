package io.weft.channel;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Objects;

/// An address at which a host can be reached, as a [NameResolver] found it.
///
/// @param address its address
/// @param port to connect to; the one that was asked for, unless the name says otherwise as
///     records of type SVCB and HTTPS may (RFC 9460, 7.2)
/// @param protocols that the server speaks there, by their names for ALPN (RFC 9460, 7.1); empty
///     where the name does not say
public record ResolvedAddress(InetAddress address, int port, List<String> protocols) {
    /// @throws IllegalArgumentException when `port` is outside 0..65535
    public ResolvedAddress {
        Objects.requireNonNull(address, "address");
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0 to 65535)");
        }
        protocols = List.copyOf(protocols);
    }

    /// Makes an address of which no protocols are known.
    public ResolvedAddress(InetAddress address, int port) {
        this(address, port, List.of());
    }

    /// Tells if the address is of IPv6.
    public boolean isIpv6() {
        return address instanceof Inet6Address;
    }

    InetSocketAddress socketAddress() {
        return new InetSocketAddress(address, port);
    }
}
