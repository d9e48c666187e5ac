package io.weft.codec.smtp;

import org.jspecify.annotations.Nullable;

/// A path of MAIL or RCPT in angle brackets (RFC 5321, 4.1.2), up to 256 bytes.
public sealed interface MailPath {
    /// A mailbox. A source route in front of it is dropped (RFC 5321, 3.3 and appendix C).
    record To(Mailbox mailbox) implements MailPath {
        /// @throws IllegalArgumentException when the path is longer than 256 bytes
        public To {
            int length = Chars.utf8Length(mailbox.toString()) + 2;
            if (length > 256) {
                // RFC 5321, 4.5.3.1.3
                throw new IllegalArgumentException(
                        "path bytes: " + length + " (expected: at most 256)");
            }
        }

        @Override
        public String toString() {
            return "<" + mailbox + ">";
        }
    }

    /// The null reverse path `<>`, of notifications: nothing is sent back to it.
    record Empty() implements MailPath {
        @Override
        public String toString() {
            return "<>";
        }
    }

    /// The forward path `<Postmaster>` without a domain, which each server takes.
    record Postmaster() implements MailPath {
        @Override
        public String toString() {
            return "<Postmaster>";
        }
    }

    /// The path to a mailbox.
    ///
    /// @throws IllegalArgumentException when it is none
    static MailPath to(String mailbox) {
        return new To(Mailbox.of(mailbox));
    }

    /// Its mailbox; null if it has none.
    default @Nullable Mailbox mailboxOrNull() {
        return this instanceof To to ? to.mailbox : null;
    }

    /// Tells if it needs SMTPUTF8.
    default boolean isInternational() {
        return this instanceof To to && to.mailbox.isInternational();
    }

    /// Index behind the path that begins `text`, or -1 if there is no end: angle brackets within
    /// quotes do not count.
    static int endOfPath(String text, int from) {
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == '>' && !quoted) {
                return i + 1;
            }
        }
        return -1;
    }

    /// Reads a path with its brackets.
    ///
    /// @param reverse if it is that of MAIL, which may be empty
    /// @throws IllegalArgumentException when it is none
    static MailPath parse(String text, boolean reverse) {
        if (text.length() < 2 || text.charAt(0) != '<' || text.charAt(text.length() - 1) != '>') {
            throw new IllegalArgumentException(
                    "path: " + Mailbox.quote(text) + " (expected: <local-part@domain>)");
        }
        if (Chars.utf8Length(text) > 256) {
            throw new IllegalArgumentException(
                    "path bytes: " + Chars.utf8Length(text) + " (expected: at most 256)");
        }
        String inside = text.substring(1, text.length() - 1);
        if (reverse && inside.isEmpty()) {
            return new Empty();
        }
        if (!reverse && Chars.same(inside, "postmaster")) {
            return new Postmaster();
        }
        if (inside.startsWith("@")) {
            inside = withoutRoute(inside);
        }
        return new To(Mailbox.of(inside));
    }

    private static String withoutRoute(String path) {
        int colon = path.indexOf(':');
        for (String hop : path.substring(0, Math.max(colon, 0)).split(",", -1)) {
            if (!hop.startsWith("@")) {
                throw new IllegalArgumentException(
                        "path: " + Mailbox.quote(path) + " (expected: @host,@host:mailbox)");
            }
            var _ = new MailHost.Domain(hop.substring(1));
        }
        return path.substring(colon + 1);
    }
}
