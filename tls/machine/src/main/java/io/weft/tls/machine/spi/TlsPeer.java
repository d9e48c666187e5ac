package io.weft.tls.machine.spi;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The peer that an engine is to talk to.
///
/// @param host the name or the address that the user asked for, which the peer's certificate must
///     be for; without a trailing dot. A name goes into SNI, an address does not. Null where that
///     is not known: of a server's clients
/// @param port with the host the key of sessions to resume; 0 where that is not known
public record TlsPeer(@Nullable String host, int port) {
    /// A client that nothing is known of.
    public static final TlsPeer UNKNOWN = new TlsPeer(null, 0);

    public TlsPeer {
        if (port < 0 || port > 65535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0-65535)");
        }
        if (host != null) {
            String name = host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
            if (name.isEmpty() || name.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("host: " + host + " (expected: a name)");
            }
            host = name.toLowerCase(Locale.ROOT);
        }
    }
}
