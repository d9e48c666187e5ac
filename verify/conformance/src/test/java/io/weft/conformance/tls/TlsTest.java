package io.weft.conformance.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.text.StringDecoder;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.MessageDecoderHandler;
import io.weft.handler.tls.SniHandler;
import io.weft.handler.tls.TlsHandler;
import io.weft.loop.Promise;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.TlsSession;
import java.net.Socket;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// TLS over real connections: tasks on other threads, records cut as the network cuts them.
@EveryTransport
class TlsTest {
    private static final int MANY = 3_000_000;

    private final Rig rig;

    TlsTest(String transport) throws Exception {
        TlsRig.warmUp();
        rig = new Rig(transport, 2);
    }

    @AfterEach
    void close() throws Exception {
        rig.close();
    }

    private SocketAddress echo() throws Exception {
        return listen(TlsRig.Echo::new);
    }

    /// @param handler makes what is behind TLS in each connection
    private SocketAddress listen(Supplier<ChannelHandler> handler) throws Exception {
        TlsContext context = TlsContext.server(TlsRig.SERVER).build();
        return rig.listen(
                ch -> ch.pipeline().addLast(TlsHandler.server(context)).addLast(handler.get()));
    }

    private static TlsContext client(TlsProtocol protocol) throws Exception {
        return TlsContext.client().trust(TlsRig.ROOT.certificate()).protocols(protocol).build();
    }

    /// Closes when as many bytes have come back as were sent.
    private static final class Counter implements ChannelHandler {
        final CompletableFuture<String> all = new CompletableFuture<>();
        volatile int count;
        private final StringBuilder text = new StringBuilder();

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (io.weft.buffer.Buffer in = (io.weft.buffer.Buffer) message) {
                text.append(in.readString(StandardCharsets.ISO_8859_1));
            }
            count = text.length();
            if (text.length() == MANY) {
                all.complete(text.toString());
                ctx.close();
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            all.completeExceptionally(cause);
            ctx.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void manyBytesGoThereAndBack(TlsProtocol protocol) throws Exception {
        byte[] bytes = new byte[MANY];
        new Random(1).nextBytes(bytes);
        TlsHandler tls = TlsHandler.client(client(protocol), "localhost", 1);
        Counter counter = new Counter();
        SocketAddress address = echo();
        Channel channel =
                rig.connectWeft(address, ch -> ch.pipeline().addLast(tls).addLast(counter));
        for (int at = 0; at < MANY; at += 10_000) {
            byte[] piece = java.util.Arrays.copyOfRange(bytes, at, at + 10_000);
            // Not faster than they come back: two that only write stop each other.
            int least = at - 50_000;
            Rig.awaitTrue("echo", () -> counter.count >= least || counter.all.isDone());
            channel.writeAndFlush(Rig.buffer(piece));
        }
        String back = Rig.await(counter.all);
        assertThat(back.getBytes(StandardCharsets.ISO_8859_1)).isEqualTo(bytes);
        TlsSession session = tls.handshake().join();
        assertThat(session.protocol()).isEqualTo(protocol);
        channel.closeFuture().join();
    }

    /// Tickets that a server of TLS 1.3 sends must not meet a closed connection.
    @ParameterizedTest
    @EnumSource
    void whatAClientSaysBeforeItClosesArrives(TlsProtocol protocol) throws Exception {
        CompletableFuture<Long> heard = new CompletableFuture<>();
        ChannelHandler sum =
                new ChannelHandler() {
                    private long bytes;

                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        try (Buffer in = (Buffer) message) {
                            bytes += in.readableBytes();
                        }
                    }

                    @Override
                    public void channelInputClosed(ChannelHandlerContext ctx) {
                        heard.complete(bytes);
                        ctx.fireChannelInputClosed();
                    }

                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        heard.completeExceptionally(cause);
                        ctx.close();
                    }
                };
        SocketAddress address = listen(() -> sum);
        TlsHandler tls = TlsHandler.client(client(protocol), "localhost", 1);
        Channel channel = rig.connectWeft(address, ch -> ch.pipeline().addLast(tls));
        tls.handshake().join();
        Rig.onLoop(
                channel,
                () -> {
                    for (int i = 0; i < 30; i++) {
                        channel.write(Rig.buffer(new byte[10_000]));
                    }
                    channel.flush();
                    channel.close();
                });
        assertThat(Rig.await(heard)).isEqualTo(300_000);
        channel.closeFuture().join();
    }

