package io.weft.http.client.cookies;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// The cookies of a jar, found without looking at those of other domains: by domain, by the time of
/// their end, by their last use, and by name those with the attribute Secure. Guarded by the jar.
public final class CookieIndex {
    /// Ticks of creation are unique among cookies that are here.
    private static final Comparator<StoredCookie> BY_END =
            Comparator.comparing((StoredCookie c) -> Objects.requireNonNull(c.expires))
                    .thenComparingLong(c -> c.created);

    /// The identity of a cookie within its domain (RFC 6265bis, 5.7).
    private record Key(String name, boolean hostOnly, String path) {
        static Key of(StoredCookie cookie) {
            return new Key(cookie.name, cookie.hostOnly, cookie.path);
        }
    }

    private final Map<String, Map<Key, StoredCookie>> byDomain = new HashMap<>();
    private final Map<String, Set<StoredCookie>> secureByName = new HashMap<>();
    private final TreeSet<StoredCookie> byEnd = new TreeSet<>(BY_END);

    /// Ticks of uses are unique.
    private final TreeMap<Long, StoredCookie> byUse = new TreeMap<>();

    /// Adds a cookie that replaces none.
    public void add(StoredCookie cookie) {
        byDomain.computeIfAbsent(cookie.domain, _ -> new HashMap<>()).put(Key.of(cookie), cookie);
        byUse.put(cookie.used, cookie);
        if (cookie.expires != null) {
            byEnd.add(cookie);
        }
        if (cookie.secure) {
            secureByName.computeIfAbsent(cookie.name, _ -> new HashSet<>()).add(cookie);
        }
    }

    /// Removes a cookie that is here.
    public void remove(StoredCookie cookie) {
        Map<Key, StoredCookie> same = of(cookie.domain);
        same.remove(Key.of(cookie));
        if (same.isEmpty()) {
            byDomain.remove(cookie.domain);
        }
        byUse.remove(cookie.used);
        if (cookie.expires != null) {
            byEnd.remove(cookie);
        }
        Set<StoredCookie> secure = secureByName.get(cookie.name);
        if (cookie.secure && secure != null) {
            secure.remove(cookie);
            if (secure.isEmpty()) {
                secureByName.remove(cookie.name);
            }
        }
    }

    /// Returns the cookie that another one replaces; null if there is none.
    public @Nullable StoredCookie replacedBy(StoredCookie cookie) {
        return of(cookie.domain).get(Key.of(cookie));
    }

    /// Notes that a cookie was sent.
    public void used(StoredCookie cookie, long tick) {
        byUse.remove(cookie.used);
        cookie.used = tick;
        byUse.put(tick, cookie);
    }

    /// Tells if a cookie would hide one that has the attribute Secure (RFC 6265bis, 5.7).
    public boolean hidesSecure(StoredCookie cookie) {
        for (StoredCookie there : secureByName.getOrDefault(cookie.name, Set.of())) {
            if ((StoredCookie.domainMatches(there.domain, cookie.domain)
                            || StoredCookie.domainMatches(cookie.domain, there.domain))
                    && StoredCookie.pathMatches(cookie.path, there.path)) {
                return true;
            }
        }
        return false;
    }

    /// Returns the cookies that go with a request, in no order.
    public List<StoredCookie> matching(boolean overTls, String host, String path) {
        List<StoredCookie> matching = new ArrayList<>();
        String domain = host;
        while (!domain.isEmpty()) {
            for (StoredCookie cookie : of(domain).values()) {
                if (cookie.matches(overTls, host, path)) {
                    matching.add(cookie);
                }
            }
            int dot = domain.indexOf('.');
            domain = dot < 0 ? "" : domain.substring(dot + 1);
        }
        return matching;
    }

    /// Removes cookies whose end has come.
    public void removeExpired(Instant now) {
        while (!byEnd.isEmpty() && byEnd.getFirst().isExpired(now)) {
            remove(byEnd.getFirst());
        }
    }

    /// Removes cookies without an end of their own.
    public void removeSession() {
        List.copyOf(byUse.values()).stream().filter(c -> c.expires == null).forEach(this::remove);
    }

    /// Removes the cookie that was used least recently.
    public void removeLeastRecent() {
        remove(byUse.firstEntry().getValue());
    }

    /// Removes the cookie of a domain that was used least recently.
    public void removeLeastRecent(String domain) {
        of(domain).values().stream()
                .min(Comparator.comparingLong(c -> c.used))
                .ifPresent(this::remove);
    }

    /// Returns the number of cookies of a domain.
    public int size(String domain) {
        return of(domain).size();
    }

    public int size() {
        return byUse.size();
    }

    /// Removes all cookies.
    public void clear() {
        byDomain.clear();
        secureByName.clear();
        byEnd.clear();
        byUse.clear();
    }

    private Map<Key, StoredCookie> of(String domain) {
        Map<Key, StoredCookie> cookies = byDomain.get(domain);
        return cookies == null ? Map.of() : cookies;
    }
}
