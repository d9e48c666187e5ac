package io.weft.tls.machine;

import io.weft.buffer.BufferAllocator;
import io.weft.tls.machine.spi.TlsEngine;
import io.weft.tls.machine.spi.TlsEngineFactory;
import io.weft.tls.machine.spi.TlsEngineProvider;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.TlsIdentity;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;

/// The settings and state that connections of one side share: keys, trust, protocols, sessions to
/// resume. Immutable; made once, by [#client] or [#server], and shared by all connections and
/// threads.
///
/// Without further settings: TLS 1.3 and 1.2, suites with forward secrecy and authenticated
/// encryption only, a client checks the server's certificate against the system's authorities and
/// its name against the host.
public final class TlsContext implements AutoCloseable {
    private final TlsSettings settings;
    private final TlsEngineKind kind;
    private final TlsEngineFactory factory;
    private final TlsTimeouts timeouts;
    private final Executor tasks;

    /// [Reservation]s that are open, and [#CLOSED] beside them once this is.
    private final AtomicInteger reserved = new AtomicInteger();

    private static final int CLOSED = Integer.MIN_VALUE;

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

    /// Returns a context with the same settings that offers, or chooses from, other protocols by
    /// ALPN. It shares no sessions with this one, and is the caller's to close.
    ///
    /// @param names the preferred first; none for no ALPN
    /// @throws SSLException when the engine refuses them
    public TlsContext withApplicationProtocols(String... names) throws SSLException {
        TlsSettings changed = settings.withApplicationProtocols(List.of(names));
        return new TlsContext(changed, kind, timeouts, tasks);
    }

    public TlsEngineKind kind() {
        return kind;
    }

    public TlsTimeouts timeouts() {
        return timeouts;
    }

    /// Returns the executor that runs blocking work of engines.
    public Executor tasks() {
        return tasks;
    }

    /// An engine of one connection that has not started; `TlsHandler` runs it in a pipeline.
    ///
    /// @throws IllegalStateException when this is closed
    public TlsEngine engine(TlsPeer peer, BufferAllocator allocator) {
        return reserve().engine(peer, allocator);
    }

    /// Reserves the engine of a connection that is there and has not begun: its context may be
    /// replaced and closed meanwhile.
    ///
    /// @throws IllegalStateException when this is closed
    public Reservation reserve() {
        int before;
        do {
            before = reserved.get();
            if (before < 0) {
                throw new IllegalStateException(this + ": closed (expected: open)");
            }
        } while (!reserved.compareAndSet(before, before + 1));
        return new Reservation();
    }

    /// An engine that will be made though the context closes before. One that is neither taken nor
    /// closed keeps the context's memory until it is collected as garbage. Thread: one at a time.
    public final class Reservation implements AutoCloseable {
        private boolean over;

        private Reservation() {}

        /// Makes the engine, which ends the reservation; see [TlsContext#engine].
        ///
        /// @throws IllegalStateException when it has ended
        public TlsEngine engine(TlsPeer peer, BufferAllocator allocator) {
            if (over) {
                throw new IllegalStateException("reservation: over (expected: open)");
            }
            try {
                return factory.engine(peer, allocator);
            } finally {
                close();
            }
        }

        /// Gives the engine up. Again it does nothing.
        @Override
        public void close() {
            if (!over) {
                over = true;
                if (reserved.decrementAndGet() == CLOSED) {
                    factory.close();
                }
            }
        }
    }

    /// No connection is made after it; those that exist go on, and those that have
    /// [reserved][#reserve] their engine.
    @Override
    public void close() {
        int before = reserved.getAndUpdate(open -> open | CLOSED);
        if (before == 0) {
            factory.close();
        }
    }

    @Override
    public String toString() {
        return "TlsContext[" + (settings.server() ? "server, " : "client, ") + kind + "]";
    }
}
