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

/// More questions than servers answer.
class OverloadTest {
    private final SimWorld world = new SimWorld();
    private final HeldServer server = new HeldServer();

    @AfterEach
    void close() {
        world.close();
    }

    /// Asks in portions that the queue of the loop has room for.
    private List<Future<DnsAnswer>> ask(DnsResolver resolver, String host, int times) {
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
        Future<DnsAnswer> first = ask(resolver, "%d.corp.", 1).getFirst();
        List<Future<DnsAnswer>> all = ask(resolver, "%d.example.", 8000);
        server.answer("0.corp. 60 A 192.0.2.1");
        assertThat(world.await(first).records()).hasSize(1);
        world.sim.run(Duration.ofMillis(1));
        assertThat(all).allMatch(Future::isDone);
        all.forEach(answer -> assertReason(answer, ResolveException.Reason.NO_SERVER));
    }
}
