package io.weft.codec.dns.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.rdata.TypeBitmap;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The words of one entry of a master file (RFC 1035, 5.1): what is between blanks, or in quotes;
/// parentheses let an entry go on behind the end of a line, semicolons begin comments. Every
/// character is an octet.
///
/// Words keep their backslashes until it is known what they mean. Whatever is wrong is an
/// [IllegalArgumentException].
public final class Tokens {
    private final String text;
    private final DnsName origin;
    private int at;
    private int depth;
    private @Nullable String next;
    private boolean quoted;

    /// @param origin of names without a dot at their end
    public Tokens(String text, DnsName origin) {
        this.text = text;
        this.origin = origin;
        advance();
    }

    public boolean hasNext() {
        return next != null;
    }

    /// The next word, which stays the next; null at the end.
    public @Nullable String peek() {
        return next;
    }

    /// Tells if the next word is in quotes.
    public boolean isQuoted() {
        return quoted;
    }

    /// @param what it should be, for the message
    public String word(String what) {
        String word = next;
        if (word == null) {
            throw new IllegalArgumentException(what + ": missing (expected: a word)");
        }
        advance();
        return word;
    }

    /// Takes a word as octets, its backslashes gone, as text: a character for each.
    public String text(String what) {
        return new String(string(what).toArray(), ISO_8859_1);
    }

    /// Takes all words that are left, with a blank between them. One in quotes directly behind a
    /// type stands for all of its data, as in `MX "10 mail"`, and loses its quotes.
    public String remainder() {
        StringBuilder all = new StringBuilder();
        String before = "";
        while (next != null) {
            boolean inQuotes = quoted;
            String word = word("data");
            boolean whole = inQuotes && next == null && isType(before);
            all.append(all.isEmpty() ? "" : " ");
            all.append(inQuotes && !whole ? "\"" + word + "\"" : word);
            before = word;
        }
        return all.toString();
    }

    private static boolean isType(String word) {
        try {
            var _ = RecordType.parse(word);
            return true;
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    /// @throws IllegalArgumentException unless all words were taken
    public void end() {
        if (next != null) {
            throw new IllegalArgumentException(
                    "\"" + shown(next) + "\" behind the data (expected: nothing)");
        }
    }

    private void advance() {
        next = null;
        quoted = false;
        skipBlanks();
        if (at == text.length()) {
            if (depth > 0) {
                throw new IllegalArgumentException("( without ) (expected: both)");
            }
            return;
        }
        if (text.charAt(at) == '"') {
            quoted = true;
            int from = ++at;
            endOfQuotes();
            next = text.substring(from, at - 1);
            return;
        }
        int from = at;
        while (at < text.length() && " \t\r\n;()".indexOf(text.charAt(at)) < 0) {
            if (text.charAt(at++) == '\\') {
                escape();
            } else if (text.charAt(at - 1) == '"') {
                endOfQuotes(); // of a parameter, key="value"
            }
        }
        next = text.substring(from, at);
    }

    private void endOfQuotes() {
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '"') {
                return;
            }
            if (c == '\n') {
                break;
            }
            if (c == '\\') {
                escape();
            }
        }
        throw new IllegalArgumentException("\" without its other (expected: on the same line)");
    }

    private void escape() {
        if (at == text.length() || text.charAt(at) == '\n') {
            throw new IllegalArgumentException("\\ at the end (expected: a character behind it)");
        }
        at++;
    }

    private void skipBlanks() {
        for (; at < text.length(); at++) {
            switch (text.charAt(at)) {
                case ' ', '\t', '\r', '\n' -> {}
                case '(' -> depth++;
                case ')' -> {
                    if (--depth < 0) {
                        throw new IllegalArgumentException(") without ( (expected: both)");
                    }
                }
                case ';' -> {
                    while (at < text.length() - 1 && text.charAt(at + 1) != '\n') {
                        at++;
                    }
                }
                default -> {
                    return;
                }
            }
        }
    }

    /// At most 40 characters of the file's, fit for a message or a log.
    public static String shown(String word) {
        StringBuilder shown = new StringBuilder();
        for (int i = 0; i < Math.min(40, word.length()); i++) {
            char c = word.charAt(i);
            shown.append(c < ' ' || c > '~' ? '?' : c);
        }
        return word.length() > 40 ? shown.append("...").toString() : shown.toString();
    }

