package io.weft.http.client;

import io.weft.http.model.RequestTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A cookie in a [CookieJar]. Guarded by the jar.
final class StoredCookie {
    final String name;
    final String domain;
    final boolean hostOnly;
    final String path;
    final boolean secure;
    final String text;
    final @Nullable Instant expires;
    final long created;
    long used;

    StoredCookie(SetCookie set, String domain, boolean hostOnly, String path, long created) {
        this.name = set.name();
        this.domain = domain;
        this.hostOnly = hostOnly;
        this.path = path;
        this.secure = set.secure();
        this.text = set.name().isEmpty() ? set.value() : set.name() + "=" + set.value();
        this.expires = set.expires();
        this.created = created;
        this.used = created;
    }

    /// Tells if `other` is the same cookie with another value (RFC 6265bis, 5.7).
    boolean isReplacedBy(StoredCookie other) {
        return name.equals(other.name)
                && domain.equals(other.domain)
                && hostOnly == other.hostOnly
                && path.equals(other.path);
    }

    boolean isExpired(Instant now) {
        return expires != null && !expires.isAfter(now);
    }

    /// Tells if it goes with a request.
    boolean matches(Origin origin, String requestPath) {
        return (hostOnly ? origin.name().equals(domain) : domainMatches(origin.name(), domain))
                && pathMatches(requestPath, path)
                && (!secure || origin.secure());
    }

    /// RFC 6265, 5.1.3. An address has no parts.
    static boolean domainMatches(String host, String domain) {
        return host.equals(domain)
                || (host.endsWith("." + domain) && !isAddress(host) && !domain.isEmpty());
    }

    static boolean isAddress(String host) {
        return host.indexOf(':') >= 0
                || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }

    /// RFC 6265, 5.1.4.
    static boolean pathMatches(String of, String path) {
        return of.startsWith(path)
                && (of.length() == path.length()
                        || path.endsWith("/")
                        || of.charAt(path.length()) == '/');
    }

    /// RFC 6265, 5.1.4: up to the last slash.
    static String defaultPath(RequestTarget target) {
        String path = path(target);
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    static String path(RequestTarget target) {
        String path = target.path();
        return path.startsWith("/") ? path : "/";
    }
}
