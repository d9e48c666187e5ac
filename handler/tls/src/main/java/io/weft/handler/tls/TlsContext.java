package io.weft.handler.tls;

import io.weft.buffer.BufferAllocator;
import io.weft.handler.tls.spi.TlsEngine;
import io.weft.handler.tls.spi.TlsEngineFactory;
import io.weft.handler.tls.spi.TlsEngineProvider;
import io.weft.handler.tls.spi.TlsPeer;
import java.util.ServiceLoader;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLException;

/// What connections of one side have in common: keys, trust, protocols, sessions to resume. Immutable; made once, by
/// [#client] or [#server], and shared by all connections and threads.
///
/// Without further settings: TLS 1.3 and 1.2, suites with forward secrecy and authenticated encryption only, a client checks
/// the server's certificate against the system's authorities and its name against the host.
public final class TlsContext implements AutoCloseable {
    private final TlsSettings settings;
    private final TlsEngineKind kind;
    private final TlsEngineFactory factory;
    private final TlsTimeouts timeouts;
    private final Executor tasks;

    TlsContext(TlsSettings settings, TlsEngineKind kind, TlsTimeouts timeouts, Executor tasks)
            throws SSLException {
        this.settings = settings;
        this.kind = kind;
        this.timeouts = timeouts;
        this.tasks = tasks;
        this.factory = provider(kind).factory(settings);
    }

    /// Of a side that connects.
    public static TlsContextBuilder client() {
        return new TlsContextBuilder(false);
    }

    /// Of a side that accepts, and proves itself with `identity`.
    public static TlsContextBuilder server(TlsIdentity identity) {
        return new TlsContextBuilder(true).identity(identity);
    }

    /// Of a side that accepts; its key comes from a key manager.
    public static TlsContextBuilder server() {
        return new TlsContextBuilder(true);
    }

    /// Why this kind of engine does not work here; empty when it does.
    public static String unavailable(TlsEngineKind kind) {
        if (kind == TlsEngineKind.JDK) {
            return "";
        }
        try {
            String why = provider(kind).unavailable();
            return why == null ? "" : why;
        } catch (SSLException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static TlsEngineProvider provider(TlsEngineKind kind) throws SSLException {
        if (kind == TlsEngineKind.JDK) {
            return new JdkEngineProvider();
        }
        for (TlsEngineProvider provider : ServiceLoader.load(TlsEngineProvider.class)) {
            if (provider.kind() == kind) {
                return provider;
            }
        }
        throw new SSLException("engine: " + kind + " (expected: one on the path; is its module?)");
    }

    public TlsSettings settings() {
        return settings;
    }

    public TlsEngineKind kind() {
        return kind;
    }

    public TlsTimeouts timeouts() {
        return timeouts;
    }

    Executor tasks() {
        return tasks;
    }

    /// The handler of one connection that a server accepted.
    public TlsHandler handler() {
        if (!settings.server()) {
            throw new IllegalStateException(
                    "handler: of a client without a host (expected: handler(host, port))");
        }
        return new TlsHandler(this, TlsPeer.UNKNOWN);
    }

    /// The handler of one connection of a client.
    ///
    /// @param host whom to talk to: what its certificate must be for, and the name in SNI
    /// @param port with the host the key of sessions to resume
    public TlsHandler handler(String host, int port) {
        return new TlsHandler(this, new TlsPeer(host, port));
    }

    /// An engine that has not started, for those who drive it themselves.
    public TlsEngine engine(TlsPeer peer, BufferAllocator allocator) {
        return factory.engine(peer, allocator);
    }

    /// No connection is made after it; those that exist go on.
    @Override
    public void close() {
        factory.close();
    }

    @Override
    public String toString() {
        return "TlsContext[" + (settings.server() ? "server, " : "client, ") + kind + "]";
    }
}
