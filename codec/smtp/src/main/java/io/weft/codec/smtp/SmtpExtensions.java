package io.weft.codec.smtp;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// The extensions that a server offers in its reply to EHLO (RFC 5321, 4.1.1.1).
///
/// @param values parameters by keyword in upper case, empty for none
public record SmtpExtensions(Map<String, String> values) {
    /// No extensions, as after HELO.
    public static final SmtpExtensions NONE = new SmtpExtensions(Map.of());

    public SmtpExtensions {
        values = Map.copyOf(values);
    }

    /// Reads the reply to EHLO.
    public static SmtpExtensions of(SmtpReply reply) {
        Map<String, String> values = new TreeMap<>();
        for (String line : reply.lines().subList(1, reply.lines().size())) {
            int space = line.indexOf(' ');
            String keyword = Chars.upper(space < 0 ? line : line.substring(0, space));
            String value = space < 0 ? "" : line.substring(space + 1).strip();
            if (keyword.startsWith("AUTH=")) {
                value = keyword.substring(5) + " " + value; // of servers before RFC 2554
                keyword = "AUTH";
            }
            values.merge(keyword, value, (a, b) -> a + " " + b);
        }
        return new SmtpExtensions(values);
    }

    /// Tells if an extension is offered.
    public boolean has(String keyword) {
        return values.containsKey(Chars.upper(keyword));
    }

    /// Parameters of an extension; null if it is not offered.
    public @Nullable String get(String keyword) {
        return values.get(Chars.upper(keyword));
    }

    /// Bytes of a message that the server takes; 0 if it tells no limit.
    public long size() {
        String text = get("SIZE");
        boolean good =
                text != null
                        && !text.isEmpty()
                        && text.length() < 19
                        && text.chars().allMatch(Chars::isDigit);
        return good ? Long.parseLong(text) : 0;
    }

    /// Tells if AUTH knows a mechanism.
    public boolean hasMechanism(String name) {
        String text = get("AUTH");
        return text != null
                && List.of(Chars.upper(text).split(" ", -1)).contains(Chars.upper(name));
    }
}
