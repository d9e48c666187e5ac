package io.weft.codec.smtp;

/// Limits of the resources that a peer may use, in bytes unless said otherwise. The defaults are
/// those of RFC 5321, 4.5.3.1, where it has one; each line includes its CRLF.
///
/// @param commandLine of a command
/// @param parameters that MAIL and RCPT may be longer by (RFC 3461, section 4)
/// @param authLine of AUTH, and of each response of its exchange (RFC 4954, section 4)
/// @param replyLine of one line of a reply
/// @param reply of a whole reply, 48 for each of its lines included
/// @param textLine of a line of a content that DATA sends
/// @param content of a message
/// @param recipients of a message, as a number
/// @param errors of a session, as a number: commands that were refused; at the next one it ends
public record SmtpLimits(
        int commandLine,
        int parameters,
        int authLine,
        int replyLine,
        int reply,
        int textLine,
        long content,
        int recipients,
        int errors) {
    public static final SmtpLimits DEFAULT =
            new SmtpLimits(512, 1_024, 12_288, 512, 65_536, 1_000, 26_214_400, 100, 50);

    /// @throws IllegalArgumentException when one is out of its range
    public SmtpLimits {
        require("commandLine", commandLine, 6, 1 << 20);
        require("parameters", parameters, 1, 1 << 20);
        require("authLine", authLine, 6, 1 << 20);
        require("replyLine", replyLine, 6, 1 << 20);
        require("reply", reply, 6, 1 << 24);
        require("textLine", textLine, 3, 1 << 30);
        require("content", content, 1, Long.MAX_VALUE);
        require("recipients", recipients, 1, 1 << 20);
        require("errors", errors, 1, 1 << 30);
    }

    private static void require(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + ": " + value + " (expected: " + least + " to " + most + ")");
        }
    }

    /// The same, with another size of messages.
    public SmtpLimits withContent(long bytes) {
        return new SmtpLimits(
                commandLine,
                parameters,
                authLine,
                replyLine,
                reply,
                textLine,
                bytes,
                recipients,
                errors);
    }

    /// The same, with another length of lines of text.
    public SmtpLimits withTextLine(int bytes) {
        return new SmtpLimits(
                commandLine,
                parameters,
                authLine,
                replyLine,
                reply,
                bytes,
                content,
                recipients,
                errors);
    }

    int longestCommand() {
        return Math.max(authLine, commandLine + parameters);
    }
}
