package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The server's side of a connection: the order of commands, transactions, extensions, AUTH and the
/// switch to TLS. A pure machine without I/O: bytes go in, the [SmtpServerHandler] hears of
/// replies and mail.
///
/// **Extensions.** PIPELINING, SIZE, 8BITMIME, SMTPUTF8, ENHANCEDSTATUSCODES, DSN, CHUNKING and
/// BINARYMIME always, STARTTLS and AUTH as [SmtpServerConfig] says. Parameters of DSN are checked
/// and handed on; notifications are the application's.
///
/// **TLS.** What came in the clear behind STARTTLS is dropped, and all that was said before is
/// forgotten (RFC 3207, 4.2).
///
/// **Threads.** One at a time.
public final class SmtpServerSession implements AutoCloseable {
    private final SmtpServerConfig config;
    private final SmtpServerHandler handler;
    private final SmtpRequestDecoder decoder;
    private final Cumulation input = new Cumulation();
    private final ServerTransaction transaction;
    private final ServerAuth auth;

    private @Nullable MailHost client;
    private boolean extended;
    private boolean secured;
    private boolean waiting;

    /// It is the application that is waited for.
    private boolean asking;

    /// The client has sent all that it will send.
    private boolean ended;

    private boolean decoding;
    private boolean over;
    private int errors;

    private SmtpServerSession(SmtpServerConfig config, SmtpServerHandler handler) {
        this.config = config;
        this.handler = handler;
        decoder = new SmtpRequestDecoder(config.limits(), config.bare());
        transaction = new ServerTransaction(this, config, handler);
        auth = new ServerAuth(this, config, handler);
    }

    /// The session of one connection.
    public static SmtpServerSession of(SmtpServerConfig config, SmtpServerHandler handler) {
        return new SmtpServerSession(config, handler);
    }

    /// Greets the client, when the connection is there.
    public void begin() {
        handler.send(SmtpReply.of(220, config.host() + " ESMTP"));
        handler.flush();
    }

    /// TLS is there before the first command, as on port 465. To be called before [#begin].
    public void beginsSecured() {
        secured = true;
    }

    /// TLS has begun behind STARTTLS: from here on bytes are protected.
    public void secured() {
        clear();
        secured = true;
        waiting = false;
        decoder.resume();
        client = null;
        auth.forget();
        transaction.abandon();
        if (!decoding && !over) {
            handler.reading(true); // which STARTTLS has stopped unless TLS began within it
        }
    }

    /// Drops what has arrived; what is being decoded at the end of that.
    private void clear() {
        if (decoding) {
            Buffer in = input.bytes();
            if (in != null) {
                in.skipReadable(in.readableBytes());
            }
        } else {
            input.release();
        }
    }

    /// Tells if TLS is there.
    public boolean isSecured() {
        return secured;
    }

    /// Tells if a command waits for the application's answer, or for TLS; no other one is looked
    /// at until then.
    public boolean isWaiting() {
        return waiting;
    }

    /// The user who authenticated; null if none did.
    public @Nullable String user() {
        return auth.user();
    }

    /// The name that the client gave itself; null before its greeting.
    public @Nullable MailHost client() {
        return client;
    }

    /// Takes bytes of the client, which become the session's.
    public void received(Buffer bytes) {
        if (over) {
            bytes.release();
            return;
        }
        var _ = input.add(bytes);
        if (!decoding) {
            decode();
        }
    }

    private void decode() {
        Buffer in = input.bytes();
        if (in == null || waiting || over) {
            return;
        }
        decoding = true;
        try {
            decoder.decode(in, this::request);
        } catch (SmtpException e) {
            fail(e.reply());
        } finally {
            decoding = false;
            if (over) {
                input.release();
            } else {
                input.trim();
            }
        }
        handler.flush();
        if (waiting) {
            handler.reading(false);
        }
    }

    /// The client will send nothing more. What came before is answered still, also when the
    /// application's answer is late; a message in the middle is given up.
    public void inputClosed() {
        if (asking) {
            ended = true;
        } else if (!over) {
            over = true;
            try {
                decoder.end(_ -> {});
            } catch (DecoderException e) {
                // The client went away in the middle: RFC 5321, 4.1.1.10 demands a QUIT.
            }
            close();
            handler.close();
        }
    }

    /// Ends the session with a reply such as 421, for a server that shuts down, or a time-out.
    public void end(SmtpReply reply) {
        if (!over) {
            fail(reply);
        }
    }

    private void fail(SmtpReply reply) {
        over = true;
        transaction.abandon();
        handler.send(reply);
        handler.flush(); // closing a channel drops what is not flushed
        handler.close();
    }

    /// Gives up what the session holds; nothing is written.
    @Override
    public void close() {
        over = true;
        clear();
        transaction.abandon();
    }

