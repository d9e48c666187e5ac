package io.weft.handler.tls;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOptions;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsContextBuilder;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;

/// A client and a server in memory, whose bytes the test carries.
final class TlsPair implements AutoCloseable {
    static final TlsIdentity IDENTITY = CertificateBuilder.selfSigned("example.com", "127.0.0.1");

    /// Records the events that reach handlers behind TLS.
    static final class Ear implements ChannelHandler {
        final List<Object> events = new ArrayList<>();
        final List<Throwable> failures = new ArrayList<>();
        final ByteArrayOutputStream data = new ByteArrayOutputStream();
        int reads;
        boolean inputClosed;
        boolean inactive;

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer in = (Buffer) message) {
                byte[] bytes = new byte[in.readableBytes()];
                in.readBytes(bytes);
                data.writeBytes(bytes);
                reads++;
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            events.add(event);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            failures.add(cause);
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            inputClosed = true;
            ctx.fireChannelInputClosed();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            inactive = true;
        }

        String text() {
            return data.toString(StandardCharsets.UTF_8);
        }
    }

    final Ear clientEar = new Ear();
    final Ear serverEar = new Ear();
    final TlsHandler clientHandler;
    final TlsHandler serverHandler;
    final EmbeddedChannel client;
    final EmbeddedChannel server;

    /// Bytes a piece that is carried; all at once when 0.
    int piece;

    TlsPair(TlsContext clientContext, TlsContext serverContext) {
        this(clientContext, serverContext, ChannelOptions.DEFAULT);
    }

    TlsPair(TlsContext clientContext, TlsContext serverContext, ChannelOptions options) {
        clientHandler = TlsHandler.client(clientContext, "example.com", 443);
        serverHandler = TlsHandler.server(serverContext);
        client = channel(options, clientHandler, clientEar);
        server = channel(options, serverHandler, serverEar);
    }

    private static EmbeddedChannel channel(
            ChannelOptions options, TlsHandler handler, ChannelHandler ear) {
        return new EmbeddedChannel(
                options, ch -> ch.pipeline().addLast(handler).addLast("ear", ear));
    }

    static TlsPair of(
            UnaryOperator<TlsContextBuilder> client, UnaryOperator<TlsContextBuilder> server)
            throws SSLException {
        return new TlsPair(clientContext(client), serverContext(server));
    }

    static TlsContext clientContext(UnaryOperator<TlsContextBuilder> more) throws SSLException {
        return more.apply(TlsContext.client().trust(IDENTITY.certificate()).tasks(Runnable::run))
                .build();
    }

    static TlsContext serverContext(UnaryOperator<TlsContextBuilder> more) throws SSLException {
        return more.apply(TlsContext.server(IDENTITY).tasks(Runnable::run)).build();
    }

    static TlsPair connected() throws SSLException {
        TlsPair pair = of(c -> c, s -> s);
        pair.carry();
        return pair;
    }

    /// Carries bytes to and fro until there are none.
    TlsPair carry() {
        for (boolean moved = true; moved; ) {
            client.runPending();
            server.runPending();
            boolean there = move(client, server);
            moved = move(server, client) || there;
        }
        return this;
    }

    private boolean move(EmbeddedChannel from, EmbeddedChannel to) {
        byte[] bytes = from.takeOutbound();
        give(to, bytes, piece);
        return bytes.length > 0;
    }

    static void give(EmbeddedChannel to, byte[] bytes, int piece) {
        int step = piece == 0 ? Math.max(1, bytes.length) : piece;
        for (int at = 0; at < bytes.length; at += step) {
            to.receive(buffer(bytes, at, Math.min(step, bytes.length - at)));
        }
    }

    static ChannelHandler drop() {
        return new ChannelHandler() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                ((Buffer) message).release();
            }
        };
    }

    static Buffer buffer(byte[] bytes, int offset, int length) {
        return BufferAllocator.pooled().allocate(length).writeBytes(bytes, offset, length);
    }

    static Buffer buffer(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return buffer(bytes, 0, bytes.length);
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
