package io.weft.codec.smtp;

/// A mailbox, `local-part@host` (RFC 5321, 4.1.2; RFC 6531, 3.3).
///
/// @param localPart without quotes, up to 64 bytes in UTF-8; its case matters
public record Mailbox(String localPart, MailHost host) {
    /// @throws IllegalArgumentException when the local part is too long or holds a control
    public Mailbox {
        int length = Chars.utf8Length(localPart);
        if (length > 64) {
            // RFC 5321, 4.5.3.1.1
            throw new IllegalArgumentException(
                    "local part bytes: " + length + " (expected: at most 64)");
        }
        for (int i = 0; i < localPart.length(); ) {
            int c = localPart.codePointAt(i);
            if (c < 0x20 || (c > 0x7E && !Chars.isInternational(c))) {
                throw new IllegalArgumentException(
                        "local part: " + quote(localPart) + " (expected: no controls)");
            }
            i += Character.charCount(c);
        }
    }

    /// Reads a mailbox as it stands on the wire: its local part may be quoted.
    ///
    /// @throws IllegalArgumentException when it is none
    public static Mailbox of(String text) {
        int at = text.startsWith("\"") ? endOfQuoted(text) : text.indexOf('@');
        if (at < 1 || at >= text.length() || text.charAt(at) != '@') {
            throw new IllegalArgumentException(
                    "mailbox: " + quote(text) + " (expected: local-part@domain)");
        }
        String local = text.charAt(0) == '"' ? unquoted(text, at - 1) : text.substring(0, at);
        if (text.charAt(0) != '"' && !isDotString(local)) {
            throw new IllegalArgumentException(
                    "local part: "
                            + quote(local)
                            + " (expected: atoms with dots between, or quoted)");
        }
        return new Mailbox(local, MailHost.of(text.substring(at + 1)));
    }

    /// Index behind the closing quote, or -1.
    private static int endOfQuoted(String text) {
        for (int i = 1; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"') {
                return i + 1;
            }
            if (c == '\\') {
                i++;
            }
        }
        return -1;
    }

    private static String unquoted(String text, int closing) {
        StringBuilder plain = new StringBuilder(closing);
        for (int i = 1; i < closing; i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                c = text.charAt(++i);
                if (c >= 0x7F) {
                    // RFC 5321, 4.1.2: quoted-pairSMTP is of ASCII, in RFC 6531 too.
                    throw new IllegalArgumentException(
                            "local part: " + quote(text) + " (expected: ASCII behind a backslash)");
                }
            }
            plain.append(c);
        }
        return plain.toString();
    }

    private static boolean isDotString(String text) {
        boolean start = true;
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            if (c == '.' ? start : !Chars.isAtom(c)) {
                return false;
            }
            start = c == '.';
            i += Character.charCount(c);
        }
        return !start;
    }

    /// Tells if it needs SMTPUTF8.
    public boolean isInternational() {
        return !Chars.isAscii(localPart) || !Chars.isAscii(host.toString());
    }

    /// As it stands on the wire, the local part quoted if it has to be.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(localPart.length() + 24);
        appendTo(text);
        return text.toString();
    }

    void appendTo(StringBuilder text) {
        if (isDotString(localPart)) {
            text.append(localPart).append('@').append(host);
            return;
        }
        text.append('"');
        for (int i = 0; i < localPart.length(); i++) {
            char c = localPart.charAt(i);
            if (c == '"' || c == '\\') {
                text.append('\\');
            }
            text.append(c);
        }
        text.append("\"@").append(host);
    }

    /// A peer's text, fit for a message.
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length() && i < 40; i++) {
            char c = text.charAt(i);
            quoted.append(c < 0x20 || c > 0x7E || c == '"' || c == '\\' ? '?' : c);
        }
        return quoted.append(text.length() > 40 ? "...\"" : "\"").toString();
    }
}
