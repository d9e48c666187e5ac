package io.weft.http.client.cookies;

import io.weft.http.model.RequestTarget;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/// A cookie in a jar, and guarded by it.
public final class StoredCookie {
    public final String name;
    public final String domain;
    public final boolean hostOnly;
    public final String path;
    public final boolean secure;
    public final String text;
    public final @Nullable Instant expires;
    public final long created;
    public long used;

    public StoredCookie(SetCookie set, String domain, boolean hostOnly, String path, long created) {
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

    public boolean isExpired(Instant now) {
        return expires != null && !expires.isAfter(now);
    }

    /// Tells if it goes with a request.
    public boolean matches(boolean overTls, String host, String requestPath) {
        return (hostOnly ? host.equals(domain) : domainMatches(host, domain))
                && pathMatches(requestPath, path)
                && (!secure || overTls);
    }

    /// RFC 6265, 5.1.3. An address has no parts.
    public static boolean domainMatches(String host, String domain) {
        return host.equals(domain)
                || (host.endsWith("." + domain) && !isAddress(host) && !domain.isEmpty());
    }

    static boolean isAddress(String host) {
        return host.indexOf(':') >= 0
                || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
    }

    /// RFC 6265, 5.1.4.
    public static boolean pathMatches(String of, String path) {
        return of.startsWith(path)
                && (of.length() == path.length()
                        || path.endsWith("/")
                        || of.charAt(path.length()) == '/');
    }

    /// RFC 6265, 5.1.4: up to the last slash.
    public static String defaultPath(RequestTarget target) {
        String path = path(target);
        int slash = path.lastIndexOf('/');
        return slash <= 0 ? "/" : path.substring(0, slash);
    }

    public static String path(RequestTarget target) {
        String path = target.path();
        return path.startsWith("/") ? path : "/";
    }
}
