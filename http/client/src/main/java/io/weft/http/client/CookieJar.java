package io.weft.http.client;

import io.weft.http.client.cookies.CookieIndex;
import io.weft.http.client.cookies.SetCookie;
import io.weft.http.client.cookies.StoredCookie;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.RequestTarget;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The cookies that servers have set, for the requests that they belong to (RFC 6265bis, 5): by
/// host or domain, path and scheme, until they expire.
///
/// ```java
/// HttpClient client = HttpClient.builder().cookies(CookieJar.create()).build();
/// ```
///
/// Refused are cookies for a domain that the host is not in, that have an attribute Secure, or
/// would hide a cookie that has it, and come without TLS, that have `SameSite=None` or Partitioned
/// without Secure, and those whose name begins with `__Secure-`, `__Host-`, `__Http-` or
/// `__Host-Http-` without what that promises. A Domain that ends with a dot is ignored: the cookie
/// is for its host alone. No cookie lives longer than 400 days. A client is one site for itself:
/// SameSite does not hold its own requests back, and Partitioned needs no key.
///
/// A server of `example.com` may set cookies for `com`, unless the jar knows public suffixes.
///
/// Kept are 180 cookies of a domain and 3,000 in all, of 4,096 bytes each: beyond, expired ones go
/// first, then those that were used least recently. A request gets 16 KiB of them, longest paths
/// first. Any thread may use it; clients may share it.
public final class CookieJar {
    static final int MAX_OF_DOMAIN = 180;
    static final int MAX_COOKIES = 3000;
    static final int MAX_FIELD = 16 << 10;

    /// RFC 6265, 5.4: longer paths first, then older ones.
    private static final Comparator<StoredCookie> ORDER =
            Comparator.comparingInt((StoredCookie c) -> -c.path.length())
                    .thenComparingLong(c -> c.created);

    private final Predicate<String> publicSuffix;
    private final InstantSource clock;

    // Guarded by this object:
    private final CookieIndex cookies = new CookieIndex();
    private long ticks;

    CookieJar(Predicate<String> publicSuffix, InstantSource clock) {
        this.publicSuffix = publicSuffix;
        this.clock = clock;
    }

    /// An empty jar that knows no public suffixes but names without a dot.
    public static CookieJar create() {
        return create(domain -> domain.indexOf('.') < 0);
    }

    /// An empty jar.
    ///
    /// @param publicSuffix tells if anybody may register names below a domain (`com`, `co.uk`), for
    ///     which no cookie is taken; called with names in lower case
    public static CookieJar create(Predicate<String> publicSuffix) {
        return new CookieJar(publicSuffix, InstantSource.system());
    }

    /// Takes the cookies of a response.
    ///
    /// @param target of the request, in absolute form
    /// @throws IllegalArgumentException for another form
    public void store(RequestTarget target, Headers response) {
        store(Origin.of(target), target, response);
    }

    /// @param target of the request, which need not name the origin
    void store(Origin origin, RequestTarget target, Headers response) {
        if (!response.contains(HeaderName.SET_COOKIE)) {
            return;
        }
        Instant now = clock.instant();
        for (String field : response.all(HeaderName.SET_COOKIE)) {
            SetCookie set = SetCookie.parse(field, now);
            if (set != null) {
                store(set, origin, target, now);
            }
        }
    }

    /// RFC 6265bis, 5.7.
    private synchronized void store(
            SetCookie set, Origin origin, RequestTarget target, Instant now) {
        String host = origin.name();
        String domain = set.domain();
        if (!domain.isEmpty() && publicSuffix.test(domain)) {
            if (!domain.equals(host)) {
                return;
            }
            domain = "";
        }
        if (!domain.isEmpty() && !StoredCookie.domainMatches(host, domain)) {
            return;
        }
        String path = set.path() == null ? StoredCookie.defaultPath(target) : set.path();
        StoredCookie cookie =
                new StoredCookie(
                        set, domain.isEmpty() ? host : domain, domain.isEmpty(), path, ticks++);
        if (!origin.secure() && (set.secure() || cookies.hidesSecure(cookie))) {
            return;
        }
        StoredCookie before = cookies.replacedBy(cookie);
        if (before != null) {
            cookies.remove(before);
            cookie = new StoredCookie(set, cookie.domain, cookie.hostOnly, path, before.created);
            cookie.used = ticks++;
        }
        if (!cookie.isExpired(now)) {
            makeRoom(cookie.domain, now);
            cookies.add(cookie);
        }
    }

    private void makeRoom(String domain, Instant now) {
        if (cookies.size() < MAX_OF_DOMAIN) {
            return;
        }
        cookies.removeExpired(now);
        if (cookies.size(domain) >= MAX_OF_DOMAIN) {
            cookies.removeLeastRecent(domain);
        } else if (cookies.size() >= MAX_COOKIES) {
            cookies.removeLeastRecent();
        }
    }

    /// Returns the value of Cookie for a request; null if there are none.
    ///
    /// @param target of the request, in absolute form
    /// @throws IllegalArgumentException for another form
    public @Nullable String field(RequestTarget target) {
        return field(Origin.of(target), StoredCookie.path(target));
    }

    synchronized @Nullable String field(Origin origin, String path) {
        if (cookies.size() == 0) {
            return null;
        }
        cookies.removeExpired(clock.instant());
        List<StoredCookie> matching = cookies.matching(origin.secure(), origin.name(), path);
        matching.sort(ORDER);
        StringBuilder field = new StringBuilder();
        for (StoredCookie cookie : matching) {
            if (field.length() + 2 + cookie.text.length() <= MAX_FIELD) {
                field.append(field.isEmpty() ? "" : "; ").append(cookie.text);
                cookies.used(cookie, ticks++);
            }
        }
        return field.isEmpty() ? null : field.toString();
    }

    /// Returns the number of cookies.
    public synchronized int size() {
        return cookies.size();
    }

    /// Forgets all cookies.
    public synchronized void clear() {
        cookies.clear();
    }

    /// Ends the session: forgets cookies without an end of their own.
    public synchronized void endSession() {
        cookies.removeSession();
    }

    /// Without values, which are secrets.
    @Override
    public synchronized String toString() {
        return "CookieJar[" + cookies.size() + "]";
    }
}
