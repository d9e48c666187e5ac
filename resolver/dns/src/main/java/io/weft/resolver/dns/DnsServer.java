package io.weft.resolver.dns;

import io.weft.codec.dns.Octets;
import io.weft.loop.IpAddresses;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsSession;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A name server, and the way to talk to it.
public sealed interface DnsServer {
    /// The port of DNS over UDP and TCP.
    int PORT = 53;

    /// The port of DNS over TLS (RFC 7858, 3.1).
    int TLS_PORT = 853;

    /// A server without encryption.
    ///
    /// @param tcpOnly whether UDP is left out; else TCP is for answers that a datagram does not
    ///     hold
    record Plain(InetSocketAddress address, boolean tcpOnly) implements DnsServer {
        /// @throws IllegalArgumentException when the address is not resolved
        public Plain {
            requireResolved(address);
            address = specified(address);
        }

        @Override
        public String toString() {
            return shown(address) + (tcpOnly ? " (tcp)" : "");
        }
    }

    /// A server over TLS (RFC 7858).
    ///
    /// **Strict**: the certificate must be for `name`, or its key be one of `pins`; both if both
    /// are given. Otherwise nothing is sent.
    ///
    /// **Opportunistic**: no certificate is checked, and where there is no TLS, queries go to
    /// `fallback` without encryption for ten minutes. It hides queries from those who only listen.
    ///
    /// @param name of the certificate; null where the pins alone count
    /// @param pins SHA-256 of the SubjectPublicKeyInfo of keys (RFC 7858, 4.2), 32 octets each
    /// @param fallback of an opportunistic server: its address without TLS; null for none
    /// @param context a client's, with the authorities to trust; null: those of the system
    record Tls(
            InetSocketAddress address,
            boolean strict,
            @Nullable String name,
            Set<Octets> pins,
            @Nullable InetSocketAddress fallback,
            @Nullable TlsContext context)
            implements DnsServer {
        /// @throws IllegalArgumentException when an address is not resolved, a pin has not 32
        ///     octets, or there is nothing to check a strict server by, or it has a fallback
        public Tls {
            requireResolved(address);
            address = specified(address);
            if (fallback != null) {
                requireResolved(fallback);
                fallback = specified(fallback);
            }
            pins = Set.copyOf(pins);
            for (Octets pin : pins) {
                if (pin.length() != 32) {
                    throw new IllegalArgumentException(
                            "pin: " + pin.length() + " octets (expected: 32, of SHA-256)");
                }
            }
            if (strict && name == null && pins.isEmpty()) {
                throw new IllegalArgumentException(
                        "name: null, pins: none (expected: one of them for a strict server)");
            }
            if (strict && fallback != null) {
                throw new IllegalArgumentException(
                        "fallback: " + fallback + " (expected: null for a strict server)");
            }
        }

        /// Tells if the server's own key is pinned. Others of the chain do not count: where only
        /// the pin is checked, nothing proves that they have signed anything.
        boolean isPinned(TlsSession session) {
            X509Certificate own = session.peerCertificate();
            return own != null && pins.contains(pin(own));
        }

        /// The pin of a certificate's key (RFC 7469, 2.4).
        static Octets pin(X509Certificate certificate) {
            try {
                // The encoded key is the SubjectPublicKeyInfo.
                byte[] key = certificate.getPublicKey().getEncoded();
                return Octets.of(MessageDigest.getInstance("SHA-256").digest(key));
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public String toString() {
            return shown(address) + " (tls" + (name == null ? ")" : ", " + name + ")");
        }
    }

    /// A server that a transport outside of this module reaches, as one over HTTPS.
    ///
    /// @param name for people
    record Custom(String name, DnsTransport transport) implements DnsServer {
        @Override
        public String toString() {
            return name;
        }
    }

    /// A server without encryption.
    ///
    /// @param text an address, with a port in `192.0.2.1:5353` or `[2001:db8::1]:5353`
    /// @throws IllegalArgumentException unless it is an address
    static DnsServer of(String text) {
        return of(address(text, PORT));
    }

    /// A server without encryption.
    static DnsServer of(InetSocketAddress address) {
        return new Plain(address, false);
    }

    /// A server over TLS, strict.
    ///
    /// @param name of its certificate
    static DnsServer tls(InetSocketAddress address, String name) {
        return new Tls(address, true, Objects.requireNonNull(name, "name"), Set.of(), null, null);
    }

    /// A server over TLS where it speaks that, else without, at the port 53.
    static DnsServer opportunistic(InetAddress address) {
        return new Tls(
                new InetSocketAddress(address, TLS_PORT),
                false,
                null,
                Set.of(),
                new InetSocketAddress(address, PORT),
                null);
    }

    /// A strict server over TLS that is known by its key.
    ///
    /// @param pins as [Tls#pins]
    static DnsServer pinned(InetSocketAddress address, Set<Octets> pins) {
        return new Tls(address, true, null, pins, null, null);
    }

    /// Reads an address of IPv4 or IPv6, with a port or without; with a port the latter is in
    /// brackets.
    ///
    /// @throws IllegalArgumentException unless it is one
    static InetSocketAddress address(String text, int defaultPort) {
        String host = text;
        int port = defaultPort;
        int colon = text.lastIndexOf(':');
        boolean brackets = text.startsWith("[");
        if (colon >= 0 && (text.indexOf(':') == colon || text.startsWith("]", colon - 1))) {
            host = text.substring(0, colon);
            port = port(text, text.substring(colon + 1));
        }
        if (brackets && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        }
        InetAddress address = IpAddresses.parse(host);
        if (address == null) {
            throw new IllegalArgumentException(
                    "server: " + shown(text) + " (expected: an address, as 192.0.2.1:53)");
        }
        return new InetSocketAddress(address, port);
    }

    private static int port(String text, String digits) {
        int port = digits.isEmpty() || digits.length() > 5 ? -1 : 0;
        for (int i = 0; i < digits.length() && port >= 0; i++) {
            int digit = digits.charAt(i) - '0';
            port = digit < 0 || digit > 9 ? -1 : port * 10 + digit;
        }
        if (port < 1 || port > 0xFFFF) {
            throw new IllegalArgumentException(
                    "server: " + shown(text) + " (expected: a port from 1 to 65535)");
        }
        return port;
    }

    private static String shown(String text) {
        String start = text.length() > 60 ? text.substring(0, 60) + "..." : text;
        return start.replaceAll("[^ -~]", "?");
    }

    private static String shown(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + "#" + address.getPort();
    }

    /// The loopback address in place of the unspecified one, by which systems mean this host too:
    /// responses would come from another address than queries go to.
    private static InetSocketAddress specified(InetSocketAddress address) {
        InetAddress host = address.getAddress();
        return host.isAnyLocalAddress()
                ? new InetSocketAddress(
                        InetAddress.ofLiteral(host instanceof Inet6Address ? "::1" : "127.0.0.1"),
                        address.getPort())
                : address;
    }

    private static void requireResolved(InetSocketAddress address) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "address: " + address + " (expected: a resolved one)");
        }
    }
}