    void reply(SmtpReply reply) {
        handler.send(reply);
        if (reply.isPermanent() && ++errors > config.limits().errors()) {
            fail(SmtpReply.of(421, "4.7.0", "too many errors"));
        }
        if (over) {
            decoder.pause();
        }
    }

    /// Asks the application, and stops until it has answered.
    void ask(Consumer<Consumer<SmtpReply>> question, Consumer<SmtpReply> then) {
        waiting = true;
        asking = true;
        question.accept(answer -> answered(answer, then));
        if (waiting) {
            decoder.pause();
        }
    }

    private void answered(SmtpReply answer, Consumer<SmtpReply> then) {
        if (!waiting || over) {
            return; // the session has ended meanwhile
        }
        waiting = false;
        asking = false;
        then.accept(answer);
        if (!decoding) {
            handler.flush();
            handler.reading(true);
            if (!over) {
                decoder.resume();
                decode();
                if (ended) {
                    inputClosed();
                }
            }
        }
    }

    void awaitContent() {
        decoder.content();
    }

    void awaitAuthResponse() {
        decoder.authResponse();
    }

    private void request(SmtpRequest request) {
        switch (request) {
            case SmtpContent content -> transaction.content(content);
            case SmtpCommand.Invalid invalid when !auth.isRunning() -> reply(invalid.reply());
            case SmtpCommand command when auth.isRunning() -> auth.response(command);
            case SmtpCommand.Helo helo -> hello(helo.host(), false);
            case SmtpCommand.Ehlo ehlo -> hello(ehlo.host(), true);
            case SmtpCommand.StartTls _ -> startTls();
            case SmtpCommand.Auth command -> auth.begin(command, transaction.isOpen());
            case SmtpCommand.Mail mail when isAllowed() -> transaction.mail(mail);
            case SmtpCommand.Mail _ -> {}
            case SmtpCommand.Rcpt rcpt -> transaction.recipient(rcpt);
            case SmtpCommand.Data _ -> transaction.data();
            case SmtpCommand.Bdat bdat -> transaction.chunk(bdat);
            case SmtpCommand.Rset _ -> {
                transaction.abandon();
                reply(SmtpReply.of(250, "2.0.0", "ok"));
            }
            case SmtpCommand.Noop _ -> reply(SmtpReply.of(250, "2.0.0", "ok"));
            case SmtpCommand.Help _ -> reply(SmtpReply.of(214, "2.0.0", "see RFC 5321"));
            case SmtpCommand.Quit _ -> {
                fail(SmtpReply.of(221, "2.0.0", config.host() + " closing"));
                decoder.pause();
            }
            case SmtpCommand other -> ask(answer -> handler.other(other, answer), this::reply);
        }
    }

    /// RFC 5321, 4.1.4: also ends a transaction.
    private void hello(MailHost host, boolean withExtensions) {
        client = host;
        extended = withExtensions;
        transaction.abandon();
        List<String> lines = new ArrayList<>();
        lines.add(config.host() + " greets " + host);
        if (withExtensions) {
            lines.addAll(
                    List.of(
                            "PIPELINING",
                            "SIZE " + config.limits().content(),
                            "8BITMIME",
                            "SMTPUTF8",
                            "ENHANCEDSTATUSCODES",
                            "DSN",
                            "CHUNKING",
                            "BINARYMIME"));
            if (config.startTls() && !secured) {
                lines.add("STARTTLS");
            }
            if (auth.isOffered()) {
                lines.add("AUTH " + auth.names());
            }
        }
        reply(new SmtpReply(250, null, lines));
    }

    private boolean isAllowed() {
        SmtpReply refusal = null;
        if (client == null) {
            refusal = SmtpReply.of(503, "5.5.1", "EHLO first");
        } else if (config.requireTls() && !secured) {
            refusal = SmtpReply.of(530, "5.7.0", "STARTTLS first"); // RFC 3207, section 4
        } else if (config.requireAuth() && auth.user() == null) {
            refusal = SmtpReply.of(530, "5.7.0", "authentication required"); // RFC 4954, 6
        }
        if (refusal != null) {
            reply(refusal);
        }
        return refusal == null;
    }

    boolean isSecuredOrClearAllowed() {
        return secured || config.authInClear();
    }

    boolean isExtended() {
        return extended && client != null;
    }

    private void startTls() {
        if (!config.startTls()) {
            reply(SmtpReply.of(502, "5.5.1", "TLS not available"));
        } else if (secured) {
            reply(SmtpReply.of(503, "5.5.1", "TLS already in use"));
        } else {
            transaction.abandon();
            reply(SmtpReply.of(220, "2.0.0", "ready for TLS"));
            decoder.pause();
            waiting = true; // until secured
            handler.flush();
            handler.startTls();
        }
    }
}
