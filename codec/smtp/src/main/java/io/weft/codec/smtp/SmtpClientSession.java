package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import io.weft.codec.Cumulation;
import io.weft.codec.Output;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The client's side of a connection: greeting, STARTTLS, AUTH, and any number of messages, their
/// commands pipelined where the server allows it. A pure machine without I/O: bytes go in, the
/// [SmtpClientHandler] hears of bytes to send.
///
/// **TLS.** Replies that came in the clear behind that to STARTTLS fail the session: they may be
/// injected (CVE-2021-38371 and its kin).
///
/// **Threads.** One at a time.
public final class SmtpClientSession implements AutoCloseable {
    private static final SmtpReply LOST = lost("the connection is over");

    private final SmtpClientConfig config;
    private final SmtpClientHandler handler;
    private final SmtpReplyDecoder decoder;
    private final SmtpRequestEncoder encoder = new SmtpRequestEncoder();
    private final Cumulation input = new Cumulation();

    /// Uses of the next replies, in the order of their commands.
    private final ArrayDeque<Expected> expected = new ArrayDeque<>();

    private final ArrayDeque<ClientTransaction> mails = new ArrayDeque<>();
    private @Nullable ClientTransaction current;
    private SmtpExtensions extensions = SmtpExtensions.NONE;
    private boolean secured;
    private boolean securing;
    private boolean ready;
    private boolean quitting;
    private boolean beginning;
    private boolean decoding;
    private boolean over;

    /// The outcome of mail that comes when the session is over.
    private SmtpReply late = lost("the session is over");

    /// The use of a reply.
    ///
    /// @param what replies are to, for a message
    private record Expected(String what, Consumer<SmtpReply> then) {}

    private SmtpClientSession(SmtpClientConfig config, SmtpClientHandler handler) {
        this.config = config;
        this.handler = handler;
        decoder = new SmtpReplyDecoder(config.limits());
        expected.add(new Expected("the greeting", this::greeted));
    }

    /// The session of one connection; it begins with the server's greeting.
    public static SmtpClientSession of(SmtpClientConfig config, SmtpClientHandler handler) {
        return new SmtpClientSession(config, handler);
    }

    /// TLS is there before the greeting, as on port 465.
    public void beginsSecured() {
        secured = true;
    }

    /// TLS has begun behind STARTTLS: from here on bytes are protected.
    public void secured() {
        secured = true;
        securing = false;
        decoder.resume();
        hello();
        handler.flush();
    }

    /// Tells if TLS is there.
    public boolean isSecured() {
        return secured;
    }

    /// Sends a message when its turn comes.
    ///
    /// @param content the whole message, its lines ending with CRLF; it becomes the session's, and
    ///     is written as fast as the connection takes it
    /// @param done told the outcome, once
    /// @throws IllegalArgumentException when CR or LF stands alone in the content
    public void send(SmtpEnvelope envelope, Buffer content, Consumer<SmtpDelivery> done) {
        try {
            DataEncoder.requireLines(content);
        } catch (IllegalArgumentException e) {
            content.release();
            throw e;
        }
        ClientTransaction mail = new ClientTransaction(this, envelope, content, done);
        if (over || quitting) {
            mail.tell(late);
            return;
        }
        mails.add(mail);
        next();
        handler.flush();
    }

    /// Ends the session when all messages are sent.
    public void quit() {
        quitting = true;
        next();
        handler.flush();
    }

    /// Takes bytes of the server, which become the session's.
    public void received(Buffer bytes) {
        if (over) {
            bytes.release();
            return;
        }
        Buffer in = input.add(bytes);
        decoding = true;
        try {
            decoder.decode(in, this::reply);
        } catch (SmtpException e) {
            fail(e);
        } finally {
            decoding = false;
            if (over) {
                input.release();
            } else {
                input.trim();
            }
        }
        if (securing && input.size() > 0) {
            fail(
                    new SmtpException(
                            554,
                            "5.7.0",
                            "bytes behind the reply to STARTTLS: "
                                    + input.size()
                                    + " (expected: none)"));
        } else if (securing) {
            handler.startTls();
        }
        handler.flush();
    }

