package io.weft.codec.stomp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/// Text of headers on the wire, with the escapes of each version.
final class HeaderText {
    /// Names that need no object of their own.
    private static final String[] KNOWN = {
        "destination",
        "content-length",
        "content-type",
        "receipt",
        "transaction",
        "id",
        "ack",
        "message-id",
        "subscription",
        "receipt-id",
        "version",
        "accept-version",
        "host",
        "heart-beat",
        "login",
        "passcode",
        "session",
        "server",
        "message"
    };

    private static final byte[][] KNOWN_BYTES = new byte[KNOWN.length][];

    static {
        for (int i = 0; i < KNOWN.length; i++) {
            KNOWN_BYTES[i] = KNOWN[i].getBytes(US_ASCII);
        }
    }

    private HeaderText() {}

    static String name(Buffer in, int from, int to, StompVersion version) {
        int length = to - from;
        for (int i = 0; i < KNOWN.length; i++) {
            byte[] known = KNOWN_BYTES[i];
            if (known.length == length && in.contentEquals(from, known, 0, length)) {
                return KNOWN[i];
            }
        }
        return decode(in, from, to, version);
    }

    /// @throws IllegalArgumentException for an escape that the version does not know, or text that
    ///   is no UTF-8
    static String decode(Buffer in, int from, int to, StompVersion version) {
        return isPlain(in, from, to)
                ? in.getString(from, to - from, ISO_8859_1)
                : decodeSpecial(in, from, to, version);
    }

    /// Tells if bytes are ASCII that stands for itself in every version.
    private static boolean isPlain(Buffer in, int from, int to) {
        for (int i = from; i < to; i++) {
            byte b = in.getByte(i);
            if (b <= 0 || b == '\\') {
                return false;
            }
        }
        return true;
    }

    /// Tells if bytes stand for `text` in every version.
    static boolean isPlainly(Buffer in, int from, int to, String text) {
        if (text.length() != to - from) {
            return false;
        }
        for (int i = from; i < to; i++) {
            byte b = in.getByte(i);
            if (b != text.charAt(i - from) || b <= 0 || b == '\\') {
                return false;
            }
        }
        return true;
    }

    private static String decodeSpecial(Buffer in, int from, int to, StompVersion version) {
        byte[] bytes = new byte[to - from];
        in.getBytes(from, bytes, 0, bytes.length);
        int length = 0;
        boolean ascii = true;
        for (int i = 0; i < bytes.length; i++) {
            byte b = bytes[i];
            if (b == 0) {
                throw new IllegalArgumentException("header: NUL (expected: none in a line)");
            }
            if (b == '\\' && version != StompVersion.V1_0) {
                i++;
                b = unescape(i < bytes.length ? bytes[i] : 0, version);
            }
            ascii &= b > 0;
            bytes[length++] = b;
        }
        if (ascii) {
            return new String(bytes, 0, length, US_ASCII);
        }
        try {
            return UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length)).toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("header: ill-formed (expected: UTF-8)", e);
        }
    }

    private static byte unescape(byte b, StompVersion version) {
        return switch (b) {
            case 'n' -> '\n';
            case 'c' -> ':';
            case '\\' -> '\\';
            default -> {
                if (b == 'r' && version == StompVersion.V1_2) {
                    yield '\r';
                }
                // STOMP 1.1 and 1.2, Value Encoding: others are a fatal protocol error.
                throw new IllegalArgumentException(
                        "header: escape 0x%02x (expected: one of %s)".formatted(b, version));
            }
        };
    }

    /// @throws IllegalArgumentException when the version cannot say it
    static void encode(Buffer out, String text, boolean isName, StompVersion version) {
        boolean escapes = version != StompVersion.V1_0;
        boolean plain = true;
        for (int i = 0; i < text.length() && plain; i++) {
            char c = text.charAt(i);
            plain = c != '\n' && c != '\r' && c != ':' && c != '\\';
        }
        if (plain) {
            var _ = out.writeUtf8(text);
            return;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 8);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (escapes && (c == '\n' || c == ':' || c == '\\')) {
                escaped.append('\\').append(c == '\n' ? 'n' : c == ':' ? 'c' : c);
            } else if (c == '\r' && version == StompVersion.V1_2) {
                escaped.append("\\r");
            } else if (c == '\n' || c == '\r' || (c == ':' && isName)) {
                throw new IllegalArgumentException(
                        "header: U+%04X (expected: none in %s here)".formatted((int) c, version));
            } else {
                escaped.append(c);
            }
        }
        var _ = out.writeUtf8(escaped);
    }
}
