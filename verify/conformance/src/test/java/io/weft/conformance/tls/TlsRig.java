package io.weft.conformance.tls;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.handler.tls.TlsEvent;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.concurrent.CompletableFuture;

/// Authorities, and handlers behind TLS.
public final class TlsRig {
    public static final TlsIdentity ROOT =
            CertificateBuilder.subject("CN=test root")
                    .authority(-1)
                    .keyUsage(CertificateBuilder.KEY_CERT_SIGN, CertificateBuilder.CRL_SIGN)
                    .selfSigned();
    public static final TlsIdentity SERVER =
            CertificateBuilder.subject("CN=server")
                    .host("localhost")
                    .host("127.0.0.1")
                    .keyUsage(CertificateBuilder.DIGITAL_SIGNATURE)
                    .extendedKeyUsage(CertificateBuilder.SERVER_AUTH)
                    .signedBy(ROOT);
    static final TlsIdentity CLIENT =
            CertificateBuilder.subject("CN=client")
                    .keyUsage(CertificateBuilder.DIGITAL_SIGNATURE)
                    .extendedKeyUsage(CertificateBuilder.CLIENT_AUTH)
                    .signedBy(ROOT);

    private TlsRig() {}

    /// The JDK opens its source of random bytes once, and keeps it.
    public static void warmUp() throws Exception {
        new SecureRandom().nextBytes(new byte[1]);
        SecureRandom.getInstance("NativePRNG").nextBytes(new byte[1]);
        TlsContext.server(SERVER).build().close();
    }

    /// Sends back what comes.
    static class Echo implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            ctx.close();
        }
    }

    /// Gathers what comes until close_notify, or fails.
    static final class Ear implements ChannelHandler {
        final CompletableFuture<String> all = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer in = (Buffer) message) {
                text.append(in.readString(StandardCharsets.ISO_8859_1));
            }
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            if (event instanceof TlsEvent.CloseNotify) {
                all.complete(text.toString());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            all.completeExceptionally(cause);
            ctx.close();
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            all.completeExceptionally(new IllegalStateException("closed after: " + text));
        }
    }
}
