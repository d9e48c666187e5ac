package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.RecordType;
import io.weft.loop.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// More questions than servers answer.
class OverloadTest {
    private final SimWorld world = new SimWorld();
    private final HeldServer server = new HeldServer();

    @AfterEach
    void close() {
        world.close();
    }

    private DnsResolver resolver(ResolverLimits limits) {
        return world.builder().servers(server.server()).limits(limits).build();
    }

    /// Asks in portions that the queue of the loop has room for.
    private static List<Future<DnsAnswer>> ask(
            SimWorld world, DnsResolver resolver, String host, int times) {
        List<Future<DnsAnswer>> all = new ArrayList<>();
        for (int i = 0; i < times; i++) {
            all.add(resolver.resolve(name(host.formatted(i)), RecordType.A));
            if (i % 500 == 499) {
                world.sim.run(Duration.ofMillis(1));
            }
        }
        world.sim.run(Duration.ofMillis(1));
        return all;
    }

    private void assertReason(Future<DnsAnswer> answer, ResolveException.Reason reason) {
        assertThat(world.failure(answer))
                .isInstanceOfSatisfying(
                        ResolveException.class, e -> assertThat(e.reason()).isEqualTo(reason));
    }

    @Test
    void thousandsThatWaitAndHaveNoServerFail() {
        DnsResolver resolver =
                world.builder()
                        .config(
                                ResolverConfig.DEFAULT.domains(
                                        List.of(
                                                new ResolverConfig.DomainServers(
                                                        name("corp."), List.of(server.server())))))
                        .limits(ResolverLimits.DEFAULT.inFlight(1))
                        .build();
        Future<DnsAnswer> first = ask(world, resolver, "%d.corp.", 1).getFirst();
        List<Future<DnsAnswer>> all = ask(world, resolver, "%d.example.", 8000);
        server.answer("0.corp. 60 A 192.0.2.1");
        assertThat(world.await(first).records()).hasSize(1);
        world.sim.run(Duration.ofMillis(1));
        assertThat(all).allMatch(Future::isDone);
        all.forEach(answer -> assertReason(answer, ResolveException.Reason.NO_SERVER));
    }

    @Test
    void equalQuestionsCountAsOthersDo() {
        DnsResolver resolver = resolver(ResolverLimits.DEFAULT.inFlight(2).waiting(3));
        List<Future<DnsAnswer>> all = ask(world, resolver, "www.example.", 6);
        assertReason(all.removeLast(), ResolveException.Reason.OVERLOADED);
        all.removeLast().cancel();
        world.sim.run(Duration.ofMillis(1));
        List<Future<DnsAnswer>> more = ask(world, resolver, "%d.example.", 2);
        assertReason(more.removeLast(), ResolveException.Reason.OVERLOADED);
        server.answer("www.example. 60 A 192.0.2.1");
        all.forEach(answer -> assertThat(world.await(answer).records()).hasSize(1));
        server.answer("0.example. 60 A 192.0.2.1");
        assertThat(world.await(more.getFirst()).records()).hasSize(1);
        assertThat(ask(world, resolver, "%d.example.", 5)).noneMatch(Future::isDone);
    }

    /// Each asker that left was a look at all others, so that this took minutes.
    @Test
    @Timeout(value = 1, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void manyThatAskTheSameLeaveInAShortTime() {
        try (SimWorld own = new SimWorld()) { // of this thread
            DnsResolver resolver =
                    own.builder()
                            .servers(server.server())
                            .limits(ResolverLimits.DEFAULT.waiting(400_000))
                            .build();
            List<Future<DnsAnswer>> all = ask(own, resolver, "www.example.", 400_000);
            all.forEach(Future::cancel);
            own.sim.run(Duration.ofMillis(1));
            assertThat(server.cancelled).isEqualTo(1);
        }
    }
}
