package io.weft.codec.smtp;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The mail transaction of a server's session: MAIL, RCPT, and the content by DATA or BDAT.
final class ServerTransaction {
    private static final Set<String> OF_MAIL =
            Set.of("SIZE", "BODY", "SMTPUTF8", "RET", "ENVID", "AUTH");
    private static final Set<String> OF_RCPT = Set.of("NOTIFY", "ORCPT");

    private final SmtpServerSession session;
    private final SmtpServerConfig config;
    private final SmtpServerHandler handler;

    private SmtpCommand.@Nullable Mail mail;
    private final List<SmtpCommand.Rcpt> recipients = new ArrayList<>();

    /// Content that the handler has, or is about to get.
    private boolean hasContent;

    // Of chunks.
    private boolean chunked;
    private boolean last;
    private long size;
    private @Nullable SmtpReply refusal;

    ServerTransaction(
            SmtpServerSession session, SmtpServerConfig config, SmtpServerHandler handler) {
        this.session = session;
        this.config = config;
        this.handler = handler;
    }

    boolean isOpen() {
        return mail != null;
    }

    /// Ends it, and has the handler give up its content.
    void abandon() {
        if (hasContent) {
            hasContent = false;
            handler.reset();
        }
        end();
    }

    void end() {
        mail = null;
        recipients.clear();
        hasContent = false;
        chunked = false;
        size = 0;
    }

    void mail(SmtpCommand.Mail command) {
        SmtpReply fault = mail == null ? faultOf(command) : nested();
        if (fault != null) {
            session.reply(fault);
            return;
        }
        session.ask(
                answer -> handler.mail(command, answer),
                reply -> {
                    mail = reply.isPositive() ? command : null;
                    session.reply(reply);
                });
    }

    private static SmtpReply nested() {
        return SmtpReply.of(503, "5.5.1", "nested MAIL"); // RFC 5321, 4.1.4
    }

    private @Nullable SmtpReply faultOf(SmtpCommand.Mail command) {
        MailParameters p = command.parameters();
        SmtpReply unknown = unknown(p, OF_MAIL);
        if (unknown != null) {
            return unknown;
        }
        String body = p.get("BODY");
        boolean good =
                (body == null || Parameters.isBody(body))
                        && (!p.has("SIZE") || p.size() >= 0)
                        && (!p.has("SMTPUTF8") || String.valueOf(p.get("SMTPUTF8")).isEmpty())
                        && Parameters.isDsnOfMail(p);
        if (!good) {
            return SmtpReply.of(501, "5.5.4", "a parameter with a value that is not allowed");
        }
        if (p.size() > config.limits().content()) {
            return DataDecoder.tooLarge(config.limits()); // RFC 1870, section 6.1
        }
        return command.from().isInternational() && !p.isUtf8() ? notUtf8() : null;
    }

    private static @Nullable SmtpReply unknown(MailParameters parameters, Set<String> known) {
        for (String keyword : parameters.keywords()) {
            if (!known.contains(keyword)) {
                return SmtpReply.of(555, "5.5.4", "parameter not recognized: " + keyword);
            }
        }
        return null;
    }

    /// RFC 6531, 3.5.
    private static SmtpReply notUtf8() {
        return SmtpReply.of(553, "5.6.7", "an address that needs SMTPUTF8");
    }

    void recipient(SmtpCommand.Rcpt command) {
        SmtpCommand.Mail current = mail;
        SmtpReply fault;
        if (current == null || hasContent) {
            fault = SmtpReply.of(503, "5.5.1", "MAIL first");
        } else if (recipients.size() >= config.limits().recipients()) {
            fault = SmtpReply.of(452, "4.5.3", "too many recipients"); // RFC 5321, 4.5.3.1.10
        } else if (command.to().isInternational() && !current.parameters().isUtf8()) {
            fault = notUtf8();
        } else {
            fault = unknown(command.parameters(), OF_RCPT);
            if (fault == null && !Parameters.isDsnOfRcpt(command.parameters())) {
                fault = SmtpReply.of(501, "5.5.4", "NOTIFY or ORCPT with another value");
            }
        }
        if (fault != null) {
            session.reply(fault);
            return;
        }
        session.ask(
                answer -> handler.recipient(command, answer),
                reply -> {
                    if (reply.isPositive()) {
                        recipients.add(command);
                    }
                    session.reply(reply);
                });
    }

    private @Nullable SmtpReply notReady() {
        if (mail == null) {
            return SmtpReply.of(503, "5.5.1", "MAIL first");
        }
        return recipients.isEmpty() ? SmtpReply.of(554, "5.5.1", "no valid recipients") : null;
    }

    void data() {
        SmtpReply fault = notReady();
        if (fault == null && (chunked || isBinary())) {
            // RFC 3030, sections 2 and 3
            fault = SmtpReply.of(503, "5.5.1", "BDAT is needed for this message");
        }
        if (fault != null) {
            session.reply(fault);
            return;
        }
        hasContent = true;
        refusal = null;
        session.awaitContent();
        session.reply(SmtpReply.of(354, "end with <CRLF>.<CRLF>"));
    }

    private boolean isBinary() {
        String body = mail == null ? null : mail.parameters().get("BODY");
        return body != null && Chars.same(body, "BINARYMIME");
    }

    /// The bytes follow in any case; the reply comes behind them.
    void chunk(SmtpCommand.Bdat command) {
        refusal = notReady();
        last = command.last();
        if (refusal == null && command.size() > config.limits().content() - size) {
            refusal = DataDecoder.tooLarge(config.limits());
        }
        if (refusal == null) {
            chunked = true;
            hasContent = true;
            size += command.size();
        }
    }

    void content(SmtpContent content) {
        switch (content) {
            case SmtpContent.Part part when refusal == null && isRefused(part) -> {
                part.close();
                refusal = DataDecoder.nulRefused();
            }
            case SmtpContent.Part part when refusal == null -> handler.content(part.bytes());
            case SmtpContent.Part part -> part.close();
            case SmtpContent.End end -> contentEnded(refusal == null ? end.fault() : refusal);
        }
    }

    /// Chunks are 7bit or 8bit data too, unless BODY=BINARYMIME says otherwise (RFC 3030, section
    /// 3), and these have no NUL (RFC 2045, 2.7 and 2.8). The decoder sees to those of DATA.
    private boolean isRefused(SmtpContent.Part part) {
        return chunked && !isBinary() && part.bytes().indexOf((byte) 0) >= 0;
    }

    private void contentEnded(@Nullable SmtpReply fault) {
        refusal = null;
        if (fault != null) {
            abandon();
            session.reply(fault);
        } else if (chunked && !last) {
            session.reply(SmtpReply.of(250, "2.0.0", size + " bytes so far"));
        } else if (mail != null) {
            SmtpEnvelope envelope = new SmtpEnvelope(mail, recipients);
            session.ask(
                    answer -> handler.message(envelope, answer),
                    reply -> {
                        end();
                        session.reply(reply);
                    });
        }
    }
}
