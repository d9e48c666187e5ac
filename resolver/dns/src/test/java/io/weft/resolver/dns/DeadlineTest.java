package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.RecordType;
import io.weft.loop.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// One second for each call, whatever it waits for, in virtual time.
class DeadlineTest {
    private final SimWorld world = new SimWorld();
    private final HeldServer server = new HeldServer();
    private final ResolverLimits limits = ResolverLimits.DEFAULT.total(Duration.ofSeconds(1));
    private final ResolverConfig config = ResolverConfig.DEFAULT.servers(List.of(server.server()));

    @AfterEach
    void close() {
        world.close();
    }

    private DnsResolver resolver() {
        return world.builder().config(config).limits(limits).build();
    }

    private static Future<DnsAnswer> ask(DnsResolver resolver, String host) {
        return resolver.resolve(name(host), RecordType.A);
    }

    private void pass(int millis) {
        world.sim.run(Duration.ofMillis(millis));
    }

    private void assertTimedOut(Future<?> future) {
        assertThat(future.isDone()).isTrue();
        assertThat(world.failure(future))
                .isInstanceOfSatisfying(
                        ResolveException.class,
                        e -> assertThat(e.reason()).isEqualTo(ResolveException.Reason.TIMEOUT))
                .hasMessageContaining("PT1S");
    }

    @Test
    void aliasesHaveNoTimeOfTheirOwn() {
        Future<DnsAnswer> answer = ask(resolver(), "a.example.");
        pass(900);
        server.answer("a.example. 60 CNAME b.example.");
        pass(90);
        assertThat(answer.isDone()).isFalse();
        pass(20);
        assertTimedOut(answer);
        assertThat(server.asked).containsExactly("a.example.", "b.example.");
        assertThat(server.cancelled).isEqualTo(1);
    }

    @Test
    void namesOfTheSearchListHaveNoTimeOfTheirOwn() {
        DnsResolver resolver =
                world.builder()
                        .config(config.search(List.of(name("one.example."), name("two.example."))))
                        .limits(limits)
                        .build();
        Future<DnsAnswer> answer = resolver.resolveAll("www", RecordType.A);
        pass(900);
        server.answer(); // no data
        pass(90);
        assertThat(answer.isDone()).isFalse();
        pass(20);
        assertTimedOut(answer);
        assertThat(server.asked).containsExactly("www.one.example.", "www.two.example.");
    }

    @Test
    void waitForTheTurnCounts() {
        DnsResolver resolver = world.builder().config(config).limits(limits.inFlight(1)).build();
        List<Future<DnsAnswer>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(ask(resolver, i + ".example."));
        }
        pass(500);
        server.answer("0.example. 60 A 192.0.2.1");
        assertThat(world.await(all.removeFirst()).records()).hasSize(1);
        pass(510);
        all.forEach(this::assertTimedOut);
        assertThat(server.asked).as("the others had no turn").hasSize(2);
        Future<DnsAnswer> next = ask(resolver, "next.example.");
        pass(1);
        server.answer("next.example. 60 A 192.0.2.1");
        assertThat(world.await(next).records()).hasSize(1);
    }

    @Test
    void oneThatJoinsLaterHasItsOwnTime() {
        DnsResolver resolver = resolver();
        Future<DnsAnswer> first = ask(resolver, "www.example.");
        pass(600);
        Future<DnsAnswer> second = ask(resolver, "www.example.");
        pass(410);
        assertTimedOut(first);
        assertThat(second.isDone()).isFalse();
        pass(400);
        server.answer("www.example. 60 A 192.0.2.1");
        assertThat(world.await(second).records()).hasSize(1);
        assertThat(server.asked).hasSize(1);
    }

    @Test
    void aliasThatJoinsAQuestionWithMoreTimeKeepsItsOwn() {
        DnsResolver resolver = resolver();
        Future<DnsAnswer> early = ask(resolver, "a.example.");
        pass(800);
        Future<DnsAnswer> late = ask(resolver, "b.example.");
        pass(100);
        server.answer("a.example. 60 CNAME b.example.");
        pass(110);
        assertTimedOut(early);
        assertThat(late.isDone()).isFalse();
        pass(500);
        server.answer("b.example. 60 A 192.0.2.1");
        assertThat(world.await(late).records()).hasSize(1);
        assertThat(server.asked).containsExactly("a.example.", "b.example.");
    }

    @Test
    void oneThatWaitsKeepsItsTimeWhereAnotherWaitsLonger() {
        DnsResolver resolver = world.builder().config(config).limits(limits.inFlight(1)).build();
        Future<DnsAnswer> first = ask(resolver, "a.example.");
        pass(500);
        Future<DnsAnswer> second = ask(resolver, "b.example.");
        pass(300);
        Future<DnsAnswer> third = ask(resolver, "b.example.");
        pass(200);
        assertTimedOut(first); // and leaves its place
        pass(510);
        assertTimedOut(second);
        assertThat(third.isDone()).isFalse();
        server.answer("b.example. 60 A 192.0.2.1");
        assertThat(world.await(third).records()).hasSize(1);
    }
}
