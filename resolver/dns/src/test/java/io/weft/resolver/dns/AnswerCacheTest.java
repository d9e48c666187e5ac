package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.name;
import static io.weft.resolver.dns.SimWorld.zone;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.loop.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Answers that a resolver keeps, and gives as expired ones (RFC 2308, RFC 8767), in virtual time.
class AnswerCacheTest {
    private static final DnsCacheLimits STALE = DnsCacheLimits.DEFAULT.stale(Duration.ofDays(1));

    private final SimWorld world = new SimWorld();
    private List<String> zone = new ArrayList<>();
    private @Nullable ResponseCode failing;
    private boolean silent;
    private Duration slow = Duration.ZERO;
    private final SimServer server =
            new SimServer(
                    world.sim,
                    world.host("server"),
                    (query, _, reply) -> {
                        if (silent) {
                            return;
                        }
                        DnsMessage response = response(query);
                        if (slow.isZero()) {
                            reply.message(response);
                        } else {
                            world.client
                                    .loops()
                                    .getFirst()
                                    .schedule(
                                            () -> reply.message(response),
                                            slow.toMillis(),
                                            java.util.concurrent.TimeUnit.MILLISECONDS);
                        }
                    },
                    query -> List.of(response(query)));

    private DnsMessage response(DnsMessage query) {
        ResponseCode code = failing;
        return code == null
                ? zone(query, zone.toArray(String[]::new))
                : query.response(code, List.of());
    }

    @AfterEach
    void close() {
        world.close();
    }

    private DnsResolver resolver(DnsCacheLimits limits) {
        return world.builder().servers(server.server()).cache(limits).build();
    }

    private DnsAnswer ask(DnsResolver resolver, String host, RecordType type) {
        return world.await(resolver.resolve(name(host), type));
    }

    private static String lines(DnsAnswer answer) {
        return String.join(", ", answer.records().stream().map(DnsRecord::text).toList());
    }

    private void pass(Duration time) {
        world.sim.run(time);
    }

    private static Duration seconds(long seconds) {
        return Duration.ofSeconds(seconds);
    }

    private int asked() {
        return server.udp.size();
    }

    // ---- what is kept ----

