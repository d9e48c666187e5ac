package io.weft.tls.openssl;

import io.weft.buffer.BufferAllocator;
import io.weft.ffi.openssl.SslCtx;
import io.weft.tls.machine.TlsSettings;
import io.weft.tls.machine.spi.PeerVerifier;
import io.weft.tls.machine.spi.TlsEngine;
import io.weft.tls.machine.spi.TlsEngineFactory;
import io.weft.tls.machine.spi.TlsPeer;
import java.lang.ref.Cleaner;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import javax.net.ssl.SSLException;

/// Engines of one `SSL_CTX`, which is freed when this is closed, or forgotten, and its last engine
/// is.
final class OpenSslFactory implements TlsEngineFactory {
    static final Cleaner CLEANER = Cleaner.create();

    private final TlsSettings settings;
    private final PeerVerifier verifier;
    private final Context context;
    private final Cleaner.Cleanable freeing;

    OpenSslFactory(TlsSettings settings) throws SSLException {
        this(settings, settings.peerVerifier());
    }

    OpenSslFactory(TlsSettings settings, PeerVerifier verifier) throws SSLException {
        this.settings = settings;
        this.verifier = verifier;
        context =
                new Context(
                        ContextSetup.make(settings),
                        new ClientSessions(settings.sessionCacheSize(), settings.sessionTimeout()));
        freeing = CLEANER.register(this, context);
    }

    /// The native state to be freed; it holds no reference to the factory.
    private static final class Context implements Runnable {
        final ReadWriteLock lock = new ReentrantReadWriteLock();
        final ClientSessions sessions;

        /// 0 when freed; written under the write lock.
        long handle;

        Context(long handle, ClientSessions sessions) {
            this.handle = handle;
            this.sessions = sessions;
        }

        @Override
        public void run() {
            lock.writeLock().lock();
            try {
                sessions.close();
                SslCtx.free(handle);
                handle = 0;
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    @Override
    public TlsEngine engine(TlsPeer peer, BufferAllocator allocator) {
        context.lock.readLock().lock();
        try {
            if (context.handle == 0) {
                throw new IllegalStateException("engine: of a closed context (expected: open)");
            }
            return new OpenSslEngine(
                    context.handle, settings, verifier, context.sessions, peer, allocator);
        } finally {
            context.lock.readLock().unlock();
        }
    }

    @Override
    public void close() {
        freeing.clean();
    }
}