    /// The server will send nothing more.
    public void inputClosed() {
        if (!over) {
            String why = "end of input (expected: " + awaited() + ")";
            fail(new SmtpException(451, "4.4.2", why), lost(why));
        }
    }

    /// Names the reply that the server owes, or what else is missing.
    private String awaited() {
        Expected next = expected.peek();
        if (next != null) {
            return next.what();
        }
        if (securing) {
            return "a handshake of TLS";
        }
        return current == null ? "QUIT before it" : "all of the content before it";
    }

    private void reply(SmtpReply reply) {
        Expected next = expected.poll();
        if (next != null) {
            next.then().accept(reply);
        } else if (!over) {
            // RFC 5321, 3.8: a server may close at any time, and says so by 421.
            if (current != null) {
                current.tell(ClientTransaction.failure(reply));
            }
            fail(new SmtpException("reply: " + reply + " (expected: none now)", reply));
        }
    }

    private void greeted(SmtpReply reply) {
        if (reply.code() == 220) {
            hello();
        } else {
            refused(new SmtpException("greeting: " + reply + " (expected: 220)", reply));
        }
    }

    private void hello() {
        ask(
                new SmtpCommand.Ehlo(config.host()),
                reply -> {
                    if (reply.isPositive()) {
                        extensions = SmtpExtensions.of(reply);
                        secure();
                    } else if (reply.code() == 421) {
                        refused(new SmtpException("reply to EHLO: " + reply, reply));
                    } else {
                        // RFC 5321, 3.2: of servers without extensions.
                        ask(new SmtpCommand.Helo(config.host()), this::helloed);
                    }
                });
    }

    private void helloed(SmtpReply reply) {
        if (reply.isPositive()) {
            extensions = SmtpExtensions.NONE;
            secure();
        } else {
            refused(new SmtpException("reply to HELO: " + reply + " (expected: 250)", reply));
        }
    }

    private void secure() {
        if (secured || config.tls() == SmtpClientConfig.Tls.NEVER) {
            authenticate();
        } else if (extensions.has("STARTTLS")) {
            ask(new SmtpCommand.StartTls(), this::mayStartTls);
        } else {
            withoutTls(SmtpReply.of(554, "5.7.4", "STARTTLS is not offered"));
        }
    }

    private void mayStartTls(SmtpReply reply) {
        if (reply.code() == 220) {
            decoder.pause();
            securing = true;
        } else {
            withoutTls(reply);
        }
    }

    private void withoutTls(SmtpReply reply) {
        if (config.tls() == SmtpClientConfig.Tls.REQUIRED) {
            refused(new SmtpException("TLS: " + reply + " (expected: 220)", reply));
        } else {
            authenticate();
        }
    }

    private void authenticate() {
        SaslClient client = config.credentials();
        if (client == null) {
            begin();
            return;
        }
        if (!secured && !config.authInClear()) {
            refused(new SmtpException(538, "5.7.11", "no TLS (expected: TLS for credentials)"));
            return;
        }
        if (!extensions.hasMechanism(client.mechanism())) {
            refused(
                    new SmtpException(
                            504,
                            "5.5.4",
                            "AUTH: "
                                    + client.mechanism()
                                    + " not offered (expected: one of "
                                    + extensions.get("AUTH")
                                    + ")"));
            return;
        }
        byte[] initial = client.initial();
        String text = initial == null ? null : Base64.getEncoder().encodeToString(initial);
        ask(
                new SmtpCommand.Auth(
                        client.mechanism(), text != null && text.isEmpty() ? "=" : text),
                reply -> authGoesOn(client, reply));
    }

