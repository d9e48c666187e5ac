package io.weft.bench.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import javax.net.ssl.SSLException;

/// Two embedded channels that hand their records to each other.
final class NettyPair implements AutoCloseable {
    /// Less than a server sends that shows a certificate.
    private static final int RESUMED_FLIGHT = 600;

    private final EmbeddedChannel client;
    private final EmbeddedChannel server;
    private final SslHandler clientHandler;

    NettyPair(SslContext clientContext, SslContext serverContext, int port) {
        ByteBufAllocator allocator = ByteBufAllocator.DEFAULT;
        clientHandler = clientContext.newHandler(allocator, Contexts.HOST, port);
        server = new EmbeddedChannel(serverContext.newHandler(allocator));
        client = new EmbeddedChannel(clientHandler);
    }

    /// A pair whose handshake is done.
    static NettyPair connected(Contexts contexts) throws SSLException {
        NettyPair pair =
                new NettyPair(
                        contexts.nettyClient(false),
                        contexts.nettyServer(false),
                        new Ports().next(false));
        pair.shakeHands(false);
        return pair;
    }

    /// Until the client has the first byte of data, behind the server's tickets.
    ///
    /// @param resumes what is expected
    void shakeHands(boolean resumes) {
        int flight = 0;
        while (give(client, server) > 0 && !clientHandler.handshakeFuture().isDone()) {
            flight += give(server, client);
        }
        server.writeOutbound(ByteBufAllocator.DEFAULT.directBuffer(1).writeByte(1));
        give(server, client);
        if (!clientHandler.handshakeFuture().isSuccess() || received(client) != 1) {
            throw new IllegalStateException(
                    "no handshake", clientHandler.handshakeFuture().cause());
        }
        if (flight < RESUMED_FLIGHT != resumes) {
            throw new IllegalStateException(
                    "the server's flight: "
                            + flight
                            + " bytes (expected: resumed: "
                            + resumes
                            + ")");
        }
    }

    /// Returns how many bytes.
    private static int give(EmbeddedChannel from, EmbeddedChannel to) {
        int bytes = 0;
        for (ByteBuf next; (next = from.readOutbound()) != null; ) {
            bytes += next.readableBytes();
            to.writeInbound(next);
        }
        return bytes;
    }

    private static int received(EmbeddedChannel channel) {
        int received = 0;
        for (ByteBuf next; (next = channel.readInbound()) != null; ) {
            received += next.readableBytes();
            next.release();
        }
        return received;
    }

    /// Messages from the client to the server, flushed once; returns how many bytes arrived.
    int send(int size, int count) {
        Object[] messages = new Object[count];
        for (int i = 0; i < count; i++) {
            messages[i] = ByteBufAllocator.DEFAULT.directBuffer(size).writerIndex(size);
        }
        client.writeOutbound(messages);
        give(client, server);
        return received(server);
    }

    /// The client says that it closes.
    @Override
    public void close() {
        var _ = client.close();
        server.unsafe().closeForcibly();
        client.finishAndReleaseAll();
        server.finishAndReleaseAll();
    }
}
