package io.weft.http.model;

import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The other end of the connection that a request came on: the client, or a proxy before it. Any
/// thread may ask, also when the connection is closed.
public interface Peer {
    /// Returns its address; null where it has none, as clients of Unix domain sockets often do.
    @Nullable SocketAddress address();

    /// Returns the address of this end.
    @Nullable SocketAddress localAddress();

    /// Returns the parameters of TLS; null for a connection without.
    @Nullable Tls tls();

    /// The parameters of a connection with TLS.
    ///
    /// @param protocol `TLSv1.3`, say
    /// @param cipherSuite its name in the registry of IANA
    /// @param serverName that the client asked for (SNI); null for none
    /// @param certificates the client's chain, its own first, as the server's trust has accepted
    ///     it; empty if it showed none
    record Tls(
            String protocol,
            String cipherSuite,
            @Nullable String serverName,
            List<X509Certificate> certificates) {
        public Tls {
            certificates = List.copyOf(certificates);
        }
    }
}