    private void authGoesOn(SaslClient client, SmtpReply reply) {
        if (reply.code() == 334) {
            byte[] response = null;
            try {
                response = client.respond(Base64.getDecoder().decode(reply.lines().getFirst()));
            } catch (IllegalArgumentException e) {
                // No Base64: given up below.
            }
            ask(
                    response == null
                            ? new SmtpCommand.AuthResponse("*")
                            : SmtpCommand.AuthResponse.of(response),
                    next -> authGoesOn(client, next));
        } else if (reply.isPositive()) {
            begin();
        } else {
            refused(new SmtpException("AUTH: " + reply + " (expected: 235)", reply));
        }
    }

    private void begin() {
        ready = true;
        handler.ready(extensions);
        next();
    }

    SmtpExtensions extensions() {
        return extensions;
    }

    boolean prefersChunks() {
        return config.chunks() && extensions.has("CHUNKING");
    }

    boolean isWritable() {
        return handler.isWritable();
    }

    /// The connection takes bytes again, see [SmtpClientHandler#isWritable()].
    public void writable() {
        if (current != null && !over) {
            current.goOn();
            handler.flush();
        }
    }

    /// The current transaction is over.
    void transactionEnded() {
        current = null;
        next();
    }

    /// The server has answered a chunk of which it did not have all bytes, and would take a command
    /// for the rest.
    void answeredEarly(SmtpReply reply) {
        fail(new SmtpException("reply: " + reply + " (expected: behind the whole chunk)", reply));
    }

    private void next() {
        // A loop, not a recursion: each of many messages may end as it begins.
        while (!beginning && ready && current == null && !over) {
            ClientTransaction mail = mails.poll();
            current = mail;
            if (mail == null) {
                if (quitting) {
                    ready = false;
                    ask(new SmtpCommand.Quit(), _ -> finish());
                }
                return;
            }
            beginning = true;
            try {
                mail.begin();
            } catch (Throwable t) {
                // Some of its commands may be out, so the next mail cannot begin.
                fail(new SmtpException(451, "4.3.0", "a message could not be begun"));
                throw t;
            } finally {
                beginning = false;
            }
        }
    }

    private void finish() {
        over = true;
        handler.close();
    }

    /// Writes a command, and says who takes its reply.
    void ask(SmtpRequest request, Consumer<SmtpReply> then) {
        try (Output out = new Output()) {
            encoder.encode(request, out);
            // Not before, or a request that cannot be written would get the next one's reply.
            expected.add(new Expected("a reply to " + name(request), then));
            out.drain(handler::send);
        }
    }

    private static String name(SmtpRequest request) {
        return switch (request) {
            case SmtpContent _ -> "the content";
            case SmtpCommand.AuthResponse _ -> "AUTH";
            case SmtpCommand command -> command.getClass().getSimpleName().toUpperCase(Locale.ROOT);
        };
    }

    void write(SmtpRequest request) {
        try (Output out = new Output()) {
            encoder.encode(request, out);
            out.drain(handler::send);
        }
    }

    private static SmtpReply lost(String why) {
        return SmtpReply.of(451, "4.4.2", why);
    }

    private void fail(SmtpException cause) {
        fail(cause, LOST);
    }

    /// The session takes no mail. The reply is the outcome of each message, so that a permanent
    /// refusal is not tried again.
    private void refused(SmtpException cause) {
        SmtpReply outcome = ClientTransaction.failure(cause.reply());
        late = outcome;
        fail(cause, outcome);
    }

    /// @param lost the outcome of mail that waits
    private void fail(SmtpException cause, SmtpReply lost) {
        if (over) {
            return;
        }
        close(lost);
        handler.failed(cause);
        handler.close();
    }

    /// Gives up what the session holds; mail that waits fails.
    @Override
    public void close() {
        close(LOST);
    }

    /// @param lost the outcome of mail that waits
    private void close(SmtpReply lost) {
        over = true;
        expected.clear();
        if (!decoding) {
            input.release();
        }
        ClientTransaction running = current;
        current = null;
        if (running != null) {
            running.tell(lost);
        }
        for (ClientTransaction mail; (mail = mails.poll()) != null; ) {
            mail.tell(lost);
        }
    }
}
