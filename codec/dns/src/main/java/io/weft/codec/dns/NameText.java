package io.weft.codec.dns;

import java.util.Arrays;

/// Names as master files have them (RFC 1035, 5.1).
final class NameText {
    private static final String MEANINGFUL = "\"().;\\@$";

    private NameText() {}

    static DnsName parse(String text, DnsName origin) {
        if (text.equals(".")) {
            return DnsName.ROOT;
        }
        byte[] wire = new byte[DnsName.MAX_LENGTH + 1];
        int label = 0; // where its length goes
        int at = 1;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.') {
                endLabel(wire, label, at);
                if (i == text.length() - 1) {
                    return name(wire, at, DnsName.ROOT);
                }
                label = at++;
                continue;
            }
            int octet = c;
            if (c == '\\') {
                octet = escaped(text, i + 1);
                i += isDigit(text.charAt(i + 1)) ? 3 : 1;
            } else if (c <= ' ' || c > '~') {
                throw new IllegalArgumentException(
                        "name: character "
                                + (int) c
                                + " at "
                                + i
                                + " (expected: printable ASCII, or \\DDD)");
            }
            DnsName.requireLength(at + 2);
            wire[at++] = (byte) octet;
        }
        endLabel(wire, label, at);
        return name(wire, at, origin);
    }

    private static DnsName name(byte[] wire, int end, DnsName origin) {
        DnsName.requireLength(end + origin.length());
        byte[] whole = Arrays.copyOf(wire, end + origin.length());
        origin.copyTo(whole, end);
        return new DnsName(whole, 0, whole.length);
    }

    private static void endLabel(byte[] wire, int label, int end) {
        int length = end - label - 1;
        if (length == 0 || length > DnsName.MAX_LABEL) {
            throw new IllegalArgumentException(
                    "label octets: " + length + " (expected: 1 to " + DnsName.MAX_LABEL + ")");
        }
        DnsName.requireLength(end + 1);
        wire[label] = (byte) length;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    /// The octet that is written from `i` on, behind a backslash.
    static int escaped(String text, int i) {
        if (i >= text.length()) {
            throw new IllegalArgumentException("\\ at the end (expected: a character behind it)");
        }
        char c = text.charAt(i);
        if (!isDigit(c)) {
            if (c > 0xFF) {
                throw new IllegalArgumentException(
                        "\\ before character " + (int) c + " (expected: at most 255)");
            }
            return c;
        }
        if (i + 2 >= text.length()
                || !isDigit(text.charAt(i + 1))
                || !isDigit(text.charAt(i + 2))) {
            throw new IllegalArgumentException("\\" + c + " (expected: three digits)");
        }
        int octet = (c - '0') * 100 + (text.charAt(i + 1) - '0') * 10 + text.charAt(i + 2) - '0';
        if (octet > 255) {
            throw new IllegalArgumentException("\\" + octet + " (expected: at most \\255)");
        }
        return octet;
    }

    static String print(byte[] wire, int offset) {
        if (wire[offset] == 0) {
            return ".";
        }
        StringBuilder text = new StringBuilder();
        for (int at = offset; wire[at] != 0; at += wire[at] + 1) {
            for (int i = 1; i <= wire[at]; i++) {
                int octet = wire[at + i] & 0xFF;
                if (octet <= ' ' || octet > '~') {
                    decimal(octet, text);
                } else if (MEANINGFUL.indexOf(octet) >= 0) {
                    text.append('\\').append((char) octet);
                } else {
                    text.append((char) octet);
                }
            }
            text.append('.');
        }
        return text.toString();
    }

    private static void decimal(int octet, StringBuilder text) {
        text.append('\\')
                .append((char) ('0' + octet / 100))
                .append((char) ('0' + octet / 10 % 10))
                .append((char) ('0' + octet % 10));
    }
}
