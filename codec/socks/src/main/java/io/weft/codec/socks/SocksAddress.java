package io.weft.codec.socks;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;

/// An address as SOCKS carries it. A name is not resolved by whoever carries it, but by the server
/// that connects to it.
public sealed interface SocksAddress {
    /// Zeros, where no address is known: 0.0.0.0:0.
    SocksAddress UNSPECIFIED = unspecified();

    /// The port, 0 to 65,535.
    int port();

    /// An address of IPv4 or IPv6.
    ///
    /// @param port 0 to 65,535
    record Ip(InetAddress address, int port) implements SocksAddress {
        /// @throws IllegalArgumentException when the port is out of range
        public Ip {
            SocksText.requirePort(port);
        }

        @Override
        public InetSocketAddress toSocketAddress() {
            return new InetSocketAddress(address, port);
        }

        @Override
        public String toString() {
            String text = address.getHostAddress();
            return (text.indexOf(':') >= 0 ? "[" + text + "]" : text) + ":" + port;
        }
    }

    /// A name.
    ///
    /// @param host 1 to 255 visible ASCII characters; internationalized ones in their ASCII form
    /// @param port 0 to 65,535
    record Name(String host, int port) implements SocksAddress {
        /// @throws IllegalArgumentException when either is out of range
        public Name {
            SocksText.requireHost(host);
            SocksText.requirePort(port);
        }

        @Override
        public InetSocketAddress toSocketAddress() {
            return InetSocketAddress.createUnresolved(host, port);
        }

        @Override
        public String toString() {
            return host + ":" + port;
        }
    }

    /// This address for a socket; one that is unresolved if it is a name.
    InetSocketAddress toSocketAddress();

    /// The address of a socket; a name if it is unresolved.
    ///
    /// @throws IllegalArgumentException when its name is not one that SOCKS can carry
    static SocksAddress of(InetSocketAddress address) {
        return address.isUnresolved()
                ? of(address.getHostString(), address.getPort())
                : new Ip(address.getAddress(), address.getPort());
    }

    /// A name, or the text of an address, which is taken as an address.
    ///
    /// @throws IllegalArgumentException when it is not one that SOCKS can carry
    static SocksAddress of(String host, int port) {
        boolean literal =
                host.indexOf(':') >= 0
                        || (!host.isEmpty() && Character.isDigit(host.charAt(host.length() - 1)));
        if (literal) {
            try {
                return new Ip(InetAddress.ofLiteral(host), port);
            } catch (IllegalArgumentException e) {
                // A name that ends with a digit.
            }
        }
        return new Name(host, port);
    }

    private static SocksAddress unspecified() {
        try {
            return new Ip(InetAddress.getByAddress(new byte[4]), 0);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }
}
