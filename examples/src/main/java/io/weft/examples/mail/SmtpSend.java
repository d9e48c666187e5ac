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
import io.weft.examples.Extras;
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
import java.util.List;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/// A client of SMTP: `smtp-send FROM TO[,TO]... FILE` sends a message that is in a file, or on
/// standard input if that is `-`. With `--tls` only over TLS; `--user NAME:PASSWORD` authenticates.
public final class SmtpSend implements ChannelHandler, SmtpClientHandler {
    private static final String USAGE =
            "smtp-send FROM TO[,TO]... FILE|- [--user NAME:PASSWORD] [options]";

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

    public static void main(String[] args) {
        System.exit(run(System.out, System.err, args));
    }

    /// Returns the exit status: 0 when all recipients were accepted, 1 when not, 2 for a mistake in
    /// the arguments.
    static int run(PrintStream out, PrintStream err, String... args) {
        Extras extras = Extras.take(args, USAGE, "--user");
        List<String> rest = extras.rest();
        if (rest.contains("--help") || rest.contains("-h")) {
            out.println("options: " + Taken.SOCKETS.usage() + ", default port 2525");
            return 0;
        }
        if (rest.size() < 3 || rest.getFirst().startsWith("-")) {
            err.println("usage: " + USAGE);
            return 2;
        }
        try {
            Options options =
                    Options.parse(
                            Taken.SOCKETS,
                            2525,
                            rest.subList(3, rest.size()).toArray(String[]::new));
            SmtpEnvelope envelope = SmtpEnvelope.of(rest.get(0), rest.get(1).split(",", -1));
            SmtpDelivery delivery =
                    send(
                            options,
                            config(options, extras.last("--user")),
                            options.tls() ? TlsContext.client().build() : null,
                            envelope,
                            message(rest.get(2)));
            out.println(delivery.outcome());
            for (int i = 0; i < delivery.recipients().size(); i++) {
                out.println(envelope.recipients().get(i).to() + " " + delivery.recipients().get(i));
            }
            return delivery.isComplete() ? 0 : 1;
        } catch (IllegalArgumentException e) {
            err.println(e.getMessage());
            return 2;
        } catch (IOException e) {
            err.println(rest.get(2) + ": cannot be read: " + e);
            return 1;
        } catch (SmtpException e) {
            err.println(e.getMessage());
            return 1;
        } catch (CompletionException e) {
            err.println(ClientOptions.reason(e));
            return 1;
        }
    }

    private static SmtpClientConfig config(Options options, @Nullable String user) {
        SmtpClientConfig config =
                SmtpClientConfig.of("localhost")
                        .withTls(
                                options.tls()
                                        ? SmtpClientConfig.Tls.REQUIRED
                                        : SmtpClientConfig.Tls.NEVER);
        if (user == null) {
            return config;
        }
        int colon = user.indexOf(':');
        if (colon < 1) {
            throw new IllegalArgumentException("--user: no colon (expected: NAME:PASSWORD)");
        }
        return config.withCredentials(
                SaslClient.plain(user.substring(0, colon), user.substring(colon + 1)),
                !options.tls());
    }

    private static byte[] message(String file) throws IOException {
        return file.equals("-") ? System.in.readAllBytes() : Files.readAllBytes(Path.of(file));
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
