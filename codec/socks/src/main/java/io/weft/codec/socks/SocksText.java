package io.weft.codec.socks;

import java.nio.charset.StandardCharsets;

/// Checks of what messages hold.
final class SocksText {
    private SocksText() {}

    static void requireByte(String name, int value) {
        if (value < 0 || value > 255) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: 0 to 255)");
        }
    }

    static void requirePort(int port) {
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0 to 65535)");
        }
    }

    static void requireHost(String host) {
        if (host.isEmpty() || host.length() > 255 || !isVisible(host)) {
            throw new IllegalArgumentException(
                    "host: " + quote(host) + " (expected: 1 to 255 visible ASCII characters)");
        }
    }

    private static boolean isVisible(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) <= ' ' || text.charAt(i) > '~') {
                return false;
            }
        }
        return true;
    }

    /// Strings of SOCKS 4 end with NUL: one within would begin the next field.
    static void requireNoControls(String name, String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < ' ' || text.charAt(i) == 0x7F) {
                throw new IllegalArgumentException(
                        name + ": " + quote(text) + " (expected: no controls)");
            }
        }
    }

    static void requireLength(String name, String text, int min) {
        int length = utf8Length(text);
        if (length < min || length > 255) {
            throw new IllegalArgumentException(
                    name + ": " + length + " bytes (expected: " + min + " to 255)");
        }
    }

    static int utf8Length(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /// The text in quotes, controls and what is not ASCII escaped.
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < Math.min(text.length(), 40); i++) {
            char c = text.charAt(i);
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append(text.length() > 40 ? "\"..." : "\"").toString();
    }
}
