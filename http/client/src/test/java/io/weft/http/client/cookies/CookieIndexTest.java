package io.weft.http.client.cookies;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CookieIndexTest {
    private static final List<String> HOSTS =
            List.of("com", "a.com", "b.a.com", "ba.com", "1.2.3.4", "3.4");
    private static final List<String> PATHS = List.of("/", "/x", "/x/y");

    private final Random random = new Random(Long.getLong("io.weft.test.seed", 1));
    private final CookieIndex index = new CookieIndex();

    /// The same cookies in a list.
    private final List<StoredCookie> plain = new ArrayList<>();

    private long ticks;

    private <T> T any(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    private StoredCookie cookie() {
        Instant end = random.nextBoolean() ? null : Instant.ofEpochSecond(random.nextInt(100));
        var set =
                new SetCookie(
                        any(List.of("n", "m")),
                        "v",
                        end,
                        "",
                        null,
                        random.nextBoolean(),
                        false,
                        false,
                        false);
        return new StoredCookie(set, any(HOSTS), random.nextBoolean(), any(PATHS), ticks++);
    }

    private @Nullable StoredCookie like(StoredCookie cookie) {
        for (StoredCookie there : plain) {
            if (there.name.equals(cookie.name)
                    && there.domain.equals(cookie.domain)
                    && there.hostOnly == cookie.hostOnly
                    && there.path.equals(cookie.path)) {
                return there;
            }
        }
        return null;
    }

    private void add() {
        StoredCookie cookie = cookie();
        StoredCookie before = like(cookie);
        assertThat(index.replacedBy(cookie)).isSameAs(before);
        if (before != null) {
            index.remove(before);
            plain.remove(before);
        }
        index.add(cookie);
        plain.add(cookie);
    }

    private boolean hidesSecure(StoredCookie cookie) {
        return plain.stream()
                .anyMatch(
                        c ->
                                c.secure
                                        && c.name.equals(cookie.name)
                                        && (StoredCookie.domainMatches(c.domain, cookie.domain)
                                                || StoredCookie.domainMatches(
                                                        cookie.domain, c.domain))
                                        && StoredCookie.pathMatches(cookie.path, c.path));
    }

    private void removeOldest(List<StoredCookie> among) {
        among.stream().min(Comparator.comparingLong(c -> c.used)).ifPresent(plain::remove);
    }

    private void change() {
        String host = any(HOSTS);
        switch (random.nextInt(16)) {
            case 0 -> {
                Instant now = Instant.ofEpochSecond(random.nextInt(40));
                index.removeExpired(now);
                plain.removeIf(c -> c.isExpired(now));
            }
            case 1 -> {
                index.removeLeastRecent(host);
                removeOldest(plain.stream().filter(c -> c.domain.equals(host)).toList());
            }
            case 2 -> {
                if (!plain.isEmpty()) {
                    index.removeLeastRecent();
                    removeOldest(List.copyOf(plain));
                }
            }
            case 3 -> {
                if (random.nextInt(20) == 0) {
                    index.removeSession();
                    plain.removeIf(c -> c.expires == null);
                }
            }
            case 4 -> {
                if (!plain.isEmpty()) {
                    index.used(any(plain), ticks++);
                }
            }
            default -> add();
        }
    }

    @Test
    void holdsWhatAListWouldHold() {
        for (int i = 0; i < 20_000; i++) {
            change();
            String host = any(HOSTS);
            String path = any(PATHS);
            boolean tls = random.nextBoolean();
            assertThat(index.matching(tls, host, path))
                    .containsExactlyInAnyOrderElementsOf(
                            plain.stream().filter(c -> c.matches(tls, host, path)).toList());
            StoredCookie other = cookie();
            assertThat(index.hidesSecure(other)).isEqualTo(hidesSecure(other));
            assertThat(index.size()).isEqualTo(plain.size());
            assertThat(index.size(host))
                    .isEqualTo((int) plain.stream().filter(c -> c.domain.equals(host)).count());
        }
    }

    @Test
    void isEmptyOnceCleared() {
        StoredCookie cookie = cookie();
        index.add(cookie);
        index.clear();
        assertThat(index.size()).isZero();
        assertThat(index.replacedBy(cookie)).isNull();
        assertThat(index.matching(true, cookie.domain, "/x/y")).isEmpty();
    }
}
