package io.weft.examples.mail;

import io.weft.buffer.Buffer;
import io.weft.channel.Bootstrap;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.InputBoundary;
import io.weft.codec.smtp.LineEnds;
import io.weft.codec.smtp.SaslClient;
import io.weft.codec.smtp.SmtpClientConfig;
import io.weft.codec.smtp.SmtpClientHandler;
import io.weft.codec.smtp.SmtpClientSession;
import io.weft.codec.smtp.SmtpDelivery;
import io.weft.codec.smtp.SmtpEnvelope;
import io.weft.codec.smtp.SmtpException;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.ClientOptions;
import io.weft.examples.Options;
import io.weft.examples.Taken;
import io.weft.handler.timeout.ReadTimeoutHandler;
import io.weft.handler.tls.TlsHandler;
import io.weft.loop.Promise;
import io.weft.tls.machine.TlsContext;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// A client of SMTP: `smtp-send FROM TO[,TO]... FILE` sends a message that is in a file, or on
/// standard input if that is `-`. With `--tls` only over TLS; `--user NAME:PASSWORD` authenticates.
public final class SmtpSend implements ChannelHandler, SmtpClientHandler {
    /// The longest of RFC 5321, 4.5.3.2: for the reply to a content.
    private static final Duration PATIENCE = Duration.ofMinutes(10);

    private final SmtpClientSession session;
    private final @Nullable TlsContext tls;
    private final InetSocketAddress server;
    private @Nullable ChannelHandlerContext context;
    private @Nullable SmtpException failure;

    private SmtpSend(SmtpClientConfig config, @Nullable TlsContext tls, InetSocketAddress server) {
        session = SmtpClientSession.of(config, this);
        this.tls = tls;
        this.server = server;
    }

    public static void main(String[] args) throws IOException {
        List<String> rest = new ArrayList<>(List.of(args));
        int at = rest.indexOf("--user");
        SaslClient user = null;
        if (at >= 0 && at + 1 < rest.size()) {
            String[] parts = rest.remove(at + 1).split(":", 2);
            rest.remove(at);
            user = SaslClient.plain(parts[0], parts.length < 2 ? "" : parts[1]);
        }
        if (rest.size() < 3 || rest.contains("--help") || rest.getFirst().startsWith("-")) {
            boolean asked = rest.contains("--help") || rest.contains("-h");
            PrintStream to = asked ? System.out : System.err;
            to.println("usage: smtp-send FROM TO[,TO]... FILE|- [--user NAME:PASSWORD]");
            to.println("options: " + Taken.SOCKETS.usage() + ", default port 2525");
            System.exit(asked ? 0 : 2);
        }
        String[] given = rest.subList(3, rest.size()).toArray(String[]::new);
        try {
            Options options = Options.parse(Taken.SOCKETS, 2525, given);
            SmtpClientConfig config =
                    SmtpClientConfig.of("localhost")
                            .withTls(
                                    options.tls()
                                            ? SmtpClientConfig.Tls.REQUIRED
                                            : SmtpClientConfig.Tls.NEVER);
            byte[] message = message(rest.get(2));
            SmtpEnvelope envelope = SmtpEnvelope.of(rest.get(0), rest.get(1).split(",", -1));
            SmtpDelivery delivery =
                    send(
                            options,
                            user == null ? config : config.withCredentials(user, !options.tls()),
                            options.tls() ? TlsContext.client().build() : null,
                            envelope,
                            message);
            System.out.println(delivery.outcome());
            for (int i = 0; i < delivery.recipients().size(); i++) {
                System.out.println(
                        envelope.recipients().get(i).to() + " " + delivery.recipients().get(i));
            }
            System.exit(delivery.isComplete() ? 0 : 1);
        } catch (IllegalArgumentException | SSLException | SmtpException e) {
            System.err.println(e.getMessage());
            System.exit(1);
        } catch (CompletionException e) {
            System.err.println(ClientOptions.reason(e));
            System.exit(1);
        }
    }

    /// @throws IllegalArgumentException when the file cannot be read
    private static byte[] message(String file) throws IOException {
        if (file.equals("-")) {
            return System.in.readAllBytes();
        }
        try {
            return Files.readAllBytes(Path.of(file));
        } catch (IOException e) {
            throw new IllegalArgumentException(file + ": no file to read (expected: FILE or -)", e);
        }
    }

    /// Sends one message, and waits for its outcome.
    ///
    /// @param message its lines may end as they like
    /// @throws SmtpException when the session fails before the message's turn
    static SmtpDelivery send(
            Options options,
            SmtpClientConfig config,
            @Nullable TlsContext tls,
            SmtpEnvelope envelope,
            byte[] message) {
        // The name that was given, if any: the certificate is for that.
        SmtpSend client = new SmtpSend(config, tls, options.address());
        try (EventLoopGroup group = EventLoopGroup.create(options.transport(), 1)) {
            Promise<SmtpDelivery> done = group.next().newPromise();
            new Bootstrap(group)
                    .handler(
                            channel -> {
                                channel.pipeline()
                                        .addLast(new ReadTimeoutHandler(PATIENCE))
                                        .addLast(client);
                                // A session that fails says why behind the outcome of its mail.
                                client.session.send(
                                        envelope,
                                        LineEnds.toCrlf(message),
                                        delivery ->
                                                channel.eventLoop()
                                                        .execute(() -> done.trySuccess(delivery)));
                                client.session.quit();
                            })
                    .connect(options.address())
                    .join();
            SmtpDelivery delivery = done.join();
            if (client.failure != null && delivery.recipients().isEmpty()) {
                throw client.failure;
            }
            return delivery;
        } finally {
            client.session.close(); // its loop has ended
        }
    }

    private ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not in a pipeline (expected: added to one)");
        }
        return context;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        if (message instanceof Buffer bytes) {
            session.received(bytes);
        } else {
            ctx.fireChannelRead(message);
        }
    }

    @Override
    public void channelInputClosed(ChannelHandlerContext ctx) {
        session.inputClosed();
        ctx.fireChannelInputClosed();
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
        session.writable();
        ctx.fireChannelWritabilityChanged();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        session.inputClosed();
        ctx.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        System.err.println("smtp-send: " + cause.getMessage());
        session.inputClosed();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == InputBoundary.PROTECTED) {
            session.secured();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void send(Buffer bytes) {
        context().write(bytes, null);
    }

    @Override
    public void flush() {
        if (context != null) {
            context.flush();
        }
    }

    @Override
    public boolean isWritable() {
        return context().channel().isWritable();
    }

    @Override
    public void startTls() {
        if (tls == null) {
            throw new IllegalStateException("tls: none (expected: as configured)");
        }
        context()
                .channel()
                .pipeline()
                .addFirst("tls", TlsHandler.client(tls, server.getHostString(), server.getPort()));
    }

    @Override
    public void failed(SmtpException cause) {
        failure = cause;
    }

    @Override
    public void close() {
        context().close();
    }
}
