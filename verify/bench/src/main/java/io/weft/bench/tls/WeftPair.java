package io.weft.bench.tls;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.handler.tls.TlsHandler;
import io.weft.loop.Promise;
import io.weft.tls.machine.TlsContext;
import java.util.ArrayDeque;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Two embedded channels that hand their records to each other.
final class WeftPair implements AutoCloseable {
    /// Keeps what is written as it is, as Netty's embedded channels do; Weft's would copy it.
    private static final class Wire implements ChannelHandler {
        final ArrayDeque<Buffer> out = new ArrayDeque<>();

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            out.add((Buffer) message);
            if (promise != null) {
                promise.trySuccess(null);
            }
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {}
    }

    private static final class Count implements ChannelHandler {
        int received;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            Buffer plaintext = (Buffer) message;
            received += plaintext.readableBytes();
            plaintext.release();
        }
    }

    private static final class Side {
        final TlsHandler tls;
        final Wire wire = new Wire();
        final Count count = new Count();
        final EmbeddedChannel channel;

        Side(TlsHandler tls) {
            this.tls = tls;
            channel = new EmbeddedChannel(wire, tls, count);
        }

        boolean give(Side to) {
            boolean some = false;
            for (Buffer next; (next = wire.out.poll()) != null; some = true) {
                to.channel.receive(next);
            }
            return some;
        }

        void close() {
            channel.close();
            for (Buffer next; (next = wire.out.poll()) != null; ) {
                next.release();
            }
        }
    }

    private final Side client;
    private final Side server;

    WeftPair(TlsContext clientContext, TlsContext serverContext, int port) {
        server = new Side(TlsHandler.server(serverContext));
        client = new Side(TlsHandler.client(clientContext, Contexts.HOST, port));
    }

    /// A pair whose handshake is done.
    static WeftPair connected(Contexts contexts) throws SSLException {
        try (var client = contexts.weftClient(false);
                var server = contexts.weftServer(false)) {
            WeftPair pair = new WeftPair(client, server, new Ports().next(false));
            pair.shakeHands(false);
            return pair;
        }
    }

    /// Until the client has the first byte of data, behind the server's tickets.
    ///
    /// @param resumes what is expected
    void shakeHands(boolean resumes) {
        carry();
        server.channel.channel().writeAndFlush(BufferAllocator.pooled().allocate(1).writeByte(1));
        carry();
        var session = client.tls.session();
        if (client.count.received != 1 || session == null) {
            throw new IllegalStateException("no handshake: " + client.tls.handshake());
        }
        if (session.resumed() != resumes) {
            throw new IllegalStateException(
                    "resumed: " + session.resumed() + " (expected: " + resumes + ")");
        }
    }

    private void carry() {
        boolean moves = true;
        while (moves) {
            moves = client.give(server);
            moves |= server.give(client);
        }
    }

    /// Messages from the client to the server, flushed once; returns how many bytes arrived.
    int send(int size, int count) {
        server.count.received = 0;
        for (int i = 0; i < count; i++) {
            client.channel
                    .channel()
                    .write(BufferAllocator.pooled().allocate(size).writeOffset(size));
        }
        client.channel.channel().flush();
        client.give(server);
        return server.count.received;
    }

    /// The client says that it closes, as OpenSSL forgets sessions of connections that break.
    @Override
    public void close() {
        client.channel.channel().close();
        client.close();
        server.close();
    }
}