    @Test
    void nothingIsKeptUnlessWanted() {
        zone.add("a.example.com. 60 A 192.0.2.1");
        DnsResolver resolver = world.resolver(server);
        ask(resolver, "a.example.com.", RecordType.A);
        ask(resolver, "a.example.com.", RecordType.A);
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void answerIsKeptForItsTimeToLiveWhichPasses() {
        zone.add("a.example.com. 60 A 192.0.2.1");
        DnsResolver resolver = resolver(DnsCacheLimits.DEFAULT);
        assertThat(lines(ask(resolver, "a.example.com.", RecordType.A)))
                .isEqualTo("a.example.com. 60 IN A 192.0.2.1");
        pass(seconds(20));
        DnsAnswer kept = ask(resolver, "A.example.com.", RecordType.A);
        assertThat(lines(kept)).isEqualTo("A.example.com. 40 IN A 192.0.2.1");
        assertThat(kept.ttl()).isEqualTo(40);
        assertThat(asked()).isEqualTo(1);
        assertThat(resolver.counters()).containsEntry(DnsCounter.CACHED, 1L);
        pass(seconds(40));
        ask(resolver, "a.example.com.", RecordType.A);
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void timeToLiveOfZeroIsNotKept() {
        zone.add("a.example.com. 0 A 192.0.2.1");
        DnsResolver resolver = resolver(STALE);
        ask(resolver, "a.example.com.", RecordType.A);
        ask(resolver, "a.example.com.", RecordType.A);
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void nameThatDoesNotExistDoesNotForAllTypes() {
        DnsResolver resolver = resolver(DnsCacheLimits.DEFAULT);
        assertThat(ask(resolver, "no.example.com.", RecordType.A).ttl()).isEqualTo(300);
        assertThat(ask(resolver, "no.example.com.", RecordType.MX))
                .isInstanceOf(DnsAnswer.NoName.class);
        assertThat(asked()).isEqualTo(1);
        pass(seconds(300));
        ask(resolver, "no.example.com.", RecordType.MX);
        assertThat(asked()).isEqualTo(2);
    }

    @Test
    void missingTypeIsKeptByItself() {
        zone.add("a.example.com. 60 A 192.0.2.1");
        DnsResolver resolver = resolver(DnsCacheLimits.DEFAULT);
        ask(resolver, "a.example.com.", RecordType.MX);
        assertThat(ask(resolver, "a.example.com.", RecordType.MX))
                .isInstanceOf(DnsAnswer.NoData.class);
        assertThat(asked()).isEqualTo(1);
        assertThat(ask(resolver, "a.example.com.", RecordType.A))
                .isInstanceOf(DnsAnswer.Found.class);
    }

    @Test
    void aliasServesOtherTypes() {
        zone.addAll(
                List.of(
                        "a.example.com. 60 CNAME b.example.com.",
                        "b.example.com. 600 A 192.0.2.1",
                        "b.example.com. 600 AAAA 2001:db8::1"));
        DnsResolver resolver = resolver(DnsCacheLimits.DEFAULT);
        ask(resolver, "a.example.com.", RecordType.A);
        assertThat(asked()).as("a and b").isEqualTo(2);
        DnsAnswer other = ask(resolver, "a.example.com.", RecordType.AAAA);
        assertThat(other.aliases()).hasSize(1);
        assertThat(other.canonicalName()).isEqualTo(name("b.example.com."));
        assertThat(asked()).as("b only").isEqualTo(3);
        assertThat(ask(resolver, "a.example.com.", RecordType.CNAME).records()).hasSize(1);
        assertThat(asked()).isEqualTo(3);
        pass(seconds(60));
        ask(resolver, "a.example.com.", RecordType.A);
        assertThat(asked()).as("the alias anew").isEqualTo(4);
    }

    @Test
    void recordsOfOtherNamesInAResponseAreNotKept() {
        SimServer generous =
                SimServer.of(
                        world.sim,
                        world.host("generous"),
                        query ->
                                SimWorld.answer(
                                        query,
                                        query.questions().getFirst().name() + " 60 A 192.0.2.1",
                                        "bank.example.com. 60 A 192.0.2.66"));
        DnsResolver resolver =
                world.builder().servers(generous.server()).cache(DnsCacheLimits.DEFAULT).build();
        ask(resolver, "a.example.com.", RecordType.A);
        ask(resolver, "bank.example.com.", RecordType.A);
        assertThat(generous.udp).hasSize(2);
    }

    @Test
    void targetOfAnAliasIsAskedForByItself() {
        SimServer generous =
                SimServer.of(
                        world.sim,
                        world.host("generous"),
                        query ->
                                SimWorld.answer(
                                        query,
                                        "a.example.com. 60 CNAME bank.example.com.",
                                        "bank.example.com. 60 A 192.0.2.66"));
        DnsResolver resolver =
                world.builder().servers(generous.server()).cache(DnsCacheLimits.DEFAULT).build();
        assertThat(lines(ask(resolver, "a.example.com.", RecordType.A))).contains("192.0.2.66");
        ask(resolver, "bank.example.com.", RecordType.A);
        assertThat(generous.udp).as("nothing is kept under the target").hasSize(2);
    }

    @Test
    void entriesAreBounded() {
        for (int i = 0; i < 4; i++) {
            zone.add("n" + i + ".example.com. 60 A 192.0.2.1");
        }
        DnsResolver resolver = resolver(DnsCacheLimits.DEFAULT.size(1 << 20, 2));
        ask(resolver, "n0.example.com.", RecordType.A);
        ask(resolver, "n1.example.com.", RecordType.A);
        ask(resolver, "n0.example.com.", RecordType.A);
        ask(resolver, "n2.example.com.", RecordType.A);
        assertThat(asked()).isEqualTo(3);
        ask(resolver, "n0.example.com.", RecordType.A);
        assertThat(asked()).as("the last used stays").isEqualTo(3);
        ask(resolver, "n1.example.com.", RecordType.A);
        assertThat(asked()).isEqualTo(4);
    }

    @Test
    void bytesAreBounded() {
        AnswerCache cache =
                new AnswerCache(
                        new DnsCacheLimits(
                                10_000, 100_000, Duration.ZERO, Duration.ZERO, Duration.ZERO),
                        ResolverLimits.DEFAULT);
        for (int i = 0; i < 1_000; i++) {
            var question =
                    new io.weft.codec.dns.DnsQuestion(
                            name("n" + i + ".example.com."), RecordType.TXT);
            DnsRecord record =
                    SimWorld.record(
                            "n" + i + ".example.com. 60 TXT \"" + "x".repeat(i % 200) + "\"");
            cache.put(
                    question,
                    new Chain(question.name(), List.of(), List.of(record), 60, Chain.Outcome.FOUND),
                    false,
                    0);
            assertThat(cache.bytes()).isBetween(1L, 10_000L);
        }
        assertThat(cache.size()).isBetween(5, 25);
        cache.clear();
        assertThat(cache.bytes()).isZero();
    }

    @Test
    void otherServersAndClearingForgetEverything() {
        zone.add("a.example.com. 60 A 192.0.2.1");
        DnsResolver resolver = resolver(DnsCacheLimits.DEFAULT);
        ask(resolver, "a.example.com.", RecordType.A);
        world.await(resolver.clearCache());
        ask(resolver, "a.example.com.", RecordType.A);
        assertThat(asked()).isEqualTo(2);
        world.await(
                resolver.reconfigure(
                        ResolverConfig.DEFAULT
                                .servers(List.of(server.server()))
                                .timeout(Duration.ofSeconds(1))));
        ask(resolver, "a.example.com.", RecordType.A);
        assertThat(asked()).isEqualTo(3);
    }

    // ---- what is given when it has expired ----

    private DnsResolver expired() {
        zone.add("a.example.com. 60 A 192.0.2.1");
        DnsResolver resolver = resolver(STALE);
        ask(resolver, "a.example.com.", RecordType.A);
        pass(seconds(100));
        return resolver;
    }

    @Test
    void expiredRecordsAreGivenWhenServersFail() {
        DnsResolver resolver = expired();
        failing = ResponseCode.SERVFAIL;
        DnsAnswer stale = ask(resolver, "a.example.com.", RecordType.A);
        assertThat(lines(stale)).isEqualTo("a.example.com. 30 IN A 192.0.2.1");
        assertThat(stale.ttl()).isEqualTo(30);
        assertThat(resolver.counters()).containsEntry(DnsCounter.STALE, 1L);
    }

    @Test
    void serversThatFailedAreNotAskedAgainForAWhile() {
        DnsResolver resolver = expired();
        failing = ResponseCode.SERVFAIL;
        ask(resolver, "a.example.com.", RecordType.A);
        int before = asked();
        pass(seconds(29));
        assertThat(lines(ask(resolver, "a.example.com.", RecordType.A))).contains("192.0.2.1");
        assertThat(asked()).isEqualTo(before);
        failing = null;
        zone = List.of("a.example.com. 60 A 192.0.2.2");
        pass(seconds(2));
        assertThat(lines(ask(resolver, "a.example.com.", RecordType.A))).contains("192.0.2.2");
    }

    @Test
    void expiredRecordsAreGivenWhenServersTakeTooLongAndTheirAnswerIsKept() {
        DnsResolver resolver = expired();
        zone = List.of("a.example.com. 60 A 192.0.2.2");
        slow = Duration.ofMillis(2_500);
        Duration before = world.sim.elapsed();
        assertThat(lines(ask(resolver, "a.example.com.", RecordType.A))).contains("192.0.2.1");
        assertThat(world.sim.elapsed().minus(before).toMillis()).isBetween(1_800L, 1_900L);
        pass(seconds(3));
        int asked = asked();
        assertThat(lines(ask(resolver, "a.example.com.", RecordType.A))).contains("192.0.2.2");
        assertThat(asked()).isEqualTo(asked);
    }

    @Test
    void answerInTimeIsGivenInPlaceOfExpiredRecords() {
        DnsResolver resolver = expired();
        zone = List.of("a.example.com. 60 A 192.0.2.2");
        slow = Duration.ofMillis(1_500);
        assertThat(lines(ask(resolver, "a.example.com.", RecordType.A))).contains("192.0.2.2");
        assertThat(resolver.counters()).containsEntry(DnsCounter.STALE, 0L);
    }

    @Test
    void nameThatIsGoneIsGone() {
        DnsResolver resolver = expired();
        zone = List.of();
        assertThat(ask(resolver, "a.example.com.", RecordType.A))
                .isInstanceOf(DnsAnswer.NoName.class);
        pass(seconds(1_000));
        silent = true;
        Future<DnsAnswer> later = resolver.resolve(name("a.example.com."), RecordType.A);
        assertThat(world.failure(later)).isInstanceOf(ResolveException.class);
    }

    @Test
    void aliasesAndTheirTargetsExpireToo() {
        zone.addAll(
                List.of("a.example.com. 60 CNAME b.example.com.", "b.example.com. 30 A 192.0.2.1"));
        DnsResolver resolver = resolver(STALE);
        ask(resolver, "a.example.com.", RecordType.A);
        pass(seconds(100));
        silent = true;
        Duration before = world.sim.elapsed();
        DnsAnswer stale = ask(resolver, "a.example.com.", RecordType.A);
        assertThat(lines(stale)).isEqualTo("b.example.com. 30 IN A 192.0.2.1");
        assertThat(stale.aliases()).hasSize(1);
        assertThat(world.sim.elapsed().minus(before).toMillis())
                .as("one wait for all")
                .isBetween(1_800L, 1_900L);
    }

    @Test
    void expiredRecordsAreGivenForTheTimeThatWasSet() {
        DnsResolver resolver = expired();
        silent = true;
        pass(Duration.ofDays(1));
        assertThat(world.failure(resolver.resolve(name("a.example.com."), RecordType.A)))
                .isInstanceOf(ResolveException.class);
    }

    @Test
    void withoutTheOptionFailuresAreFailures() {
        zone.add("a.example.com. 60 A 192.0.2.1");
        DnsResolver resolver = resolver(DnsCacheLimits.DEFAULT);
        ask(resolver, "a.example.com.", RecordType.A);
        pass(seconds(61));
        failing = ResponseCode.REFUSED;
        assertThat(world.failure(resolver.resolve(name("a.example.com."), RecordType.A)))
                .isInstanceOf(ResolveException.class);
    }

    @Test
    void expiredNothingIsNotGiven() {
        DnsResolver resolver = resolver(STALE);
        ask(resolver, "no.example.com.", RecordType.A);
        pass(seconds(301));
        silent = true;
        assertThat(world.failure(resolver.resolve(name("no.example.com."), RecordType.A)))
                .isInstanceOf(ResolveException.class);
    }

    @Test
    void equalQuestionsWaitForOneAnswerAndAreAllGivenTheExpiredOne() {
        DnsResolver resolver = expired();
        silent = true;
        int before = asked();
        List<Future<DnsAnswer>> all = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            all.add(resolver.resolve(name("a.example.com."), RecordType.A));
        }
        for (Future<DnsAnswer> each : all) {
            assertThat(lines(world.await(each))).contains("192.0.2.1");
        }
        assertThat(asked() - before).isEqualTo(1);
        Map<DnsCounter, Long> counters = resolver.counters();
        assertThat(counters).containsEntry(DnsCounter.STALE, 50L);
    }

    @Test
    void cancelledCallerLeavesNothingBehind() {
        DnsResolver resolver = expired();
        silent = true;
        Future<DnsAnswer> asking = resolver.resolve(name("a.example.com."), RecordType.A);
        world.sim.run(Duration.ofMillis(100));
        asking.cancel();
        world.sim.run(Duration.ofMillis(100));
        assertThat(world.sockets()).isZero();
    }
}
