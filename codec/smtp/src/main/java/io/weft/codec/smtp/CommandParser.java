package io.weft.codec.smtp;

import io.weft.codec.smtp.SmtpCommand.Invalid;

/// Turns lines into commands (RFC 5321, 4.1.1).
final class CommandParser {
    private CommandParser() {}

    /// The command of a line without its CRLF; [Invalid] if there is none.
    ///
    /// @throws SmtpException for BDAT that does not tell how many bytes follow, and for HTTP
    static SmtpCommand parse(String wire, SmtpLimits limits) {
        String line = withoutTrailingSpace(wire);
        int space = line.indexOf(' ');
        String verb = Chars.upper(space < 0 ? line : line.substring(0, space));
        String argument = space < 0 ? "" : line.substring(space + 1);
        int limit =
                switch (verb) {
                    case "AUTH" -> limits.authLine();
                    case "MAIL", "RCPT" -> limits.commandLine() + limits.parameters();
                    default -> limits.commandLine();
                };
        if (Chars.utf8Length(wire) + 2 > limit && !verb.equals("BDAT")) {
            return invalid(500, "5.5.2", "line too long (expected: at most " + limit + " bytes)");
        }
        try {
            return parse(verb, argument);
        } catch (IllegalArgumentException e) {
            return invalid(501, "5.5.4", String.valueOf(e.getMessage()));
        }
    }

    private static SmtpCommand parse(String verb, String argument) {
        return switch (verb) {
            case "HELO" -> new SmtpCommand.Helo(MailHost.of(argument));
            case "EHLO" -> new SmtpCommand.Ehlo(MailHost.of(argument));
            case "MAIL" -> mail(argument);
            case "RCPT" -> rcpt(argument);
            case "DATA" -> alone(argument, new SmtpCommand.Data());
            case "RSET" -> alone(argument, new SmtpCommand.Rset());
            case "QUIT" -> alone(argument, new SmtpCommand.Quit());
            case "STARTTLS" -> alone(argument, new SmtpCommand.StartTls());
            case "VRFY" -> new SmtpCommand.Vrfy(argument);
            case "EXPN" -> new SmtpCommand.Expn(argument);
            case "HELP" -> new SmtpCommand.Help(argument);
            case "NOOP" -> new SmtpCommand.Noop(argument);
            case "AUTH" -> auth(argument);
            case "BDAT" -> bdat(argument);
            case "GET", "POST", "PUT", "HEAD", "OPTIONS", "CONNECT", "DELETE", "PATCH" ->
                    throw http(argument);
            default -> other(verb, argument);
        };
    }

    /// A browser can be made to send commands in a request's body to any port: the session ends
    /// before them.
    private static RuntimeException http(String argument) {
        return argument.contains("HTTP/")
                ? new SmtpException(521, "5.5.2", "a request of HTTP (expected: SMTP)")
                : new IllegalArgumentException("verb: of HTTP (expected: of SMTP)");
    }

    private static Invalid invalid(int code, String status, String message) {
        return new Invalid(SmtpReply.of(code, status, message));
    }

    /// RFC 5321, 4.1.1: servers should tolerate it.
    private static String withoutTrailingSpace(String line) {
        int end = line.length();
        while (end > 0 && (line.charAt(end - 1) == ' ' || line.charAt(end - 1) == '\t')) {
            end--;
        }
        return line.substring(0, end);
    }

    private static SmtpCommand alone(String argument, SmtpCommand command) {
        if (!argument.isEmpty()) {
            throw new IllegalArgumentException(
                    "argument: " + Mailbox.quote(argument) + " (expected: none)");
        }
        return command;
    }

    private static SmtpCommand other(String verb, String argument) {
        try {
            return new SmtpCommand.Other(verb, argument);
        } catch (IllegalArgumentException e) {
            return invalid(500, "5.5.2", String.valueOf(e.getMessage()));
        }
    }

    private static String path(String argument, String prefix) {
        if (argument.length() < prefix.length()
                || !Chars.same(argument.substring(0, prefix.length()), prefix)) {
            throw new IllegalArgumentException(
                    "argument: " + Mailbox.quote(argument) + " (expected: " + prefix + "<path>)");
        }
        int end = MailPath.endOfPath(argument, prefix.length());
        if (end < 0 || (end < argument.length() && argument.charAt(end) != ' ')) {
            throw new IllegalArgumentException(
                    "argument: " + Mailbox.quote(argument) + " (expected: " + prefix + "<path>)");
        }
        return argument.substring(prefix.length(), end);
    }

    private static SmtpCommand mail(String argument) {
        String path = path(argument, "FROM:");
        MailParameters parameters = MailParameters.parse(argument.substring(5 + path.length()));
        return new SmtpCommand.Mail(MailPath.parse(path, true), parameters);
    }

    private static SmtpCommand rcpt(String argument) {
        String path = path(argument, "TO:");
        MailParameters parameters = MailParameters.parse(argument.substring(3 + path.length()));
        return new SmtpCommand.Rcpt(MailPath.parse(path, false), parameters);
    }

    private static SmtpCommand auth(String argument) {
        int space = argument.indexOf(' ');
        return space < 0
                ? new SmtpCommand.Auth(Chars.upper(argument), null)
                : new SmtpCommand.Auth(
                        Chars.upper(argument.substring(0, space)), argument.substring(space + 1));
    }

    /// Bytes follow, and they must not be taken for commands: a chunk whose length is unknown ends
    /// the connection.
    private static SmtpCommand bdat(String argument) {
        int space = argument.indexOf(' ');
        String size = space < 0 ? argument : argument.substring(0, space);
        String rest = space < 0 ? "" : argument.substring(space + 1);
        boolean good =
                !size.isEmpty()
                        && size.length() < 19
                        && size.chars().allMatch(Chars::isDigit)
                        && (rest.isEmpty() || Chars.same(rest, "LAST"));
        if (!good) {
            throw new SmtpException(
                    521,
                    "5.5.4",
                    "BDAT: "
                            + Mailbox.quote(argument)
                            + " (expected: a size, and LAST or nothing)");
        }
        return new SmtpCommand.Bdat(Long.parseLong(size), !rest.isEmpty());
    }
}
