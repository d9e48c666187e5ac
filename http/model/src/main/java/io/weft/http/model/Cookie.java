package io.weft.http.model;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// A cookie that a response sets (RFC 6265, 4.1, with SameSite and Partitioned). Immutable.
///
/// ```java
/// response.withCookie(Cookie.of("id", token).withMaxAge(Duration.ofDays(1)))
/// ```
///
/// Unless told otherwise it is for the whole site, kept from scripts (HttpOnly), sent over TLS
/// alone (Secure), and not with requests that other sites begin (SameSite=Lax).
///
/// @param name a token
/// @param value printable ASCII without blanks, quotes, commas, semicolons and backslashes
/// @param path null for the directory of the request
/// @param domain null for the host alone that sets it
/// @param maxAge null for the session; zero deletes the cookie
public record Cookie(
        String name,
        String value,
        @Nullable String path,
        @Nullable String domain,
        @Nullable Duration maxAge,
        boolean secure,
        boolean httpOnly,
        SameSite sameSite,
        boolean partitioned) {
    /// Requests of other sites that a cookie goes along with.
    public enum SameSite {
        /// None.
        STRICT,
        /// Those that open a page.
        LAX,
        /// All; the cookie has to be secure.
        NONE
    }

    /// A name of a host; browsers ignore a dot in front of it (RFC 6265, 5.2.3).
    private static final Pattern DOMAIN = Pattern.compile("\\.?[\\w-]+(\\.[\\w-]+)*");

    /// @throws IllegalArgumentException when a part has a forbidden character, a cookie of
    ///     SameSite=None or Partitioned is not secure, `domain` is no name of a host, or a name
    ///     begins with `__Secure-`, `__Host-`, `__Http-` or `__Host-Http-` and the cookie is not
    ///     of that kind
    public Cookie {
        if (!Chars.isToken(name)) {
            throw refused("name", name, "a token");
        }
        if (!isValue(value)) {
            throw refused("value", "of " + name, "printable ASCII without blanks and \",;\\");
        }
        checkAttribute("path", path);
        checkAttribute("domain", domain);
        if (domain != null && !DOMAIN.matcher(domain).matches()) {
            throw refused("domain", Chars.quote(domain), "the name of a host");
        }
        if (path != null && !path.startsWith("/")) {
            throw refused("path", path, "beginning with /");
        }
        if (maxAge != null && maxAge.isNegative()) {
            throw refused("maxAge", maxAge.toString(), ">= 0");
        }
        if (!secure && (sameSite == SameSite.NONE || partitioned)) {
            throw refused("secure", "false", "true with SameSite=None or Partitioned");
        }
        String lower = name.toLowerCase(Locale.ROOT);
        if (lower.startsWith("__secure-") && !secure) {
            throw refused("name", name, "a secure cookie");
        }
        if (lower.startsWith("__host-") && (!secure || domain != null || !"/".equals(path))) {
            throw refused("name", name, "a secure cookie of path / without a domain");
        }
        boolean http = lower.startsWith("__http-") || lower.startsWith("__host-http-");
        if (http && !(secure && httpOnly)) {
            throw refused("name", name, "a secure cookie with HttpOnly");
        }
    }

    /// @throws IllegalArgumentException when name or value has a forbidden character
    public static Cookie of(String name, String value) {
        return new Cookie(name, value, "/", null, null, true, true, SameSite.LAX, false);
    }

    /// A cookie that deletes the one of that name, path `/` and no domain.
    public static Cookie delete(String name) {
        return of(name, "").withMaxAge(Duration.ZERO);
    }

    public Cookie withPath(@Nullable String value) {
        return new Cookie(
                name, this.value, value, domain, maxAge, secure, httpOnly, sameSite, partitioned);
    }

    public Cookie withDomain(String value) {
        return new Cookie(
                name, this.value, path, value, maxAge, secure, httpOnly, sameSite, partitioned);
    }

    /// The same for that long, rounded up to whole seconds, since 0 deletes it.
    public Cookie withMaxAge(Duration age) {
        return new Cookie(name, value, path, domain, age, secure, httpOnly, sameSite, partitioned);
    }

    /// Sends it over plain connections too.
    public Cookie insecure() {
        return new Cookie(
                name, value, path, domain, maxAge, false, httpOnly, sameSite, partitioned);
    }

    /// Lets scripts read it.
    public Cookie forScripts() {
        return new Cookie(name, value, path, domain, maxAge, secure, false, sameSite, partitioned);
    }

    public Cookie withSameSite(SameSite sites) {
        return new Cookie(name, value, path, domain, maxAge, secure, httpOnly, sites, partitioned);
    }

    /// Keeps it apart for each site that embeds this one (CHIPS).
    public Cookie asPartitioned() {
        return new Cookie(name, value, path, domain, maxAge, secure, httpOnly, sameSite, true);
    }

    private static long seconds(Duration age) {
        long whole = age.getSeconds();
        return age.getNano() > 0 && whole < Long.MAX_VALUE ? whole + 1 : whole;
    }

    /// Returns the value of a Set-Cookie field.
    public String toField() {
        StringBuilder field = new StringBuilder(name).append('=').append(value);
        if (path != null) {
            field.append("; Path=").append(path);
        }
        if (domain != null) {
            field.append("; Domain=").append(domain);
        }
        if (maxAge != null) {
            field.append("; Max-Age=").append(seconds(maxAge));
        }
        if (secure) {
            field.append("; Secure");
        }
        if (httpOnly) {
            field.append("; HttpOnly");
        }
        String sites = sameSite.name();
        field.append("; SameSite=").append(sites.charAt(0));
        field.append(sites.substring(1).toLowerCase(Locale.ROOT));
        return partitioned ? field.append("; Partitioned").toString() : field.toString();
    }

    /// Finds the value of a name in Cookie fields (RFC 6265, 4.2), the first if there are several.
    /// Pairs that are malformed are skipped; quotes around a value are not part of it.
    static @Nullable String find(List<String> fields, String name) {
        for (String field : fields) {
            for (String pair : field.split(";", -1)) {
                int equals = pair.indexOf('=');
                if (equals < 0 || !pair.substring(0, equals).strip().equals(name)) {
                    continue;
                }
                String value = pair.substring(equals + 1).strip();
                if (value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"")) {
                    value = value.substring(1, value.length() - 1);
                }
                if (isValue(value)) {
                    return value;
                }
            }
        }
        return null;
    }

    /// RFC 6265, 4.1.1: `*cookie-octet`.
    private static boolean isValue(String value) {
        return value.chars()
                .allMatch(
                        c -> c > 0x20 && c < 0x7F && c != '"' && c != ',' && c != ';' && c != '\\');
    }

    private static void checkAttribute(String what, @Nullable String value) {
        if (value != null && !value.chars().allMatch(c -> c >= 0x20 && c < 0x7F && c != ';')) {
            throw refused(what, Chars.quote(value), "printable ASCII without ;");
        }
    }

    private static IllegalArgumentException refused(String what, String value, String expected) {
        return new IllegalArgumentException(
                "cookie, " + what + ": " + value + " (expected: " + expected + ")");
    }

    /// Without its value, which may be a secret.
    @Override
    public String toString() {
        return name;
    }
}
