package io.weft.bench.tls.openssl;

import io.weft.buffer.Buffer;
import io.weft.handler.tls.TlsSession;
import io.weft.handler.tls.spi.TlsEngine;
import io.weft.handler.tls.spi.TlsSink;
import java.util.ArrayDeque;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Two engines of Weft's whose buffers are handed over.
final class WeftPair implements AutoCloseable {
    final Peer client;
    final Peer server;

    WeftPair(TlsEngine client, TlsEngine server) {
        this.client = new Peer(client);
        this.server = new Peer(server);
    }

    static final class Peer implements TlsSink {
        final TlsEngine engine;
        private final ArrayDeque<Buffer> out = new ArrayDeque<>();
        @Nullable TlsSession session;
        long received;

        Peer(TlsEngine engine) {
            this.engine = engine;
        }

        @Override
        public void records(Buffer ciphertext) {
            out.add(ciphertext);
        }

        @Override
        public void plaintext(Buffer data) {
            received += data.readableBytes();
            data.release();
        }

        @Override
        public void handshakeComplete(TlsSession agreed) {
            session = agreed;
        }

        @Override
        public void closed() {}

        /// Hands what there is to the peer.
        boolean sendTo(Peer peer) throws SSLException {
            boolean any = false;
            for (Buffer next; (next = out.poll()) != null; any = true) {
                peer.take(next);
                next.release();
            }
            return any;
        }

        private void take(Buffer records) throws SSLException {
            engine.received(records, this);
            while (engine.needsTask()) {
                Runnable task = engine.task();
                if (task != null) {
                    task.run();
                }
                engine.resume(this);
                if (!engine.needsTask()) {
                    engine.received(records, this);
                }
            }
        }
    }

    /// A handshake, and the first byte of the server, behind its tickets.
    WeftPair shakeHands(Buffer first) throws SSLException {
        client.engine.start(client);
        server.engine.start(server);
        exchange();
        server.engine.write(first, server);
        exchange();
        if (client.received != 1) {
            throw new IllegalStateException("received: " + client.received + " (expected: 1)");
        }
        return this;
    }

    private void exchange() throws SSLException {
        boolean any = true;
        while (any) {
            any = client.sendTo(server);
            any |= server.sendTo(client);
        }
    }

    boolean resumed() {
        return client.session != null && client.session.resumed();
    }

    @Override
    public void close() {
        client.engine.close();
        server.engine.close();
    }
}
