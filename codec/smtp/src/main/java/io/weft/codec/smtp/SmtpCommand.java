package io.weft.codec.smtp;

import java.util.Base64;
import org.jspecify.annotations.Nullable;

/// A command of a client. Each is valid by its type, so none can hold another one.
public sealed interface SmtpCommand extends SmtpRequest {
    /// The line on the wire, without its CRLF.
    String line();

    /// A greeting without extensions.
    record Helo(MailHost host) implements SmtpCommand {
        @Override
        public String line() {
            return "HELO " + host;
        }
    }

    /// A greeting with extensions.
    record Ehlo(MailHost host) implements SmtpCommand {
        @Override
        public String line() {
            return "EHLO " + host;
        }
    }

    /// The beginning of a transaction.
    ///
    /// @param from no [MailPath.Postmaster]
    record Mail(MailPath from, MailParameters parameters) implements SmtpCommand {
        public Mail {
            if (from instanceof MailPath.Postmaster) {
                throw new IllegalArgumentException("from: Postmaster (expected: with a domain)");
            }
        }

        @Override
        public String line() {
            return "MAIL FROM:" + from + parameters;
        }
    }

    /// A recipient.
    ///
    /// @param to not [MailPath.Empty]
    record Rcpt(MailPath to, MailParameters parameters) implements SmtpCommand {
        public Rcpt {
            if (to instanceof MailPath.Empty) {
                throw new IllegalArgumentException("to: <> (expected: a mailbox)");
            }
        }

        @Override
        public String line() {
            return "RCPT TO:" + to + parameters;
        }
    }

    /// The request to send the content in lines.
    record Data() implements SmtpCommand {
        @Override
        public String line() {
            return "DATA";
        }
    }

    /// A chunk of the content, which follows at once (RFC 3030).
    ///
    /// @param size bytes
    /// @param last if it is the content's last
    record Bdat(long size, boolean last) implements SmtpCommand {
        public Bdat {
            if (size < 0) {
                throw new IllegalArgumentException("size: " + size + " (expected: >= 0)");
            }
        }

        @Override
        public String line() {
            return "BDAT " + size + (last ? " LAST" : "");
        }
    }

    /// The end of a transaction without a message.
    record Rset() implements SmtpCommand {
        @Override
        public String line() {
            return "RSET";
        }
    }

    /// A question for a mailbox.
    record Vrfy(String argument) implements SmtpCommand {
        public Vrfy {
            requireArgument(argument);
        }

        @Override
        public String line() {
            return "VRFY " + argument;
        }
    }

    /// A question for a mailing list.
    record Expn(String argument) implements SmtpCommand {
        public Expn {
            requireArgument(argument);
        }

        @Override
        public String line() {
            return "EXPN " + argument;
        }
    }

    /// A request for help; `argument` is empty for none.
    record Help(String argument) implements SmtpCommand {
        public Help {
            Chars.requireText("argument", argument);
        }

        @Override
        public String line() {
            return argument.isEmpty() ? "HELP" : "HELP " + argument;
        }
    }

    /// Nothing; `argument` is empty for none.
    record Noop(String argument) implements SmtpCommand {
        public Noop {
            Chars.requireText("argument", argument);
        }

        @Override
        public String line() {
            return argument.isEmpty() ? "NOOP" : "NOOP " + argument;
        }
    }

    /// The end of the session.
    record Quit() implements SmtpCommand {
        @Override
        public String line() {
            return "QUIT";
        }
    }

    /// The request for TLS (RFC 3207).
    record StartTls() implements SmtpCommand {
        @Override
        public String line() {
            return "STARTTLS";
        }
    }

    /// The beginning of an authentication (RFC 4954).
    ///
    /// @param mechanism in upper case
    /// @param initial the initial response in Base64, `=` for an empty one, null for none
    record Auth(String mechanism, @Nullable String initial) implements SmtpCommand {
        public Auth {
            boolean good =
                    !mechanism.isEmpty()
                            && mechanism.length() <= 20
                            && mechanism
                                    .chars()
                                    .allMatch(
                                            c ->
                                                    (c >= 'A' && c <= 'Z')
                                                            || Chars.isDigit(c)
                                                            || c == '-'
                                                            || c == '_');
            if (!good) {
                // RFC 4422, 3.1
                throw new IllegalArgumentException(
                        "mechanism: "
                                + Mailbox.quote(mechanism)
                                + " (expected: up to 20 capitals, digits, '-' and '_')");
            }
            if (initial != null && (initial.isEmpty() || !isBase64(initial))) {
                throw new IllegalArgumentException("initial: no Base64 (expected: Base64)");
            }
        }

        @Override
        public String line() {
            return initial == null ? "AUTH " + mechanism : "AUTH " + mechanism + " " + initial;
        }

        /// Without the initial response, which may be a password.
        @Override
        public String toString() {
            return "AUTH " + mechanism;
        }
    }

    /// A response to a challenge of AUTH: Base64, empty, or `*` to give up.
    record AuthResponse(String text) implements SmtpCommand {
        public AuthResponse {
            if (!text.equals("*") && !isBase64(text)) {
                throw new IllegalArgumentException("response: no Base64 (expected: Base64 or *)");
            }
        }

        /// The response with these bytes.
        public static AuthResponse of(byte[] bytes) {
            return new AuthResponse(Base64.getEncoder().encodeToString(bytes));
        }

        @Override
        public String line() {
            return text;
        }

        /// Without the response, which may be a password.
        @Override
        public String toString() {
            return "AUTH response";
        }
    }

    /// A command of an extension.
    ///
    /// @param verb letters
    /// @param argument empty for none
    record Other(String verb, String argument) implements SmtpCommand {
        public Other {
            if (verb.isEmpty() || !verb.chars().allMatch(Chars::isLetterOrDigit)) {
                throw new IllegalArgumentException(
                        "verb: " + Mailbox.quote(verb) + " (expected: letters and digits)");
            }
            Chars.requireText("argument", argument);
        }

        @Override
        public String line() {
            return argument.isEmpty() ? verb : verb + " " + argument;
        }
    }

    /// A line that is no valid command. A server answers it and goes on; clients cannot send it.
    ///
    /// @param reply the answer
    record Invalid(SmtpReply reply) implements SmtpCommand {
        /// @throws IllegalArgumentException always: it has none
        @Override
        public String line() {
            throw new IllegalArgumentException("command: invalid (expected: a valid one)");
        }
    }

    private static void requireArgument(String argument) {
        if (argument.isBlank()) {
            throw new IllegalArgumentException("argument: none (expected: a text)");
        }
        Chars.requireText("argument", argument);
    }

    /// Tells if all characters are those of Base64: injection needs no more to be impossible.
    private static boolean isBase64(String text) {
        return text.chars()
                .allMatch(c -> Chars.isLetterOrDigit(c) || c == '+' || c == '/' || c == '=');
    }
}
