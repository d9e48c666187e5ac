package io.weft.http.client.cookies;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A Set-Cookie field as RFC 6265bis, 5.6 reads it.
///
/// @param expires when it ends; null for the end of the session
/// @param domain without a dot at its start or end, in lower case; empty for none
/// @param path null for none
public record SetCookie(
        String name,
        String value,
        @Nullable Instant expires,
        String domain,
        @Nullable String path,
        boolean secure,
        boolean httpOnly,
        boolean partitioned,
        boolean crossSite) {
    /// Of name and value (5.6).
    private static final int MAX_LENGTH = 4096;

    /// Of the value of an attribute.
    private static final int MAX_ATTRIBUTE = 1024;

    /// No cookie lives longer (5.5).
    private static final Duration MAX_AGE = Duration.ofDays(400);

    /// @return null if the field is to be ignored
    public static @Nullable SetCookie parse(String field, Instant now) {
        if (field.chars().anyMatch(c -> (c < 0x20 && c != '\t') || c == 0x7F)) {
            return null;
        }
        int end = field.indexOf(';');
        String pair = end < 0 ? field : field.substring(0, end);
        int equals = pair.indexOf('=');
        String name = equals < 0 ? "" : trim(pair.substring(0, equals));
        String value = trim(pair.substring(equals + 1));
        if (name.length() + value.length() > MAX_LENGTH || (name.isEmpty() && value.isEmpty())) {
            return null;
        }
        Attributes attributes = new Attributes(now);
        for (int from = end; from >= 0 && from < field.length(); ) {
            int next = field.indexOf(';', from + 1);
            attributes.take(field.substring(from + 1, next < 0 ? field.length() : next));
            from = next;
        }
        SetCookie cookie = attributes.cookie(name, value);
        return cookie.mayHaveItsName() ? cookie : null;
    }

    /// RFC 6265bis, 5.4: prefixes promise attributes. A cookie without a name must not look as if
    /// it had such a one.
    private boolean mayHaveItsName() {
        String lower = (name.isEmpty() ? value : name).toLowerCase(Locale.ROOT);
        boolean host = secure && domain.isEmpty() && "/".equals(path);
        boolean promised =
                lower.startsWith("__secure-")
                        || lower.startsWith("__host-")
                        || lower.startsWith("__http-");
        if (name.isEmpty()) {
            return !promised;
        }
        if (lower.startsWith("__host-http-")) {
            return host && httpOnly;
        }
        return (!lower.startsWith("__secure-") || secure)
                && (!lower.startsWith("__http-") || (secure && httpOnly))
                && (!lower.startsWith("__host-") || host)
                && (!partitioned || secure)
                && (!crossSite || secure);
    }

    private static String trim(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && (text.charAt(from) == ' ' || text.charAt(from) == '\t')) {
            from++;
        }
        while (to > from && (text.charAt(to - 1) == ' ' || text.charAt(to - 1) == '\t')) {
            to--;
        }
        return text.substring(from, to);
    }

    private static final class Attributes {
        private final Instant now;
        private @Nullable Instant maxAge;
        private @Nullable Instant expires;
        private String domain = "";
        private @Nullable String path;
        private boolean secure;
        private boolean httpOnly;
        private boolean partitioned;
        private boolean crossSite;

        Attributes(Instant now) {
            this.now = now;
        }

        void take(String attribute) {
            int equals = attribute.indexOf('=');
            String name = trim(equals < 0 ? attribute : attribute.substring(0, equals));
            String value = equals < 0 ? "" : trim(attribute.substring(equals + 1));
            if (value.length() > MAX_ATTRIBUTE) {
                return;
            }
            switch (name.toLowerCase(Locale.ROOT)) {
                case "expires" -> {
                    Instant date = CookieDate.parse(value);
                    expires = date == null ? expires : capped(date);
                }
                case "max-age" -> maxAge(value);
                case "domain" -> domain(value);
                case "path" -> path = value.startsWith("/") ? value : null;
                case "secure" -> secure = true;
                case "httponly" -> httpOnly = true;
                case "partitioned" -> partitioned = true;
                case "samesite" -> crossSite = value.equalsIgnoreCase("none");
                default -> {} // RFC 6265bis, 5.6: unknown ones are ignored
            }
        }

        /// One that ends with a dot is ignored: to those who know public suffixes, `com.` is none,
        /// and yet all hosts that end with it, as `a.com.` does, would get the cookie.
        private void domain(String value) {
            if (!value.endsWith(".")) {
                domain =
                        (value.startsWith(".") ? value.substring(1) : value)
                                .toLowerCase(Locale.ROOT);
            }
        }

        private void maxAge(String value) {
            boolean negative = value.startsWith("-");
            String digits = negative ? value.substring(1) : value;
            if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
                return;
            }
            if (negative || digits.chars().allMatch(c -> c == '0')) {
                maxAge = Instant.MIN;
            } else {
                long seconds = digits.length() > 10 ? Long.MAX_VALUE : Long.parseLong(digits);
                maxAge = now.plusSeconds(Math.min(seconds, MAX_AGE.toSeconds()));
            }
        }

        private Instant capped(Instant date) {
            Instant most = now.plus(MAX_AGE);
            return date.isAfter(most) ? most : date;
        }

        SetCookie cookie(String name, String value) {
            return new SetCookie(
                    name,
                    value,
                    maxAge != null ? maxAge : expires,
                    domain,
                    path,
                    secure,
                    httpOnly,
                    partitioned,
                    crossSite);
        }
    }
}
