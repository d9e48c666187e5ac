package io.weft.examples.mail;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.InputBoundary;
import io.weft.codec.smtp.SmtpCommand;
import io.weft.codec.smtp.SmtpEnvelope;
import io.weft.codec.smtp.SmtpReply;
import io.weft.codec.smtp.SmtpServerConfig;
import io.weft.codec.smtp.SmtpServerHandler;
import io.weft.codec.smtp.SmtpServerSession;
import io.weft.handler.timeout.TimeoutException;
import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.TlsContext;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Joins a session of SMTP to its channel, and its mail to files.
final class SmtpServerConnection implements ChannelHandler, SmtpServerHandler {
    private final SmtpServerConfig config;
    private final @Nullable TlsContext tls;
    private final Supplier<MailFile> files;
    private final SmtpServerSession session;
    private @Nullable ChannelHandlerContext context;
    private @Nullable MailFile file;

    /// @param tls of STARTTLS; null for none
    /// @param files makes the file of each message
    SmtpServerConnection(
            SmtpServerConfig config, @Nullable TlsContext tls, Supplier<MailFile> files) {
        this.config = config;
        this.tls = tls;
        this.files = files;
        session = SmtpServerSession.of(config, this);
    }

    private ChannelHandlerContext context() {
        if (context == null) {
            throw new IllegalStateException("not in a pipeline (expected: added to one)");
        }
        return context;
    }

    // ---- the channel ----

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        session.begin();
        ctx.fireChannelActive();
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
    public void channelInactive(ChannelHandlerContext ctx) {
        session.close();
        ctx.fireChannelInactive();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
        if (event == InputBoundary.PROTECTED) {
            session.secured();
        }
        ctx.fireUserEventTriggered(event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        session.end(
                cause instanceof TimeoutException
                        ? SmtpReply.of(421, "4.4.2", "timed out")
                        : SmtpReply.of(421, "4.3.0", "internal error"));
    }

    // ---- the session ----

    @Override
    public void send(SmtpReply reply) {
        context().write(reply, null);
    }

    @Override
    public void flush() {
        context().flush();
    }

    @Override
    public void startTls() {
        if (tls == null) {
            throw new IllegalStateException("tls: none (expected: as configured)");
        }
        context().channel().pipeline().addFirst("tls", TlsHandler.server(tls));
    }

    @Override
    public void close() {
        context().flush();
        context().close();
    }

    @Override
    public void reading(boolean on) {
        if (on) {
            context().resumeReading();
        } else {
            context().suspendReading();
        }
    }

    @Override
    public void recipient(SmtpCommand.Rcpt recipient, Consumer<SmtpReply> answer) {
        answer.accept(SmtpReply.of(250, "2.1.5", "recipient ok"));
    }

    private MailFile file() {
        MailFile current = file;
        if (current == null) {
            current = files.get();
            file = current;
        }
        return current;
    }

    @Override
    public void content(Buffer bytes) {
        MailFile to = file();
        if (!to.append(bytes)) {
            // The disk is slower than the client.
            context().suspendReading();
            to.whenWritten(() -> context().channel().eventLoop().execute(this::goOn));
        }
    }

    private void goOn() {
        if (!session.isWaiting()) {
            context().resumeReading();
        }
    }

    @Override
    public void message(SmtpEnvelope envelope, Consumer<SmtpReply> answer) {
        MailFile done = file();
        file = null;
        String trace =
                MailFile.trace(
                        envelope,
                        session.client() + " (" + context().channel().remoteAddress() + ")",
                        config.host().toString(),
                        session.isSecured());
        done.finish(
                trace,
                reply -> context().channel().eventLoop().execute(() -> answer.accept(reply)));
    }

    @Override
    public void reset() {
        MailFile given = file;
        file = null;
        if (given != null) {
            given.abort();
        }
    }
}
