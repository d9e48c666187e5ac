package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// A server's session with an application that keeps what it is told.
final class ServerRig implements SmtpServerHandler, AutoCloseable {
    final SmtpServerSession session;
    final List<SmtpReply> replies = new ArrayList<>();
    final List<String> mails = new ArrayList<>();
    final StringBuilder content = new StringBuilder();
    final List<Consumer<SmtpReply>> pending = new ArrayList<>();
    boolean later;
    boolean closed;
    boolean reading = true;
    int resets;
    int flushes;

    /// Replies that no flush has followed.
    int unflushed;

    boolean startedTls;

    ServerRig(SmtpServerConfig config) {
        session = SmtpServerSession.of(config, this);
    }

    /// Codes of the replies to `wire`, since the last call.
    List<Integer> say(String wire) {
        replies.clear();
        session.received(Wire.buffer(wire));
        return codes();
    }

    List<Integer> codes() {
        return replies.stream().map(SmtpReply::code).toList();
    }

    @Override
    public void send(SmtpReply reply) {
        replies.add(reply);
        unflushed++;
    }

    @Override
    public void flush() {
        flushes++;
        unflushed = 0;
    }

    @Override
    public void startTls() {
        startedTls = true;
    }

    @Override
    public void close() {
        assertThat(unflushed).isZero(); // a channel that closes drops what is not flushed
        closed = true;
        session.close();
    }

    @Override
    public void reading(boolean on) {
        reading = on;
    }

    @Override
    public void recipient(SmtpCommand.Rcpt recipient, Consumer<SmtpReply> answer) {
        answer.accept(
                recipient.to().toString().contains("nobody")
                        ? SmtpReply.of(550, "5.1.1", "no such user")
                        : SmtpReply.of(250, "2.1.5", "recipient ok"));
    }

    @Override
    public void content(Buffer bytes) {
        try (bytes) {
            content.append(bytes.readString(ISO_8859_1));
        }
    }

    @Override
    public void message(SmtpEnvelope envelope, Consumer<SmtpReply> answer) {
        Consumer<SmtpReply> done =
                reply -> {
                    mails.add(envelope.mail().from() + " " + content);
                    content.setLength(0);
                    answer.accept(reply);
                };
        if (later) {
            pending.add(done);
        } else {
            done.accept(SmtpReply.of(250, "2.6.0", "taken"));
        }
    }

    @Override
    public void reset() {
        resets++;
        content.setLength(0);
    }

    @Override
    public void login(SaslStep.Verify login, Consumer<SmtpReply> answer) {
        answer.accept(
                login.user().equals("test") && login.password().equals("1234")
                        ? SmtpReply.of(235, "2.7.0", "welcome")
                        : SmtpReply.of(535, "5.7.8", "no"));
    }
}
