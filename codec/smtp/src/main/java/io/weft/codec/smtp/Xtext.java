package io.weft.codec.smtp;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;

/// The `xtext` of parameters (RFC 3461, section 4): all but printable ASCII, `+` and `=` as `+XX`.
/// It has no controls: what it holds becomes a field of a notification, which a line end in it
/// would end.
public final class Xtext {
    private static final String HEX = "0123456789ABCDEF";

    private Xtext() {}

    /// Encodes `text` in UTF-8.
    ///
    /// @throws IllegalArgumentException when it holds a control
    public static String encode(String text) {
        Chars.requireText("text", text);
        StringBuilder to = new StringBuilder(text.length());
        for (byte b : text.getBytes(UTF_8)) {
            if (b > 0x20 && b < 0x7F && b != '+' && b != '=') {
                to.append((char) b);
            } else {
                to.append('+').append(HEX.charAt(b >> 4 & 15)).append(HEX.charAt(b & 15));
            }
        }
        return to.toString();
    }

    /// Decodes `xtext`.
    ///
    /// @throws IllegalArgumentException when it is none, or holds a control
    public static String decode(String xtext) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(xtext.length());
        for (int i = 0; i < xtext.length(); i++) {
            char c = xtext.charAt(i);
            int high = c == '+' && i + 2 < xtext.length() ? HEX.indexOf(xtext.charAt(i + 1)) : -1;
            int low = high < 0 ? -1 : HEX.indexOf(xtext.charAt(i + 2));
            if (low >= 0) {
                bytes.write(high << 4 | low);
                i += 2;
            } else if (c > 0x20 && c < 0x7F && c != '+' && c != '=') {
                bytes.write(c);
            } else {
                throw new IllegalArgumentException(
                        "xtext: " + Mailbox.quote(xtext) + " (expected: RFC 3461, section 4)");
            }
        }
        try {
            String text =
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes.toByteArray())).toString();
            return Chars.requireText("xtext", text);
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("xtext: no UTF-8 (expected: UTF-8)", e);
        }
    }
}
