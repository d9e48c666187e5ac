package io.weft.codec.smtp;

import io.weft.codec.DecoderException;

/// Input that breaks SMTP or a limit in a way that leaves no place to go on from. A server sends
/// [#reply()] and closes; a client closes.
public final class SmtpException extends DecoderException {
    private static final long serialVersionUID = 1L;

    private final transient SmtpReply reply;

    SmtpException(int code, String status, String message) {
        super(message);
        reply = SmtpReply.of(code, status, message);
    }

    SmtpException(String message, SmtpReply reply) {
        super(message);
        this.reply = reply;
    }

    /// The reply of a server, or of the peer that a client has failed by.
    public SmtpReply reply() {
        return reply;
    }
}
