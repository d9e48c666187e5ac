package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.loop.ManualClock;
import io.weft.resolver.names.NameCache.Absent;
import io.weft.resolver.names.NameCache.Addresses;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NameCacheTest {
    private static final NameCacheLimits LIMITS = NameCacheLimits.DEFAULT;

    private final ManualClock clock = new ManualClock(Long.MAX_VALUE - 5_000_000_000L); // it wraps
    private NameCache cache = new NameCache(LIMITS);

    private static List<ResolvedAddress> addresses(String... literals) {
        return Searches.at(
                80, java.util.Arrays.stream(literals).map(InetAddress::ofLiteral).toList());
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    private void put(String name, String address, long ttl) {
        cache.put(name, 80, addresses(address), seconds(ttl), clock);
    }

    private void pass(long seconds) {
        clock.advance(seconds(seconds).toNanos());
    }

    private @Nullable Object get(String name) {
        return cache.get(name, 80, clock);
    }

    @Test
    void addressesLiveForTheirTime() {
        put("a", "192.0.2.1", 10);
        pass(4);
        assertThat(get("a")).isEqualTo(new Addresses(addresses("192.0.2.1"), seconds(6), false));
        pass(5);
        assertThat(get("a")).isNotNull();
        pass(1);
        assertThat(get("a")).isNull();
    }

    @Test
    void portsHaveAddressesOfTheirOwn() {
        put("a", "192.0.2.1", 10);
        assertThat(cache.get("a", 81, clock)).isNull();
    }

    @Test
    void namesWithoutAnAddressLiveForAShortTime() {
        cache.putAbsent("a", 80, seconds(3_600), clock);
        assertThat(get("a")).isEqualTo(new Absent(seconds(10)));
        cache.putAbsent("b", 80, seconds(3), clock);
        pass(3);
        assertThat(get("b")).isNull();
    }

    @Test
    void newAnswerTakesThePlaceOfTheOldOne() {
        cache.putAbsent("a", 80, seconds(10), clock);
        put("a", "192.0.2.1", 10);
        assertThat(get("a")).isInstanceOf(Addresses.class);
        put("a", "192.0.2.2", 20);
        assertThat(get("a")).isEqualTo(new Addresses(addresses("192.0.2.2"), seconds(20), false));
        assertThat(cache.size()).isEqualTo(1);
    }

    @Test
    void answerThatIsNotKeptRefutesWhatWasKnown() {
        cache = new NameCache(LIMITS.stale(Duration.ofDays(1)));
        put("a", "192.0.2.1", 10);
        pass(11);
        assertThat(get("a")).isNotNull(); // stale
        put("a", "192.0.2.2", 0);
        assertThat(get("a")).isNull();
        put("a", "192.0.2.1", 10);
        cache.putAbsent("a", 80, Duration.ZERO, clock);
        assertThat(get("a")).isNull();
        cache.putAlias("a", "b", seconds(10), clock);
        cache.putAlias("a", "c", Duration.ZERO, clock);
        assertThat(cache.size()).isZero();
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void timesToLiveAreBounded() {
        cache = new NameCache(LIMITS.ttl(seconds(5), seconds(60), seconds(1)));
        put("short", "192.0.2.1", 1);
        put("long", "192.0.2.2", 100_000);
        put("never", "192.0.2.3", 0);
        pass(4);
        assertThat(get("short")).isNotNull();
        pass(55);
        assertThat(get("long")).isNotNull();
        pass(1);
        assertThat(get("long")).isNull();
        assertThat(get("never")).isNull();
    }

    @Test
    void aliasesAreFollowed() {
        cache.putAlias("www", "edge", seconds(100), clock);
        cache.putAlias("edge", "server", seconds(5), clock);
        assertThat(get("www")).isNull();
        put("server", "192.0.2.1", 50);
        assertThat(get("www")).isEqualTo(new Addresses(addresses("192.0.2.1"), seconds(50), false));
        pass(5);
        assertThat(get("www")).isNull();
        assertThat(get("server")).isNotNull();
    }

    @Test
    void aliasesInACircleEnd() {
        cache.putAlias("a", "b", seconds(100), clock);
        cache.putAlias("b", "a", seconds(100), clock);
        cache.putAlias("c", "c", seconds(100), clock);
        assertThat(get("a")).isNull();
        assertThat(get("c")).isNull();
    }

    @Test
    void aliasesAreFollowedSixteenTimes() {
        for (int i = 0; i < 20; i++) {
            cache.putAlias("n" + i, "n" + (i + 1), seconds(100), clock);
        }
        put("n20", "192.0.2.1", 10);
        assertThat(get("n4")).isNotNull();
        assertThat(get("n3")).isNull();
    }

    @Test
    void entriesOfAnotherClockAreNotSeen() {
        put("a", "192.0.2.1", 10);
        assertThat(cache.get("a", 80, new ManualClock(clock.nanoTime()))).isNull();
    }

    @Test
    void staleAddressesAreToldApart() {
        cache = new NameCache(LIMITS.stale(seconds(100)));
        put("a", "192.0.2.1", 10);
        pass(10);
        assertThat(get("a")).isEqualTo(new Addresses(addresses("192.0.2.1"), Duration.ZERO, true));
        pass(99);
        assertThat(get("a")).isNotNull();
        pass(1);
        assertThat(get("a")).isNull();
    }

    @Test
    void entriesAreBounded() {
        cache = new NameCache(LIMITS.size(1 << 20, 3));
        put("a", "192.0.2.1", 10);
        put("b", "192.0.2.1", 10);
        put("c", "192.0.2.1", 10);
        assertThat(get("a")).isNotNull(); // used, so b goes
        put("d", "192.0.2.1", 10);
        assertThat(cache.size()).isEqualTo(3);
        assertThat(get("b")).isNull();
        assertThat(get("a")).isNotNull();
    }

    @Test
    void bytesAreBounded() {
        cache = new NameCache(LIMITS.size(10_000, 1 << 20));
        for (int i = 0; i < 1_000; i++) {
            put("name" + i, "192.0.2.1", 10);
            assertThat(cache.bytes()).isLessThanOrEqualTo(10_000);
        }
        assertThat(cache.size()).isGreaterThan(10);
        assertThat(get("name999")).isNotNull();
        assertThat(get("name0")).isNull();
    }

    @Test
    void answerThatIsLargerThanTheCacheIsNotKept() {
        cache = new NameCache(LIMITS.size(1_000, 100));
        put("small", "192.0.2.1", 10);
        cache.put("large".repeat(200), 80, addresses("192.0.2.1"), seconds(10), clock);
        assertThat(cache.size()).isEqualTo(1);
        String[] many = Collections.nCopies(10, "192.0.2.1").toArray(new String[0]);
        cache.put("small", 80, addresses(many), seconds(10), clock);
        assertThat(get("small")).isNull(); // what was known is refuted
    }

    @Test
    void namesAreForgotten() {
        put("a", "192.0.2.1", 10);
        cache.put("a", 81, addresses("192.0.2.1"), seconds(10), clock);
        cache.putAlias("a", "b", seconds(10), clock);
        put("b", "192.0.2.2", 10);
        cache.remove("a");
        assertThat(get("a")).isNull();
        assertThat(get("b")).isNotNull();
        cache.clear();
        assertThat(cache.size()).isZero();
        assertThat(cache.bytes()).isZero();
    }

    /// Against a plain map: what is found is what was put in last, and never expired.
    @Test
    void randomUseAgreesWithAMap() {
        Random random = new Random(Long.getLong("io.weft.test.seed", 1));
        cache = new NameCache(LIMITS.size(8_000, 20));
        Map<String, List<ResolvedAddress>> model = new HashMap<>();
        Map<String, Long> expires = new HashMap<>();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            names.add("name" + i);
        }
        long now = 0;
        for (int i = 0; i < 20_000; i++) {
            String name = names.get(random.nextInt(names.size()));
            switch (random.nextInt(5)) {
                case 0 -> {
                    int ttl = 1 + random.nextInt(20);
                    List<ResolvedAddress> of = addresses("10.0.0." + random.nextInt(250));
                    cache.put(name, 80, of, seconds(ttl), clock);
                    model.put(name, of);
                    expires.put(name, now + ttl);
                }
                case 1 -> {
                    now++;
                    pass(1);
                }
                case 2 -> {
                    if (random.nextInt(20) == 0) {
                        cache.remove(name);
                        model.remove(name);
                    }
                }
                default -> {
                    if (get(name) instanceof Addresses found) {
                        assertThat(found.addresses()).isEqualTo(model.get(name));
                        assertThat(found.timeToLive())
                                .isEqualTo(seconds(Objects.requireNonNull(expires.get(name)) - now))
                                .isPositive();
                    }
                }
            }
            assertThat(cache.size()).isLessThanOrEqualTo(20);
            assertThat(cache.bytes()).isBetween(0L, 8_000L);
        }
    }

    @Test
    void limitsAreChecked() {
        assertThatThrownBy(() -> LIMITS.size(0, 1)).hasMessage("bytes: 0 (expected: >= 1)");
        assertThatThrownBy(() -> LIMITS.stale(seconds(-1)))
                .hasMessage("stale: PT-1S (expected: PT0S..PT168H)");
        assertThatThrownBy(() -> LIMITS.ttl(seconds(2), seconds(1), seconds(1)))
                .hasMessage("minTtl: PT2S (expected: at most maxTtl, PT1S)");
        assertThatThrownBy(() -> LIMITS.searches(1, 0)).hasMessage("waiting: 0 (expected: >= 1)");
    }
}
