package io.weft.resolver.names;

import java.net.InetAddress;
import java.util.List;
import java.util.Objects;

/// A place at which an origin of HTTP is served, as a record of type HTTPS says (RFC 9460, 1.3: an
/// alternative endpoint). Certificates are checked for the origin's name, not for that of the
/// place.
///
/// @param host the name of the place, to be resolved, with the dot of the root
/// @param port to connect to, 1 to 65535
/// @param protocols that it speaks, by their names for ALPN; empty where records do not say
/// @param hints addresses of the place, IPv6 first, for as long as those of its name are not known
///     (RFC 9460, 7.3)
public record ServiceEndpoint(
        String host, int port, List<String> protocols, List<InetAddress> hints) {
    /// @throws IllegalArgumentException when `port` is outside 1..65535
    public ServiceEndpoint {
        Objects.requireNonNull(host, "host");
        if (port < 1 || port > 0xffff) {
            throw new IllegalArgumentException("port: " + port + " (expected: 1 to 65535)");
        }
        protocols = List.copyOf(protocols);
        hints = List.copyOf(hints);
    }
}
