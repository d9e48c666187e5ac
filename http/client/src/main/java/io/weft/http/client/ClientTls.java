package io.weft.http.client;

import io.weft.tls.machine.TlsContext;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The contexts of TLS of clients.
final class ClientTls {
    /// Those of all clients without one of their own. Made by the first of them: it reads the
    /// system's authorities, which others do not need.
    private static final class Shared {
        static final Map<HttpProtocol, TlsContext> CONTEXTS = make();
    }

    private ClientTls() {}

    /// Returns the context of a client.
    ///
    /// @param given null for the system's authorities. One that names no application protocols is
    ///     copied, and names those of `protocol` then: without them servers answer with HTTP/1.1
    static TlsContext of(@Nullable TlsContext given, HttpProtocol protocol) {
        if (given == null) {
            return Objects.requireNonNull(Shared.CONTEXTS.get(protocol));
        }
        if (!given.settings().applicationProtocols().isEmpty()) {
            return given;
        }
        try {
            return given.withApplicationProtocols(names(protocol));
        } catch (SSLException e) {
            throw new IllegalStateException("TLS: " + e.getMessage(), e);
        }
    }

    private static String[] names(HttpProtocol protocol) {
        return switch (protocol) {
            case HTTP_1_1 -> new String[] {"http/1.1"};
            case NEGOTIATED -> new String[] {"h2", "http/1.1"};
            case HTTP_2 -> new String[] {"h2"};
        };
    }

    private static Map<HttpProtocol, TlsContext> make() {
        Map<HttpProtocol, TlsContext> contexts = new EnumMap<>(HttpProtocol.class);
        for (HttpProtocol protocol : HttpProtocol.values()) {
            contexts.put(protocol, make(names(protocol)));
        }
        return contexts;
    }

    private static TlsContext make(String... protocols) {
        try {
            return TlsContext.client().applicationProtocols(protocols).build();
        } catch (SSLException e) {
            throw new IllegalStateException("TLS: " + e.getMessage(), e);
        }
    }
}
