package io.weft.codec.smtp;

import java.util.ArrayList;
import java.util.List;

/// The envelope of a message: its sender and its recipients, with their parameters.
///
/// @param recipients at least one
public record SmtpEnvelope(SmtpCommand.Mail mail, List<SmtpCommand.Rcpt> recipients) {
    /// @throws IllegalArgumentException without a recipient
    public SmtpEnvelope {
        recipients = List.copyOf(recipients);
        if (recipients.isEmpty()) {
            throw new IllegalArgumentException("recipients: none (expected: at least one)");
        }
    }

    /// An envelope without parameters.
    ///
    /// @param from a mailbox; empty for none, as of notifications
    /// @throws IllegalArgumentException when one is no mailbox
    public static SmtpEnvelope of(String from, String... to) {
        List<SmtpCommand.Rcpt> recipients = new ArrayList<>();
        for (String one : to) {
            recipients.add(new SmtpCommand.Rcpt(MailPath.to(one), MailParameters.NONE));
        }
        MailPath sender = from.isEmpty() ? new MailPath.Empty() : MailPath.to(from);
        return new SmtpEnvelope(new SmtpCommand.Mail(sender, MailParameters.NONE), recipients);
    }

    /// Tells if an address needs SMTPUTF8.
    public boolean isInternational() {
        return mail.from().isInternational()
                || recipients.stream().anyMatch(r -> r.to().isInternational());
    }
}
