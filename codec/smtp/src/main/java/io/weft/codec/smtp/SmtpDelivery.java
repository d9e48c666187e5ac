package io.weft.codec.smtp;

import java.util.List;

/// The outcome of sending a message.
///
/// @param outcome the server's last word on the message; a positive one makes the server
///     responsible for the recipients that it accepted. If the server refused the session before
///     the message (its greeting, EHLO, TLS or AUTH), its reply to that. A reply of the client's own
///     with 4.4.2 says that the connection was lost: if each recipient has a reply, the content may
///     have been sent, and the message taken or not; otherwise it was not taken
/// @param recipients replies to the recipients, in their order, as far as they came
public record SmtpDelivery(SmtpEnvelope envelope, SmtpReply outcome, List<SmtpReply> recipients) {
    public SmtpDelivery {
        recipients = List.copyOf(recipients);
    }

    /// Tells if the message was taken for each recipient.
    public boolean isComplete() {
        return outcome.isPositive()
                && recipients.size() == envelope.recipients().size()
                && recipients.stream().allMatch(SmtpReply::isPositive);
    }
}
