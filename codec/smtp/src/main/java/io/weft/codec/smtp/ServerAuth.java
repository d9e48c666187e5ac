package io.weft.codec.smtp;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// AUTH at a server (RFC 4954): one exchange at a time, one success in a session.
final class ServerAuth {
    private final SmtpServerSession session;
    private final SmtpServerConfig config;
    private final SmtpServerHandler handler;
    private @Nullable SaslServer exchange;
    private @Nullable String user;

    ServerAuth(SmtpServerSession session, SmtpServerConfig config, SmtpServerHandler handler) {
        this.session = session;
        this.config = config;
        this.handler = handler;
    }

    boolean isOffered() {
        return !config.mechanisms().isEmpty() && session.isSecuredOrClearAllowed();
    }

    String names() {
        return String.join(
                " ", config.mechanisms().stream().map(SaslServer.Mechanism::name).toList());
    }

    @Nullable String user() {
        return user;
    }

    boolean isRunning() {
        return exchange != null;
    }

    void forget() {
        exchange = null;
        user = null;
    }

    void begin(SmtpCommand.Auth command, boolean inTransaction) {
        if (config.mechanisms().isEmpty()) {
            session.reply(SmtpReply.of(502, "5.5.1", "AUTH not available"));
            return;
        }
        if (!session.isSecuredOrClearAllowed()) {
            // RFC 4954, section 6
            session.reply(SmtpReply.of(538, "5.7.11", "encryption required: STARTTLS first"));
            return;
        }
        if (user != null || inTransaction || !session.isExtended()) {
            // RFC 4954, section 4
            session.reply(SmtpReply.of(503, "5.5.1", "AUTH is not possible now"));
            return;
        }
        for (SaslServer.Mechanism mechanism : config.mechanisms()) {
            if (mechanism.name().equals(command.mechanism())) {
                begin(mechanism.exchanges().get(), command.initial());
                return;
            }
        }
        session.reply(SmtpReply.of(504, "5.5.4", "mechanism not available"));
    }

    private void begin(SaslServer server, @Nullable String initial) {
        byte[] bytes = null;
        if (initial != null) {
            bytes = initial.equals("=") ? new byte[0] : decode(initial);
            if (bytes == null) {
                session.reply(SmtpReply.of(501, "5.5.2", "initial response: no Base64"));
                return;
            }
        }
        exchange = server;
        follow(server.begin(bytes));
    }

    private static byte @Nullable [] decode(String base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    void response(SmtpCommand command) {
        SaslServer server = exchange;
        String text = command instanceof SmtpCommand.AuthResponse r ? r.text() : "*";
        byte[] bytes = text.equals("*") ? null : decode(text);
        if (bytes == null || server == null) {
            exchange = null;
            session.reply(SmtpReply.of(501, "5.7.0", "authentication given up"));
            return;
        }
        follow(server.respond(bytes));
    }

    private void follow(SaslStep step) {
        switch (step) {
            case SaslStep.Challenge challenge -> {
                session.awaitAuthResponse();
                session.reply(
                        SmtpReply.of(334, Base64.getEncoder().encodeToString(challenge.bytes())));
            }
            case SaslStep.Verify login ->
                    session.ask(
                            answer -> handler.login(login, answer),
                            reply -> finish(reply, login.user()));
            case SaslStep.Authenticated done ->
                    finish(SmtpReply.of(235, "2.7.0", "authenticated"), done.user());
            case SaslStep.Failed _ ->
                    finish(SmtpReply.of(535, "5.7.8", "authentication failed"), "");
        }
    }

    private void finish(SmtpReply reply, String name) {
        exchange = null;
        if (reply.isPositive()) {
            user = name;
        }
        session.reply(reply);
    }
}
