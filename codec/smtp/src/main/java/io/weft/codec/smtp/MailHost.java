package io.weft.codec.smtp;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/// The host in an address or a greeting: a domain or an address literal (RFC 5321, 4.1.2, 4.1.3).
public sealed interface MailHost {
    /// A name of labels, in ASCII or with U-labels (RFC 6531).
    ///
    /// @param name up to 255 bytes in UTF-8, without a dot at the end
    record Domain(String name) implements MailHost {
        /// @throws IllegalArgumentException when it is no domain
        public Domain {
            int length = Chars.utf8Length(name);
            if (length == 0 || length > 255) {
                // RFC 5321, 4.5.3.1.2
                throw new IllegalArgumentException(
                        "domain bytes: " + length + " (expected: 1 to 255)");
            }
            for (String label : name.split("\\.", -1)) {
                requireLabel(label, name);
            }
        }

        private static void requireLabel(String label, String name) {
            int length = Chars.utf8Length(label);
            boolean good = length > 0 && length < 64;
            for (int i = 0; i < label.length() && good; ) {
                int c = label.codePointAt(i);
                boolean edge = i == 0 || i + Character.charCount(c) == label.length();
                good = Chars.isLetterOrDigit(c) || (c == '-' && !edge) || isInternational(c);
                i += Character.charCount(c);
            }
            if (!good) {
                throw new IllegalArgumentException(
                        "domain: "
                                + Mailbox.quote(name)
                                + " (expected: labels of 1 to 63 letters,"
                                + " digits and hyphens within)");
            }
        }

        /// Not the dots that IDNA takes for separators (RFC 3490, 3.1), nor space.
        private static boolean isInternational(int c) {
            return Chars.isInternational(c)
                    && c != 0x3002
                    && c != 0xFF0E
                    && c != 0xFF61
                    && !Character.isSpaceChar(c);
        }

        /// Domains do not tell case apart.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Domain d && Chars.same(d.name, name);
        }

        @Override
        public int hashCode() {
            return Chars.upper(name).hashCode();
        }

        @Override
        public String toString() {
            return name;
        }
    }

    /// An IP address, `[192.0.2.1]` or `[IPv6:2001:db8::1]`.
    record Address(InetAddress address) implements MailHost {
        @Override
        public String toString() {
            String text = address.getHostAddress();
            int zone = text.indexOf('%'); // of this machine alone, and not in the grammar
            return address instanceof Inet6Address
                    ? "[IPv6:" + (zone < 0 ? text : text.substring(0, zone)) + "]"
                    : "[" + text + "]";
        }
    }

    /// A literal of another kind, `[tag:content]`.
    ///
    /// @param tag letters, digits and hyphens, the last of them no hyphen; not `IPv6`
    /// @param content printable ASCII but brackets and backslash
    record General(String tag, String content) implements MailHost {
        /// @throws IllegalArgumentException when a part is empty or has other characters
        public General {
            boolean good =
                    !tag.isEmpty()
                            && tag.chars().allMatch(c -> Chars.isLetterOrDigit(c) || c == '-')
                            && !tag.endsWith("-")
                            && !Chars.same(tag, "IPv6")
                            && !content.isEmpty()
                            && content.chars().allMatch(c -> c > 0x20 && c < 0x7F)
                            && content.chars().noneMatch(c -> "[]\\".indexOf(c) >= 0);
            if (!good) {
                throw new IllegalArgumentException(
                        "literal: "
                                + Mailbox.quote(tag + ":" + content)
                                + " (expected: tag:content)");
            }
        }

        @Override
        public String toString() {
            return "[" + tag + ":" + content + "]";
        }
    }

    /// Reads a host as it stands on the wire.
    ///
    /// @throws IllegalArgumentException when it is none
    static MailHost of(String text) {
        if (!text.startsWith("[")) {
            return new Domain(text);
        }
        if (!text.endsWith("]") || text.length() > 255) {
            throw new IllegalArgumentException(
                    "literal: " + Mailbox.quote(text) + " (expected: in brackets)");
        }
        String inside = text.substring(1, text.length() - 1);
        int colon = inside.indexOf(':');
        if (colon < 0) {
            return new Address(ipv4(inside));
        }
        String tag = inside.substring(0, colon);
        String content = inside.substring(colon + 1);
        return Chars.same(tag, "IPv6") ? new Address(ipv6(content)) : new General(tag, content);
    }

    private static InetAddress ipv4(String text) {
        String[] numbers = text.split("\\.", -1);
        boolean good = numbers.length == 4;
        for (String number : numbers) {
            good &=
                    !number.isEmpty()
                            && number.length() < 4
                            && number.chars().allMatch(Chars::isDigit)
                            && Integer.parseInt(number) < 256;
        }
        if (!good) {
            throw new IllegalArgumentException(
                    "literal: " + Mailbox.quote(text) + " (expected: four numbers up to 255)");
        }
        StringBuilder canonical = new StringBuilder();
        for (String number : numbers) {
            canonical.append(canonical.isEmpty() ? "" : ".").append(Integer.parseInt(number));
        }
        return Inet4Address.ofLiteral(canonical.toString());
    }

    private static InetAddress ipv6(String text) {
        // No zone, and no brackets: InetAddress would take them.
        boolean good =
                text.chars()
                        .allMatch(
                                c ->
                                        (Character.digit(c, 16) >= 0 && c < 0x80)
                                                || c == ':'
                                                || c == '.');
        try {
            if (good && text.indexOf(':') >= 0) {
                return Inet6Address.ofLiteral(text);
            }
        } catch (IllegalArgumentException e) {
            // said below
        }
        throw new IllegalArgumentException(
                "literal: " + Mailbox.quote(text) + " (expected: an IPv6 address)");
    }
}
