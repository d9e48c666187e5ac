package io.weft.resolver.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/// The cache in front of a resolver, in virtual time.
class CachingTest {
    private final ManualExecutor loop = new ManualExecutor(new ManualClock());
    private final ScriptedResolver upstream = new ScriptedResolver();
    private CachingResolver resolver = new CachingResolver(upstream);

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    private Asked ask(String host) {
        return new Asked(resolver, host, loop);
    }

    private int asked() {
        return upstream.asked().size();
    }

    private void keepStale() {
        resolver =
                new CachingResolver(
                        upstream, new NameCache(NameCacheLimits.DEFAULT.stale(Duration.ofDays(1))));
    }

    @Test
    void answerIsKeptForTheShortestTimeThatWasTold() {
        upstream.host("a").finds(seconds(60), "192.0.2.1").finds(seconds(20), "2001:db8::1").ends();
        assertThat(ask("a").told).hasSize(2);
        loop.advance(seconds(19));
        Asked kept = ask("a");
        assertThat(kept.told)
                .containsExactly(
                        "complete INET", "complete INET6", "192.0.2.1 2001:db8:0:0:0:0:0:1");
        assertThat(kept.search.isSuccess()).isTrue();
        assertThat(asked()).isEqualTo(1);
        loop.advance(seconds(1));
        ask("a");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void resolverThatTellsNoTimeIsAskedAgainAfterHalfAMinute() {
        upstream.answers("a", "192.0.2.1");
        ask("a");
        loop.advance(seconds(29));
        ask("a");
        assertThat(asked()).isEqualTo(1);
        loop.advance(seconds(1));
        ask("a");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void answerForOneSearchOnlyIsNotKept() {
        upstream.host("a").finds(Duration.ZERO, "192.0.2.1").ends();
        ask("a");
        ask("a");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void nameWithoutAnAddressIsKept() {
        upstream.host("a").isAbsent(seconds(5));
        assertThat(ask("a").failure()).isEqualTo("absent by script");
        assertThat(ask("a").failure()).isEqualTo("a: no address, as is known");
        assertThat(ask("a").search.cause()).isInstanceOf(UnknownHostException.class);
        assertThat(asked()).isEqualTo(1);
        loop.advance(seconds(5));
        ask("a");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void failureIsNotKept() {
        upstream.host("a").fails(new IOException("no server"));
        ask("a");
        ask("a");
        assertThat(asked()).isEqualTo(2);
        assertThat(resolver.cache().size()).isZero();
    }

    @Test
    void partOfAnAnswerIsNotKept() {
        upstream.host("a").finds("192.0.2.1").fails(new IOException("no AAAA"));
        assertThat(ask("a").addresses()).isEqualTo("192.0.2.1");
        ask("a");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void aliasShortensTheTime() {
        upstream.host("www")
                .alias("www", "edge", seconds(5))
                .finds(seconds(60), "192.0.2.1")
                .ends();
        ask("www");
        loop.advance(seconds(5));
        ask("www");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void aliasLeadsToWhatIsKnownOfItsTarget() {
        upstream.host("www")
                .alias("www", "edge", seconds(500))
                .finds(seconds(5), "192.0.2.1")
                .ends();
        upstream.host("edge").finds(seconds(60), "192.0.2.2").ends();
        ask("www");
        loop.advance(seconds(5));
        ask("edge");
        assertThat(ask("www").addresses()).isEqualTo("192.0.2.2");
        assertThat(upstream.asked()).containsExactly("www", "edge");
    }

    /// A zone may have an alias that points anywhere, and addresses with it.
    @Test
    void targetOfAnAliasIsNotAnsweredFromAnotherSearch() {
        upstream.host("evil")
                .alias("evil", "bank", seconds(500))
                .finds(seconds(500), "192.0.2.66")
                .ends();
        upstream.answers("bank", "192.0.2.1");
        assertThat(ask("evil").addresses()).isEqualTo("192.0.2.66");
        assertThat(ask("bank").addresses()).isEqualTo("192.0.2.1");
    }

    @Test
    void searchGoesOnForTheCacheWhenItsCallerHasEnough() {
        upstream.host("a")
                .finds(seconds(60), "2001:db8::1")
                .at(seconds(1))
                .finds("192.0.2.1")
                .ends();
        ask("a").search.cancel();
        assertThat(upstream.cancelled()).isZero();
        loop.advance(seconds(1));
        assertThat(ask("a").addresses()).isEqualTo("2001:db8:0:0:0:0:0:1 192.0.2.1");
        assertThat(asked()).isEqualTo(1);
    }

    @Test
    void searchWithoutAnAnswerIsGivenUp() {
        upstream.host("a").at(seconds(1)).finds("192.0.2.1").ends();
        ask("a").search.cancel();
        assertThat(upstream.cancelled()).isEqualTo(1);
    }

    @Test
    void addressesThatAreWithdrawnAreNotKept() {
        upstream.host("a").finds("192.0.2.1", "192.0.2.2").removes("192.0.2.1").ends();
        ask("a");
        assertThat(ask("a").addresses()).isEqualTo("192.0.2.2");
    }

    // ---- RFC 8767 ----

    @Test
    void expiredAddressesAreGivenWhenTheResolverFails() {
        keepStale();
        upstream.host("a").finds(seconds(10), "192.0.2.1").ends();
        ask("a");
        loop.advance(seconds(20));
        upstream.host("a").fails(new IOException("no server"));
        Asked stale = ask("a");
        assertThat(stale.addresses()).isEqualTo("192.0.2.1");
        assertThat(stale.search.isSuccess()).isTrue();
    }

    @Test
    void resolverThatFailedIsNotAskedForAWhile() {
        keepStale();
        upstream.host("a").finds(seconds(10), "192.0.2.1").ends();
        ask("a");
        loop.advance(seconds(20));
        upstream.host("a").fails(new IOException("no server"));
        ask("a");
        ask("a");
        loop.advance(seconds(29));
        assertThat(ask("a").addresses()).isEqualTo("192.0.2.1");
        assertThat(asked()).isEqualTo(2);
        loop.advance(seconds(1));
        ask("a");
        assertThat(asked()).isEqualTo(3);
    }

    @Test
    void expiredAddressesAreGivenWhenTheResolverIsSlow() {
        keepStale();
        upstream.host("a").finds(seconds(10), "192.0.2.1").ends();
        ask("a");
        loop.advance(seconds(20));
        upstream.host("a").at(seconds(3)).finds(seconds(10), "192.0.2.2").ends();
        Asked stale = ask("a");
        loop.advance(Duration.ofMillis(1_799));
        assertThat(stale.told).isEmpty();
        loop.advance(Duration.ofMillis(1));
        assertThat(stale.addresses()).isEqualTo("192.0.2.1");
        assertThat(stale.search.isSuccess()).isTrue();
        loop.advance(seconds(2)); // the new answer has come for the cache
        assertThat(stale.told).hasSize(1);
        assertThat(ask("a").addresses()).isEqualTo("192.0.2.2");
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void newAnswerInTimeIsTaken() {
        keepStale();
        upstream.host("a").finds(seconds(10), "192.0.2.1").ends();
        ask("a");
        loop.advance(seconds(20));
        upstream.host("a").at(seconds(1)).finds(seconds(10), "192.0.2.2").ends();
        Asked fresh = ask("a");
        loop.advance(seconds(5));
        assertThat(fresh.addresses()).isEqualTo("192.0.2.2");
    }

    @Test
    void nameThatIsGoneIsBelieved() {
        keepStale();
        upstream.host("a").finds(seconds(10), "192.0.2.1").ends();
        ask("a");
        loop.advance(seconds(20));
        upstream.host("a").isAbsent(seconds(5));
        assertThat(ask("a").failure()).isEqualTo("absent by script");
        assertThat(ask("a").failure()).isEqualTo("a: no address, as is known");
    }

    @Test
    void cancelOfAStaleSearchCancelsTheNewOne() {
        keepStale();
        upstream.host("a").finds(seconds(10), "192.0.2.1").ends();
        ask("a");
        loop.advance(seconds(20));
        upstream.host("a").at(seconds(1)).finds("192.0.2.2").ends();
        ask("a").search.cancel();
        assertThat(upstream.cancelled()).isEqualTo(1);
    }

    @Test
    void cancelOfAStaleSearchIsNoFailureOfTheResolver() {
        keepStale();
        upstream.host("a").finds(seconds(10), "192.0.2.1").ends();
        ask("a");
        loop.advance(seconds(20));
        upstream.host("a").at(seconds(1)).finds(seconds(10), "192.0.2.2").ends();
        ask("a").search.cancel();
        Asked next = ask("a");
        loop.advance(seconds(1));
        assertThat(next.addresses()).isEqualTo("192.0.2.2");
    }

    @Test
    void staleSearchThatFindsNoPlaceIsNoFailureOfTheResolver() {
        NameCacheLimits d = NameCacheLimits.DEFAULT.stale(Duration.ofDays(1));
        NameCacheLimits oneSearch =
                new NameCacheLimits(
                        d.bytes(),
                        d.entries(),
                        d.minTtl(),
                        d.maxTtl(),
                        d.unknownTtl(),
                        d.negativeTtl(),
                        d.stale(),
                        d.staleAnswer(),
                        d.staleRetry(),
                        1,
                        1);
        resolver = new CachingResolver(upstream, new NameCache(oneSearch));
        upstream.host("a").finds(seconds(10), "192.0.2.1").ends();
        ask("a");
        loop.advance(seconds(20));
        upstream.host("b").at(seconds(1)).finds("192.0.2.3").ends();
        ask("b");
        assertThat(ask("a").addresses()).isEqualTo("192.0.2.1"); // the only search is that for b
        loop.advance(seconds(1));
        upstream.host("a").finds(seconds(10), "192.0.2.2").ends();
        assertThat(ask("a").addresses()).isEqualTo("192.0.2.2");
    }

    @Test
    void resolverThatFailedBehindAnAliasIsNotAskedForAWhile() {
        keepStale();
        upstream.host("edge").finds(seconds(10), "192.0.2.1").ends();
        ask("edge");
        resolver.cache().putAlias("www", "edge", seconds(500), loop.clock());
        loop.advance(seconds(20));
        upstream.host("www").fails(new IOException("no server"));
        assertThat(ask("www").addresses()).isEqualTo("192.0.2.1");
        assertThat(asked()).isEqualTo(2);
        loop.advance(seconds(29));
        assertThat(ask("www").addresses()).isEqualTo("192.0.2.1");
        assertThat(asked()).isEqualTo(2);
        loop.advance(seconds(1));
        ask("www");
        assertThat(asked()).isEqualTo(3);
    }

    @Test
    void expiredAddressesAreNotGivenByDefault() {
        upstream.host("a").finds(seconds(10), "192.0.2.1").ends();
        ask("a");
        loop.advance(seconds(20));
        upstream.host("a").fails(new IOException("no server"));
        assertThat(ask("a").failure()).isEqualTo("no server");
    }

    private static final ServiceEndpoint PLACE =
            new ServiceEndpoint("pool.", 443, List.of("h2"), List.of());

    private ServiceBinding binding() {
        return binding(443);
    }

    private ServiceBinding binding(int port) {
        return Objects.requireNonNull(resolver.serviceBinding("a", port, loop).now());
    }

    @Test
    void placesAreKeptForTheTimeThatWasTold() {
        upstream.serves("a", 443, Duration.ZERO, PLACE);
        assertThat(binding().timeToLive()).isEqualTo(Duration.ofMinutes(5));
        upstream.serves("a", 443, Duration.ZERO);
        loop.advance(seconds(299));
        assertThat(binding().endpoints()).containsExactly(PLACE);
        assertThat(binding().timeToLive()).isEqualTo(seconds(1));
        assertThat(resolver.cache().size()).isEqualTo(1);
        loop.advance(seconds(1));
        assertThat(binding().endpoints()).isEmpty();
    }

    @Test
    void placesAreNoAddresses() {
        upstream.serves("a", 443, Duration.ZERO, PLACE).answers("a", "192.0.2.1");
        binding();
        assertThat(ask("a").addresses()).isEqualTo("192.0.2.1");
        assertThat(binding(80).isEmpty()).isTrue();
        resolver.cache().remove("a");
        assertThat(resolver.cache().size()).isZero();
        assertThat(resolver.cache().bytes()).isZero();
    }

    @Test
    void missingPlacesAreKeptForAsLongAsMissingAddresses() {
        upstream.serves("a", 443, Duration.ZERO);
        assertThat(binding().isEmpty()).isTrue();
        upstream.serves("a", 443, Duration.ZERO, PLACE);
        loop.advance(seconds(9));
        assertThat(binding().isEmpty()).isTrue();
        loop.advance(seconds(1));
        assertThat(binding().endpoints()).containsExactly(PLACE);
    }
}