    int u8(String what) {
        return (int) number(what, 0xFF);
    }

    int u16(String what) {
        return (int) number(what, 0xFFFF);
    }

    long u32(String what) {
        return number(what, 0xFFFF_FFFFL);
    }

    long number(String what, long max) {
        return number(what, word(what), max);
    }

    static long number(String what, String word, long max) {
        long value = word.isEmpty() ? -1 : 0;
        for (int i = 0; i < word.length() && value >= 0 && value <= max; i++) {
            int digit = word.charAt(i) - '0';
            value = digit < 0 || digit > 9 ? -1 : value * 10 + digit;
        }
        if (value < 0 || value > max) {
            throw new IllegalArgumentException(
                    what + ": " + shown(word) + " (expected: 0 to " + max + ")");
        }
        return value;
    }

    DnsName name(String what) {
        return DnsName.parse(word(what), origin);
    }

    /// A word as octets, its backslashes gone.
    Octets string(String what) {
        return unescaped(word(what));
    }

    static Octets unescaped(String word) {
        ByteArrayOutputStream octets = new ByteArrayOutputStream(word.length());
        for (int i = 0; i < word.length(); i++) {
            char c = word.charAt(i);
            if (c != '\\') {
                octets.write(c);
                continue;
            }
            if (i + 1 == word.length()) {
                throw new IllegalArgumentException(
                        "\\ at the end (expected: a character behind it)");
            }
            char first = word.charAt(++i);
            if (first < '0' || first > '9') {
                octets.write(first);
                continue;
            }
            if (i + 3 > word.length()) {
                throw new IllegalArgumentException("\\" + first + " (expected: three digits)");
            }
            octets.write((int) number("\\", word.substring(i, i + 3), 255));
            i += 2;
        }
        return Octets.of(octets.toByteArray());
    }

    /// All words that are left, as one.
    private String rest(String what) {
        String first = word(what);
        if (next == null) {
            return first;
        }
        StringBuilder all = new StringBuilder(first);
        while (next != null) {
            all.append(word(what));
        }
        return all.toString();
    }

    Octets hexRest(String what) {
        return Octets.ofHex(rest(what));
    }

    Octets base64Rest(String what) {
        return Octets.ofBase64(rest(what));
    }

    /// Hexadecimal digits, or `-` for none.
    Octets salt() {
        String word = word("salt");
        return word.equals("-") ? Octets.EMPTY : Octets.ofHex(word);
    }

    Octets base64(String what) {
        return Octets.of(Base64.getDecoder().decode(word(what)));
    }

    /// All words that are left, as types.
    TypeBitmap types() {
        List<RecordType> types = new ArrayList<>();
        while (next != null) {
            types.add(RecordType.parse(word("type")));
        }
        return TypeBitmap.of(types);
    }

    RecordType type() {
        return RecordType.parse(word("type"));
    }

    /// A number or a mnemonic of DNSSEC's registry.
    int algorithm() {
        String word = word("algorithm");
        return switch (word.toUpperCase(Locale.ROOT)) {
            case "RSAMD5" -> 1;
            case "DH" -> 2;
            case "DSA" -> 3;
            case "RSASHA1" -> 5;
            case "DSA-NSEC3-SHA1" -> 6;
            case "RSASHA1-NSEC3-SHA1" -> 7;
            case "RSASHA256" -> 8;
            case "RSASHA512" -> 10;
            case "ECC-GOST" -> 12;
            case "ECDSAP256SHA256" -> 13;
            case "ECDSAP384SHA384" -> 14;
            case "ED25519" -> 15;
            case "ED448" -> 16;
            case "INDIRECT" -> 252;
            case "PRIVATEDNS" -> 253;
            case "PRIVATEOID" -> 254;
            default -> (int) number("algorithm", word, 0xFF);
        };
    }

    /// A number or a mnemonic.
    ResponseCode responseCode() {
        String word = word("error");
        if (word.equals("BADSIG")) {
            return ResponseCode.BADSIG;
        }
        for (int i = 0; i <= ResponseCode.BADCOOKIE.number(); i++) {
            if (ResponseCode.of(i).toString().equals(word)) {
                return ResponseCode.of(i);
            }
        }
        return ResponseCode.of((int) number("error", word, 0xFFFF));
    }
}
