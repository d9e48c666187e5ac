package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import java.util.function.Consumer;

/// The surroundings of an [SmtpServerSession]: its connection, and the application that takes mail.
///
/// Methods with an `answer` give it a reply once, at once or later; later ones on the session's
/// thread. Until then no other command is looked at.
public interface SmtpServerHandler {
    /// Writes a reply.
    void send(SmtpReply reply);

    /// Sends what was written.
    void flush();

    /// Begins TLS behind what was written; [SmtpServerSession#secured()] follows.
    void startTls();

    /// Closes the connection. What was written has been flushed, so it is sent before that.
    void close();

    /// Stops or goes on receiving: a slow answer holds up the client.
    default void reading(boolean on) {}

    /// Takes a sender, which is checked for its syntax and parameters alone.
    default void mail(SmtpCommand.Mail mail, Consumer<SmtpReply> answer) {
        answer.accept(SmtpReply.of(250, "2.1.0", "sender ok"));
    }

    /// Takes a recipient, or refuses it, as a server does that is no open relay.
    void recipient(SmtpCommand.Rcpt recipient, Consumer<SmtpReply> answer);

    /// Takes bytes of the content, which become the handler's.
    void content(Buffer bytes);

    /// Takes the whole message. A positive answer says that it will not be lost (RFC 5321, 4.2.5).
    void message(SmtpEnvelope envelope, Consumer<SmtpReply> answer);

    /// Gives up the message whose contents came so far.
    void reset();

    /// Checks a password; 235 is the answer to one that is right.
    default void login(SaslStep.Verify login, Consumer<SmtpReply> answer) {
        answer.accept(SmtpReply.of(535, "5.7.8", "authentication failed"));
    }

    /// Answers VRFY, EXPN and commands of extensions.
    default void other(SmtpCommand command, Consumer<SmtpReply> answer) {
        answer.accept(
                command instanceof SmtpCommand.Vrfy
                        ? SmtpReply.of(252, "2.1.5", "cannot verify, but will take mail")
                        : SmtpReply.of(502, "5.5.1", "command not implemented"));
    }
}
