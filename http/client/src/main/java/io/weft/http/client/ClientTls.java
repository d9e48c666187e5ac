package io.weft.http.client;

import io.weft.tls.machine.TlsContext;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import javax.net.ssl.SSLException;

/// The contexts of all clients without one of their own. Made by the first of them.
final class ClientTls {
    private static final Map<HttpProtocol, TlsContext> SHARED = make();

    private ClientTls() {}

    static TlsContext shared(HttpProtocol protocol) {
        return Objects.requireNonNull(SHARED.get(protocol));
    }

    private static Map<HttpProtocol, TlsContext> make() {
        Map<HttpProtocol, TlsContext> contexts = new EnumMap<>(HttpProtocol.class);
        contexts.put(HttpProtocol.HTTP_1_1, make("http/1.1"));
        contexts.put(HttpProtocol.NEGOTIATED, make("h2", "http/1.1"));
        contexts.put(HttpProtocol.HTTP_2, make("h2"));
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
