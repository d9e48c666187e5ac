package io.weft.http.client;

import io.weft.tls.machine.TlsContext;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The origins that have asked for HTTP/1.1 over a connection of HTTP/2 (HTTP_1_1_REQUIRED, RFC
/// 9113, 7): TLS offers them nothing else from then on, for as long as the client lives or until
/// more than [#MOST] others have asked.
///
/// Thread: any. A lock guards all fields.
final class Http1Fallback implements AutoCloseable {
    static final int MOST = 1000;

    private final TlsContext tls;

    /// Least recently used first.
    private final Map<Origin, Boolean> origins = new LinkedHashMap<>(16, 0.75f, true);

    /// Made for the first of them.
    private @Nullable TlsContext http1;

    private boolean closed;

    /// @param tls offers HTTP/2 and HTTP/1.1
    Http1Fallback(TlsContext tls) {
        this.tls = tls;
    }

    /// An origin has asked for HTTP/1.1.
    ///
    /// @throws SSLException when there is no context for it
    synchronized void add(Origin origin) throws SSLException {
        if (closed) {
            return;
        }
        var _ = http1();
        origins.put(origin, true);
        if (origins.size() > MOST) {
            origins.remove(origins.keySet().iterator().next());
        }
    }

    synchronized boolean contains(Origin origin) {
        return origins.get(origin) != null;
    }

    /// Returns the context for connections of a route.
    ///
    /// @throws SSLException when there is none
    synchronized TlsContext tls(Route route) throws SSLException {
        boolean narrow = route.http1() || origins.get(route.origin()) != null;
        if (!narrow || closed || !tls.settings().applicationProtocols().contains("h2")) {
            return tls;
        }
        return http1();
    }

    private TlsContext http1() throws SSLException {
        TlsContext made = http1;
        if (made == null) {
            made = tls.withApplicationProtocols("http/1.1");
            http1 = made;
        }
        return made;
    }

    /// Closes the context that was made here.
    @Override
    public synchronized void close() {
        closed = true;
        origins.clear();
        if (http1 != null) {
            http1.close();
            http1 = null;
        }
    }
}
