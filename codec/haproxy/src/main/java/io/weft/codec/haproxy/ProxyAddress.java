package io.weft.codec.haproxy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import org.jspecify.annotations.Nullable;

/// An end of the connection that a proxy took.
public sealed interface ProxyAddress {
    /// An address of TCP or UDP.
    ///
    /// @param port 0 to 65,535
    record Inet(InetAddress address, int port) implements ProxyAddress {
        /// @throws IllegalArgumentException when the port is out of range
        public Inet {
            if (port < 0 || port > 65_535) {
                throw new IllegalArgumentException("port: " + port + " (expected: 0 to 65535)");
            }
        }

        @Override
        public SocketAddress toSocketAddress() {
            return new InetSocketAddress(address, port);
        }
    }

    /// An address of a Unix socket.
    ///
    /// @param path up to 108 bytes of UTF-8; empty for a socket without a name, and with a first
    ///     character NUL for one in the abstract namespace
    record Unix(String path) implements ProxyAddress {
        /// @throws IllegalArgumentException when it is longer, or has a NUL elsewhere
        public Unix {
            int bytes = path.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > 108 || path.indexOf('\0', 1) > 0) {
                throw new IllegalArgumentException(
                        "path: " + bytes + " bytes (expected: at most 108, without NUL)");
            }
        }

        @Override
        public @Nullable SocketAddress toSocketAddress() {
            try {
                return UnixDomainSocketAddress.of(path);
            } catch (InvalidPathException e) {
                return null;
            }
        }
    }

    /// This address for the JDK; null where that has none (the abstract namespace).
    @Nullable SocketAddress toSocketAddress();

    /// The address of a socket.
    ///
    /// @throws IllegalArgumentException when it is unresolved, or of another kind
    static ProxyAddress of(SocketAddress address) {
        if (address instanceof InetSocketAddress inet && inet.getAddress() != null) {
            return new Inet(inet.getAddress(), inet.getPort());
        }
        if (address instanceof UnixDomainSocketAddress unix) {
            return new Unix(unix.getPath().toString());
        }
        throw new IllegalArgumentException(
                "address: " + address + " (expected: resolved, of TCP, UDP or a Unix socket)");
    }
}
