package io.weft.codec.smtp;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Parameters of MAIL and RCPT, `KEYWORD=value` (RFC 5321, 4.1.2), in their order.
public final class MailParameters {
    /// No parameters.
    public static final MailParameters NONE = new MailParameters(new LinkedHashMap<>());

    private final Map<String, String> values;

    private MailParameters(Map<String, String> values) {
        this.values = values;
    }

    /// The same and one more, or another value of one.
    ///
    /// @param value empty for none
    /// @throws IllegalArgumentException when one is not as it should be
    public MailParameters with(String keyword, String value) {
        Map<String, String> more = new LinkedHashMap<>(values);
        more.put(keyword(keyword), value(value));
        return new MailParameters(more);
    }

    /// The same without one.
    public MailParameters without(String keyword) {
        if (!has(keyword)) {
            return this;
        }
        Map<String, String> fewer = new LinkedHashMap<>(values);
        fewer.remove(Chars.upper(keyword));
        return new MailParameters(fewer);
    }

    private static String keyword(String keyword) {
        boolean good = !keyword.isEmpty() && Chars.isLetterOrDigit(keyword.charAt(0));
        for (int i = 0; i < keyword.length() && good; i++) {
            good = Chars.isLetterOrDigit(keyword.charAt(i)) || keyword.charAt(i) == '-';
        }
        if (!good) {
            throw new IllegalArgumentException(
                    "parameter: "
                            + Mailbox.quote(keyword)
                            + " (expected: letters, digits and hyphens)");
        }
        return Chars.upper(keyword);
    }

    private static String value(String value) {
        for (int i = 0; i < value.length(); ) {
            int c = value.codePointAt(i);
            if (c <= 0x20 || c == '=' || (c >= 0x7F && !Chars.isInternational(c))) {
                throw new IllegalArgumentException(
                        "value: " + Mailbox.quote(value) + " (expected: no space, '=' or control)");
            }
            i += Character.charCount(c);
        }
        return value;
    }

    /// Reads parameters with single spaces between them, or more.
    ///
    /// @throws IllegalArgumentException when they are none, or one comes twice
    static MailParameters parse(String text) {
        MailParameters all = NONE;
        for (String one : text.split(" ", -1)) {
            if (one.isEmpty()) {
                continue;
            }
            int equals = one.indexOf('=');
            String keyword = keyword(equals < 0 ? one : one.substring(0, equals));
            if (all.values.containsKey(keyword)) {
                throw new IllegalArgumentException(
                        "parameter: " + keyword + " twice (expected: once)");
            }
            if (equals == one.length() - 1) {
                throw new IllegalArgumentException(
                        "parameter: "
                                + keyword
                                + " without a value (expected: a value behind '=')");
            }
            all = all.with(keyword, equals < 0 ? "" : one.substring(equals + 1));
        }
        return all;
    }

    /// The value of a parameter: empty if it has none, null if it is not there.
    public @Nullable String get(String keyword) {
        return values.get(Chars.upper(keyword));
    }

    /// Tells if a parameter is there.
    public boolean has(String keyword) {
        return get(keyword) != null;
    }

    /// The declared size of a message in bytes (RFC 1870); -1 if there is none, or it is no number
    /// of up to 18 digits.
    public long size() {
        String text = get("SIZE");
        boolean good =
                text != null
                        && !text.isEmpty()
                        && text.length() < 19
                        && text.chars().allMatch(Chars::isDigit);
        return good ? Long.parseLong(text) : -1;
    }

    /// Tells if addresses and headers may be internationalized (RFC 6531).
    public boolean isUtf8() {
        return has("SMTPUTF8");
    }

    /// All of them, with keywords in upper case.
    public Map<String, String> asMap() {
        return Map.copyOf(values);
    }

    Iterable<String> keywords() {
        return values.keySet();
    }

    /// As they stand on the wire, each with a space in front.
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        appendTo(text);
        return text.toString();
    }

    void appendTo(StringBuilder text) {
        if (values.isEmpty()) {
            return;
        }
        values.forEach(
                (keyword, value) -> {
                    text.append(' ').append(keyword);
                    if (!value.isEmpty()) {
                        text.append('=').append(value);
                    }
                });
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof MailParameters p && p.values.equals(values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }
}
