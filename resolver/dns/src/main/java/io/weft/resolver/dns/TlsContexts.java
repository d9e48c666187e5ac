package io.weft.resolver.dns;

import io.weft.tls.machine.TlsContext;
import java.net.Socket;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/// Contexts of TLS for servers that have none of their own. Made where the resolver is built, as
/// that reads files.
///
/// @param byName with the authorities of the system
/// @param unauthenticated which takes any certificate: for opportunistic servers, and those whose
///     key is pinned
record TlsContexts(@Nullable TlsContext byName, @Nullable TlsContext unauthenticated) {
    static TlsContexts of(ResolverConfig config) {
        List<DnsServer> servers = new ArrayList<>(config.servers());
        config.domains().forEach(domain -> servers.addAll(domain.servers()));
        boolean byName = false;
        boolean unauthenticated = false;
        for (DnsServer server : servers) {
            if (server instanceof DnsServer.Tls tls && tls.context() == null) {
                byName |= isByName(tls);
                unauthenticated |= !isByName(tls);
            }
        }
        try {
            return new TlsContexts(
                    byName ? TlsContext.client().build() : null,
                    unauthenticated
                            ? TlsContext.client()
                                    .trust(new AnyCertificate())
                                    .insecureWithoutHostname(
                                            "DNS over TLS, opportunistic or with pinned keys")
                                    .build()
                            : null);
        } catch (SSLException e) {
            throw new IllegalStateException("no TLS: " + e.getMessage(), e);
        }
    }

    private static boolean isByName(DnsServer.Tls tls) {
        return tls.strict() && tls.name() != null;
    }

    TlsContext of(DnsServer.Tls server) {
        TlsContext own = server.context();
        if (own != null) {
            return own;
        }
        TlsContext made = isByName(server) ? byName : unauthenticated;
        if (made == null) {
            throw new IllegalStateException(server + ": no context (expected: one made before)");
        }
        return made;
    }

    /// Takes every certificate: those of opportunistic servers prove nothing (RFC 7858, 4.1), and
    /// those with a pin are judged by it.
    private static final class AnyCertificate extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
