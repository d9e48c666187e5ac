package io.weft.bench.tls;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.handler.tls.TlsContext;
import io.weft.handler.tls.TlsException;
import io.weft.handler.tls.TlsSession;
import io.weft.handler.tls.spi.TlsEngine;
import io.weft.handler.tls.spi.TlsPeer;
import io.weft.handler.tls.spi.TlsSink;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/// Two engines that hand their records to each other.
final class WeftPair implements AutoCloseable {
    private static final class Side implements TlsSink {
        final TlsEngine engine;
        final ArrayDeque<Buffer> out = new ArrayDeque<>();
        int received;

        Side(TlsEngine engine) {
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
        public void handshakeComplete(TlsSession session) {}

        @Override
        public void closed() {}

        void runTasks() throws TlsException {
            while (engine.needsTask()) {
                Runnable task = engine.task();
                if (task != null) {
                    task.run();
                }
                engine.resume(this);
            }
        }

        boolean give(Side to) throws TlsException {
            boolean some = false;
            for (Buffer next; (next = out.poll()) != null; some = true) {
                try (Buffer records = next) {
                    while (records.isReadable()) {
                        to.engine.received(records, to);
                        to.runTasks();
                    }
                }
            }
            return some;
        }
    }

    private final Side client;
    private final Side server;

    WeftPair(TlsContext clientContext, TlsContext serverContext, int port) {
        BufferAllocator allocator = BufferAllocator.pooled();
        client = new Side(clientContext.engine(new TlsPeer("localhost", port), allocator));
        server = new Side(serverContext.engine(TlsPeer.UNKNOWN, allocator));
    }

    TlsSession shakeHands() throws TlsException {
        client.engine.start(client);
        server.engine.start(server);
        boolean moves = true;
        while (moves) {
            moves = client.give(server);
            moves |= server.give(client);
        }
        TlsSession session = client.engine.session();
        if (session == null) {
            throw new IllegalStateException("no handshake");
        }
        return session;
    }

    /// From the client to the server; returns what arrived.
    int send(Buffer plaintext) throws TlsException {
        server.received = 0;
        client.engine.write(plaintext, client);
        client.give(server);
        return server.received;
    }

    @Override
    public void close() {
        release(client);
        release(server);
    }

    private static void release(Side side) {
        side.engine.close();
        for (@Nullable Buffer next; (next = side.out.poll()) != null; ) {
            next.release();
        }
    }
}
