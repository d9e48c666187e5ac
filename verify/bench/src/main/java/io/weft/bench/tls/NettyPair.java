package io.weft.bench.tls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;

/// Two embedded channels that hand their records to each other.
final class NettyPair implements AutoCloseable {
    private final EmbeddedChannel client;
    private final EmbeddedChannel server;
    private final SslHandler clientHandler;

    NettyPair(SslContext clientContext, SslContext serverContext, int port) {
        var allocator = io.netty.buffer.ByteBufAllocator.DEFAULT;
        clientHandler = clientContext.newHandler(allocator, "localhost", port);
        server = new EmbeddedChannel(serverContext.newHandler(allocator));
        client = new EmbeddedChannel(clientHandler);
    }

    boolean shakeHands() {
        boolean moves = true;
        while (moves) {
            moves = give(client, server);
            moves |= give(server, client);
        }
        if (!clientHandler.handshakeFuture().isSuccess()) {
            throw new IllegalStateException(
                    "no handshake", clientHandler.handshakeFuture().cause());
        }
        return true;
    }

    private static boolean give(EmbeddedChannel from, EmbeddedChannel to) {
        boolean some = false;
        for (Object next; (next = from.readOutbound()) != null; some = true) {
            to.writeInbound(next);
        }
        return some;
    }

    /// From the client to the server; returns what arrived.
    int send(ByteBuf plaintext) {
        client.writeOutbound(plaintext);
        give(client, server);
        int received = 0;
        for (ByteBuf next; (next = server.readInbound()) != null; ) {
            received += next.readableBytes();
            next.release();
        }
        return received;
    }

    @Override
    public void close() {
        // As a connection that breaks: the alerts are not what is measured.
        client.unsafe().closeForcibly();
        server.unsafe().closeForcibly();
        client.finishAndReleaseAll();
        server.finishAndReleaseAll();
    }
}