    @Test
    void aClientOfTheJdkIsServed() throws Exception {
        Rig.assumeSockets(rig.transport()); // which it opens by itself
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("root", TlsRig.ROOT.certificate());
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        SocketAddress address = echo();
        Socket plain = rig.connect(address);
        try (SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory().createSocket(plain, "localhost", 443, true)) {
            byte[] sent = "hello".repeat(10_000).getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(sent);
            assertThat(socket.getInputStream().readNBytes(sent.length)).isEqualTo(sent);
            socket.shutdownOutput();
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    /// The log of TLS while the test runs.
    private static final class Logged extends java.util.logging.Handler implements AutoCloseable {
        final Queue<String> lines = new ConcurrentLinkedQueue<>();
        private final Logger logger = Logger.getLogger(TlsHandler.class.getName());

        Logged() {
            setLevel(Level.ALL);
            logger.setLevel(Level.FINE);
            logger.addHandler(this);
        }

        @Override
        public void publish(LogRecord entry) {
            lines.add(entry.getLevel() + " " + entry.getMessage());
        }

        @Override
        public void flush() {}

        @Override
        public void close() {
            logger.removeHandler(this);
            logger.setLevel(null);
        }
    }

    @Test
    void plaintextPeerIsNamedInTheFailureAndInTheLog() throws Exception {
        TlsContext context = TlsContext.server(TlsRig.SERVER).build();
        for (boolean sni : new boolean[] {false, true}) {
            TlsRig.Ear ear = new TlsRig.Ear();
            CompletableFuture<String> address = new CompletableFuture<>();
            try (Logged log = new Logged()) {
                SocketAddress at =
                        rig.listen(
                                ch -> {
                                    address.complete(String.valueOf(ch.remoteAddress()));
                                    ch.pipeline()
                                            .addLast(
                                                    sni
                                                            ? new SniHandler((_, _) -> {})
                                                            : TlsHandler.server(context))
                                            .addLast(ear);
                                });
                Socket peer = rig.connect(at);
                var _ = Rig.sendUntilGone(peer, "GET / HTTP/1.1\r\n\r\n");
                String name = Rig.await(address);
                assertThatThrownBy(() -> Rig.await(ear.all))
                        .rootCause()
                        .isInstanceOf(TlsException.NotTls.class)
                        .hasMessageStartingWith(name + " does not speak TLS: bytes: 47 ");
                assertThat(log.lines)
                        .singleElement()
                        .isEqualTo(
                                "FINE "
                                        + name
                                        + " does not speak TLS: bytes: 47 (expected: a record of"
                                        + " TLS)");
            }
        }
    }

    @Test
    void whoSpeaksPlaintextIsSentAway() throws Exception {
        Socket peer = rig.connect(echo());
        // Five bytes are enough to tell: if no more have arrived then, the others are met by a
        // reset.
        String received = Rig.sendUntilGone(peer, "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(received).isEmpty();
    }

    @Test
    void commandsBehindStartTlsAreNotTakenAsProtected() throws Exception {
        TlsContext context = TlsContext.server(TlsRig.SERVER).build();
        Queue<String> commands = new ConcurrentLinkedQueue<>();
        ChannelHandler commander =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        commands.add((String) message);
                        ctx.writeAndFlush(Rig.buffer("220 go ahead\r\n"));
                        ctx.pipeline().addFirst("tls", TlsHandler.server(context));
                    }
                };
        SocketAddress address =
                rig.listen(
                        ch ->
                                ch.pipeline()
                                        .addLast(new DecoderHandler<>(new LineDecoder(100)))
                                        .addLast(
                                                new MessageDecoderHandler<>(
                                                        Buffer.class, new StringDecoder()))
                                        .addLast(commander));
        Socket peer = rig.connect(address);
        // Not to be asserted: a reset may destroy the answer.
        var _ = Rig.sendUntilGone(peer, "STARTTLS\r\nMAIL FROM:<eve@example.com>\r\n");
        assertThat(commands).containsExactly("STARTTLS");
    }

    @Test
    void aServerOfAnotherHostIsNotAccepted() throws Exception {
        TlsHandler tls = TlsHandler.client(client(TlsProtocol.TLS_1_3), "other.example", 1);
        TlsRig.Ear ear = new TlsRig.Ear();
        SocketAddress address = echo();
        Channel channel = rig.connectWeft(address, ch -> ch.pipeline().addLast(tls).addLast(ear));
        assertThatThrownBy(() -> tls.handshake().join())
                .hasCauseInstanceOf(TlsException.CertificateRefused.class);
        channel.closeFuture().join();
    }

    @Test
    void anAbortIsATruncation() throws Exception {
        SocketAddress address =
                listen(
                        () ->
                                new ChannelHandler() {
                                    @Override
                                    public void channelRead(
                                            ChannelHandlerContext ctx, Object message) {
                                        ((io.weft.buffer.Buffer) message).release();
                                        var tls = ctx.pipeline().context(TlsHandler.class);
                                        Objects.requireNonNull(tls).shutdownOutput(); // below it
                                    }
                                });
        TlsHandler tls = TlsHandler.client(client(TlsProtocol.TLS_1_3), "localhost", 1);
        TlsRig.Ear ear = new TlsRig.Ear();
        Channel channel = rig.connectWeft(address, ch -> ch.pipeline().addLast(tls).addLast(ear));
        channel.writeAndFlush(Rig.buffer("cut me short"));
        CompletableFuture<Throwable> cause = new CompletableFuture<>();
        var _ = ear.all.whenComplete((_, failure) -> cause.complete(failure));
        assertThat(Rig.await(cause)).isInstanceOf(TlsException.Truncated.class);
        channel.closeFuture().join();
    }

    /// Each side says close_notify before its FIN, and the answer comes behind the question's end.
    @Test
    void anEndOfOneDirectionIsNoneOfTheOther() throws Exception {
        TlsContext context = TlsContext.server(TlsRig.SERVER).build();
        SocketAddress address =
                rig.listen(
                        ch -> {
                            ch.setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
                            ch.pipeline().addLast(TlsHandler.server(context));
                            ch.pipeline()
                                    .addLast(
                                            new TlsRig.Echo() {
                                                @Override
                                                public void channelInputClosed(
                                                        ChannelHandlerContext ctx) {
                                                    ctx.write(Rig.buffer(" to you"));
                                                    ctx.channel().shutdownOutput();
                                                }
                                            });
                        });
        TlsHandler tls = TlsHandler.client(client(TlsProtocol.TLS_1_3), "localhost", 1);
        TlsRig.Ear ear = new TlsRig.Ear();
        Channel channel =
                rig.connectWeft(
                        address,
                        ch -> {
                            ch.setOption(ChannelOption.ALLOW_HALF_CLOSURE, true);
                            ch.pipeline().addLast(tls).addLast(ear);
                        });
        channel.write(Rig.buffer("good day"));
        channel.shutdownOutput();
        assertThat(Rig.await(ear.all)).isEqualTo("good day to you");
        channel.closeFuture().join();
    }

    /// More than the high watermark waits for the handshake, so that the channel would not read
    /// what the handshake waits for.
    @Test
    void aServerThatSaysMuchAtOnceStillHearsTheHandshake() throws Exception {
        SocketAddress address =
                listen(
                        () ->
                                new ChannelHandler() {
                                    @Override
                                    public void channelActive(ChannelHandlerContext ctx) {
                                        sayMuch(ctx);
                                    }
                                });
        TlsContext client = TlsContext.client().trust(TlsRig.ROOT.certificate()).build();
        TlsRig.Ear ear = new TlsRig.Ear();
        rig.connectWeft(
                address,
                ch ->
                        ch.pipeline()
                                .addLast(TlsHandler.client(client, "localhost", 443))
                                .addLast(ear));

        assertThat(Rig.await(ear.all)).hasSize(100 * 2_000);
    }

    private static void sayMuch(ChannelHandlerContext ctx) {
        for (int i = 1; i < 100; i++) {
            ctx.write(Rig.buffer("x".repeat(2_000)));
        }
        Promise<Void> sent = ctx.channel().newPromise();
        ctx.writeAndFlush(Rig.buffer("x".repeat(2_000)), sent);
        sent.addListener(_ -> ctx.close());
    }
}
