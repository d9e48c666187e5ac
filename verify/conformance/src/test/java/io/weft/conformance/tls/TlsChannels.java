package io.weft.conformance.tls;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsContextBuilder;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;

/// A client and a server in channels in memory, with engines of any kind; a test carries their
/// bytes.
final class TlsChannels implements AutoCloseable {
    static final TlsIdentity IDENTITY = CertificateBuilder.selfSigned("example.com", "127.0.0.1");

    /// Records the events that reach handlers behind TLS.
    static final class Ear implements ChannelHandler {
        final List<Object> events = new ArrayList<>();
        final List<Throwable> failures = new ArrayList<>();
        final ByteArrayOutputStream data = new ByteArrayOutputStream();

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer in = (Buffer) message) {
                byte[] bytes = new byte[in.readableBytes()];
                in.readBytes(bytes);
                data.writeBytes(bytes);
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

        String text() {
            return data.toString(StandardCharsets.UTF_8);
        }
    }

    final Ear clientEar = new Ear();
    final Ear serverEar = new Ear();
    final TlsHandler clientTls;
    final TlsHandler serverTls;
    final EmbeddedChannel client = new EmbeddedChannel();
    final EmbeddedChannel server = new EmbeddedChannel();

    TlsChannels(TlsContext clientContext, TlsContext serverContext) {
        clientTls = TlsHandler.client(clientContext, "example.com", 443);
        serverTls = TlsHandler.server(serverContext);
    }

    static TlsContext client(TlsEngineKind kind, UnaryOperator<TlsContextBuilder> more)
            throws SSLException {
        return more.apply(TlsContext.client().engine(kind).trust(IDENTITY.certificate())).build();
    }

    static TlsContext server(TlsEngineKind kind, UnaryOperator<TlsContextBuilder> more)
            throws SSLException {
        return more.apply(TlsContext.server(IDENTITY).engine(kind)).build();
    }

    /// Begins.
    TlsChannels start() {
        server.pipeline().addLast("ear", serverEar).addFirst("tls", serverTls);
        client.pipeline().addLast("ear", clientEar).addFirst("tls", clientTls);
        return this;
    }

    /// Carries bytes to and fro until there are none.
    TlsChannels carry() {
        for (boolean moved = true; moved; ) {
            client.runPending();
            server.runPending();
            boolean there = move(client, server);
            moved = move(server, client) || there;
        }
        return this;
    }

    private static boolean move(EmbeddedChannel from, EmbeddedChannel to) {
        byte[] bytes = from.takeOutbound();
        give(to, bytes);
        return bytes.length > 0;
    }

    static void give(EmbeddedChannel to, byte[] bytes) {
        if (bytes.length > 0 && !to.isClosed()) {
            to.receive(buffer(bytes));
            to.runPending();
        }
    }

    static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes, 0, bytes.length);
    }

    static Buffer buffer(String text) {
        return buffer(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
