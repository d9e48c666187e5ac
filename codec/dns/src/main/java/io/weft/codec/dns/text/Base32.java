package io.weft.codec.dns.text;

import io.weft.codec.dns.Octets;

/// Base 32 with the extended hexadecimal alphabet, without padding (RFC 4648, 7; RFC 5155, 3.3).
final class Base32 {
    private Base32() {}

    static String encode(Octets octets) {
        StringBuilder text = new StringBuilder();
        int bits = 0;
        int held = 0;
        for (int i = 0; i < octets.length(); i++) {
            held = held << 8 | octets.get(i);
            bits += 8;
            while (bits >= 5) {
                bits -= 5;
                text.append(Character.forDigit((held >> bits) & 31, 32));
            }
            held &= (1 << bits) - 1;
        }
        if (bits > 0) {
            text.append(Character.forDigit((held << (5 - bits)) & 31, 32));
        }
        return text.toString();
    }

    static Octets decode(String text) {
        byte[] octets = new byte[text.length() * 5 / 8];
        int bits = 0;
        int held = 0;
        int at = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) < 0x80 ? Character.digit(text.charAt(i), 32) : -1;
            if (digit < 0) {
                throw new IllegalArgumentException(
                        Tokens.shown(text) + " (expected: digits of base 32, 0 to v)");
            }
            held = held << 5 | digit;
            bits += 5;
            if (bits >= 8) {
                bits -= 8;
                octets[at++] = (byte) (held >> bits);
                held &= (1 << bits) - 1;
            }
        }
        if (bits >= 5 || held != 0) {
            throw new IllegalArgumentException(
                    Tokens.shown(text) + " (expected: whole octets in base 32)");
        }
        return Octets.of(octets);
    }
}
