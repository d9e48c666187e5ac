package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One message on its way from a client (RFC 5321, 3.3; RFC 2920 for pipelining).
final class ClientTransaction {
    /// Bytes of the content that are written at once.
    private static final int PIECE = 1 << 16;

    private final SmtpClientSession session;
    private final SmtpEnvelope envelope;
    private final Consumer<SmtpDelivery> done;
    private final List<SmtpReply> replies = new ArrayList<>();
    private @Nullable Buffer content;
    private SmtpReply sender = SmtpReply.of(451, "4.4.2", "no reply");
    private boolean accepted;
    private boolean pipelined;
    private boolean told;
    private boolean chunked;

    /// The end of the content, while that is being sent.
    private SmtpContent.@Nullable End end;

    ClientTransaction(
            SmtpClientSession session,
            SmtpEnvelope envelope,
            Buffer content,
            Consumer<SmtpDelivery> done) {
        this.session = session;
        this.envelope = envelope;
        this.content = content;
        this.done = done;
    }

    void begin() {
        SmtpExtensions extensions = session.extensions();
        Buffer bytes = content;
        int size = bytes == null ? 0 : bytes.readableBytes();
        boolean eightBit = bytes != null && bytes.forEachByte(b -> b >= 0) >= 0;
        SmtpReply refusal = null;
        if (envelope.isInternational() && !extensions.has("SMTPUTF8")) {
            refusal = SmtpReply.of(553, "5.6.7", "the server offers no SMTPUTF8");
        } else if (extensions.size() > 0 && size > extensions.size()) {
            refusal = SmtpReply.of(552, "5.3.4", "larger than the server takes");
        } else if (eightBit && !extensions.has("8BITMIME")) {
            // RFC 6152, section 3
            refusal = SmtpReply.of(554, "5.6.3", "the server offers no 8BITMIME");
        }
        if (refusal != null) {
            tell(refusal);
            session.transactionEnded();
            return;
        }
        pipelined = extensions.has("PIPELINING");
        session.ask(mail(extensions, size, eightBit), this::senderAnswered);
        if (pipelined) {
            for (SmtpCommand.Rcpt recipient : envelope.recipients()) {
                session.ask(withDsn(recipient), this::recipientAnswered);
            }
            if (!session.prefersChunks()) {
                session.ask(new SmtpCommand.Data(), this::dataAnswered);
            }
        }
    }

    private SmtpCommand.Mail mail(SmtpExtensions extensions, int size, boolean eightBit) {
        MailParameters parameters = envelope.mail().parameters();
        if (!extensions.has("DSN")) {
            parameters = parameters.without("RET").without("ENVID");
        }
        if (extensions.has("SIZE")) {
            parameters = parameters.with("SIZE", Integer.toString(size));
        }
        if (eightBit && !parameters.has("BODY")) {
            parameters = parameters.with("BODY", "8BITMIME");
        }
        if (envelope.isInternational()) {
            parameters = parameters.with("SMTPUTF8", "");
        }
        return new SmtpCommand.Mail(envelope.mail().from(), parameters);
    }

    private SmtpCommand.Rcpt withDsn(SmtpCommand.Rcpt recipient) {
        return session.extensions().has("DSN")
                ? recipient
                : new SmtpCommand.Rcpt(
                        recipient.to(), recipient.parameters().without("NOTIFY").without("ORCPT"));
    }

    private void senderAnswered(SmtpReply reply) {
        sender = reply;
        if (pipelined) {
            return;
        }
        if (reply.isPositive()) {
            session.ask(withDsn(envelope.recipients().getFirst()), this::recipientAnswered);
        } else {
            end(reply);
        }
    }

    private void recipientAnswered(SmtpReply reply) {
        replies.add(reply);
        accepted |= reply.isPositive() && sender.isPositive();
        int count = replies.size();
        if (count < envelope.recipients().size()) {
            if (!pipelined) {
                session.ask(withDsn(envelope.recipients().get(count)), this::recipientAnswered);
            }
        } else if (session.prefersChunks()) {
            chunk();
        } else if (!pipelined && accepted) {
            session.ask(new SmtpCommand.Data(), this::dataAnswered);
        } else if (!pipelined) {
            giveUp();
        }
    }

    private void dataAnswered(SmtpReply reply) {
        if (reply.code() != 354) {
            giveUp(reply);
            return;
        }
        end = new SmtpContent.End(null);
        if (accepted) {
            goOn();
        } else {
            // RFC 2920, 3.1: without a recipient, a content without a byte ends it.
            ended();
        }
    }

    private void chunk() {
        Buffer bytes = content;
        if (!accepted || !sender.isPositive() || bytes == null) {
            giveUp();
            return;
        }
        session.ask(new SmtpCommand.Bdat(bytes.readableBytes(), true), this::end);
        chunked = true;
        end = new SmtpContent.End(null);
        goOn();
    }

    /// Sends the content as long as the connection takes it.
    void goOn() {
        if (end == null) {
            return;
        }
        for (Buffer rest; (rest = content) != null && session.isWritable(); ) {
            Buffer piece = rest.split(Math.min(PIECE, rest.readableBytes()));
            if (!rest.isReadable()) {
                content = null;
                rest.release();
            }
            session.write(new SmtpContent.Part(piece));
        }
        if (content == null) {
            ended();
        }
    }

    private void ended() {
        SmtpContent.End last = end;
        end = null;
        if (last != null && chunked) {
            session.write(last);
        } else if (last != null) {
            session.ask(last, reply -> end(accepted ? reply : refusal(reply)));
        }
    }

    private void giveUp() {
        giveUp(SmtpReply.of(554, "5.5.1", "no valid recipients"));
    }

    /// Nothing was sent, so the transaction may be open still.
    private void giveUp(SmtpReply reply) {
        session.ask(new SmtpCommand.Rset(), _ -> end(refusal(reply)));
    }

    /// The reason that the application wants to hear: the first that was refused.
    private SmtpReply refusal(SmtpReply other) {
        if (!sender.isPositive()) {
            return sender;
        }
        return accepted || replies.isEmpty() ? failure(other) : replies.getFirst();
    }

    /// The reply where it is a failure, which a reply out of place is in any case.
    static SmtpReply failure(SmtpReply reply) {
        return reply.code() >= 400 ? reply : SmtpReply.of(451, "4.5.0", "unexpected: " + reply);
    }

    private void end(SmtpReply outcome) {
        if (chunked && end != null) {
            // The server would take the next command for the rest of the chunk (RFC 3030, 2).
            end = null;
            tell(failure(outcome));
            session.answeredEarly(outcome);
            return;
        }
        tell(outcome);
        session.transactionEnded();
    }

    /// Tells the outcome.
    void tell(SmtpReply outcome) {
        Buffer rest = content;
        content = null;
        if (rest != null) {
            rest.release();
        }
        if (!told) {
            told = true;
            done.accept(new SmtpDelivery(envelope, outcome, replies));
        }
    }
}
