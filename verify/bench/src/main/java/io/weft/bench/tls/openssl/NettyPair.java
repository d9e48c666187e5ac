package io.weft.bench.tls.openssl;

import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/// Two engines of Netty's, with direct buffers that are kept: what its handler does at its best.
final class NettyPair implements AutoCloseable {
    private static final int ROOM = 64 << 10;
    private static final ThreadLocal<ByteBuffer[]> BUFFERS =
            ThreadLocal.withInitial(
                    () ->
                            new ByteBuffer[] {
                                ByteBuffer.allocateDirect(ROOM), ByteBuffer.allocateDirect(ROOM)
                            });

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    final SSLEngine client;
    final SSLEngine server;
    private final ByteBuffer wire = BUFFERS.get()[0];
    private final ByteBuffer plain = BUFFERS.get()[1];

    /// Bytes that the server sent in the handshake: a resumed one has no certificate.
    int flight;

    NettyPair(SSLEngine client, SSLEngine server) {
        this.client = client;
        this.server = server;
    }

    NettyPair shakeHands(ByteBuffer first) throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        for (int round = 0; round < 20 && (isBusy(client) || isBusy(server)); round++) {
            flight(client, server);
            flight += flight(server, client);
        }
        // Tickets, then data.
        flight(server, client);
        send(server, client, first);
        return this;
    }

    private static boolean isBusy(SSLEngine engine) {
        return engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
    }

    private int flight(SSLEngine from, SSLEngine to) throws SSLException {
        wire.clear();
        runTasks(from);
        while (from.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            SSLEngineResult result = from.wrap(NOTHING, wire);
            runTasks(from);
            if (result.bytesProduced() == 0) {
                break;
            }
        }
        wire.flip();
        int length = wire.remaining();
        unwrapAll(to);
        return length;
    }

    private int unwrapAll(SSLEngine to) throws SSLException {
        int data = 0;
        while (wire.hasRemaining()) {
            plain.clear();
            SSLEngineResult result = to.unwrap(wire, plain);
            runTasks(to);
            data += result.bytesProduced();
            if (result.bytesConsumed() == 0 && result.bytesProduced() == 0) {
                break;
            }
        }
        return data;
    }

    private static void runTasks(SSLEngine engine) {
        for (Runnable task; (task = engine.getDelegatedTask()) != null; ) {
            task.run();
        }
    }

    /// Encrypts and decrypts.
    int send(SSLEngine from, SSLEngine to, ByteBuffer data) throws SSLException {
        wire.clear();
        while (data.hasRemaining()) {
            from.wrap(data, wire);
        }
        wire.flip();
        return unwrapAll(to);
    }

    @Override
    public void close() {
        ReferenceCountUtil.release(client);
        ReferenceCountUtil.release(server);
    }
}
