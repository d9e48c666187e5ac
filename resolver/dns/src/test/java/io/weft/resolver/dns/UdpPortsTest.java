package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.good;
import static io.weft.resolver.dns.SimWorld.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.RecordType;
import io.weft.loop.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Source ports of queries over UDP, seen from the server.
class UdpPortsTest {

    private final SimWorld world = new SimWorld();
    private final Map<Integer, List<Duration>> byPort = new LinkedHashMap<>();

    /// Copies of each response.
    private int copies = 1;

    private final SimServer server =
            new SimServer(
                    world.sim, world.host("server"), this::asked, query -> List.of(good(query)));
    private int names;

    @AfterEach
    void close() {
        world.close();
    }

    private void asked(DnsMessage query, InetSocketAddress from, SimServer.Reply reply) {
        byPort.computeIfAbsent(from.getPort(), _ -> new ArrayList<>()).add(world.sim.elapsed());
        for (int i = 0; i < copies; i++) {
            reply.message(good(query));
        }
    }

    private DnsResolver resolver(ResolverLimits limits) {
        return world.builder().servers(server.server()).limits(limits).build();
    }

    private Future<DnsAnswer> ask(DnsResolver resolver) {
        return resolver.resolve(name("n" + names++ + ".example.com."), RecordType.A);
    }

    private void askInTurn(DnsResolver resolver, int count, Duration pause) {
        for (int i = 0; i < count; i++) {
            assertThat(world.await(ask(resolver)).records()).hasSize(1);
            world.sim.run(pause);
        }
    }

    @Test
    void portServesQueriesForAQuarterOfASecondAtMost() {
        askInTurn(resolver(ResolverLimits.DEFAULT), 1000, Duration.ofMillis(1));
        assertThat(byPort.size()).isBetween(63, 500);
        byPort.forEach(
                (port, seen) -> {
                    assertThat(seen).as("port %d", port).hasSizeLessThanOrEqualTo(16);
                    Duration life = seen.getLast().minus(seen.getFirst());
                    assertThat(life).isLessThanOrEqualTo(Duration.ofMillis(250));
                });
    }

    @Test
    void rareQueriesHaveAPortEach() {
        askInTurn(resolver(ResolverLimits.DEFAULT), 100, Duration.ofMillis(251));
        assertThat(byPort).hasSizeGreaterThan(95); // of 100 at random, some may be equal
    }

    @Test
    void eachQueryHasAPortOfItsOwnWhereThatIsWanted() {
        askInTurn(resolver(ResolverLimits.DEFAULT.portUses(1)), 100, Duration.ZERO);
        assertThat(byPort).hasSizeGreaterThan(95);
    }

    @Test
    void queriesInFlightTogetherHaveDifferentPorts() {
        DnsResolver resolver = resolver(ResolverLimits.DEFAULT.portUses(1024));
        for (int round = 0; round < 5; round++) { // the later ones with ports of the earlier
            byPort.clear();
            List<Future<DnsAnswer>> all = new ArrayList<>();
            for (int i = 0; i < 500; i++) {
                all.add(ask(resolver));
            }
            all.forEach(future -> assertThat(world.await(future).records()).hasSize(1));
            assertThat(byPort).hasSize(500);
        }
    }

    @Test
    void portWithMoreThanTheResponseIsNotUsedAgain() {
        copies = 2;
        DnsResolver resolver = resolver(ResolverLimits.DEFAULT.portUses(1024));
        askInTurn(resolver, 50, Duration.ofMillis(1));
        assertThat(byPort).hasSizeGreaterThan(45);
    }

    @Test
    void portOfAQueryWithoutResponseIsNotUsedAgain() {
        copies = 0;
        DnsResolver resolver = resolver(ResolverLimits.DEFAULT.portUses(1024));
        for (int i = 0; i < 50; i++) {
            Future<DnsAnswer> answer = ask(resolver);
            world.sim.run(Duration.ofMillis(1));
            answer.cancel();
            world.sim.run(Duration.ofMillis(1));
        }
        assertThat(byPort).hasSizeGreaterThan(45);
        assertThat(world.sockets()).isZero();
    }

    @Test
    void cancelBeforeThePortIsOpenLeavesNoneOpen() {
        DnsResolver resolver = resolver(ResolverLimits.DEFAULT);
        Future<DnsAnswer> answer = ask(resolver);
        world.client.loops().getFirst().execute(answer::cancel); // behind the start of the query
        world.sim.run(Duration.ofMillis(1));
        assertThat(answer.isCancelled()).isTrue();
        assertThat(world.sockets()).isZero();
        assertThat(byPort).isEmpty();
    }

    @Test
    void closeAndOtherServersCloseIdlePorts() {
        DnsResolver first = resolver(ResolverLimits.DEFAULT.portUses(1024));
        askInTurn(first, 3, Duration.ZERO);
        first.close();
        world.sim.run(Duration.ofMillis(1));
        assertThat(world.sockets()).isZero();
        DnsResolver second = resolver(ResolverLimits.DEFAULT.portUses(1024));
        askInTurn(second, 3, Duration.ZERO);
        world.await(second.reconfigure(ResolverConfig.DEFAULT.servers(List.of())));
        world.sim.run(Duration.ofMillis(1));
        assertThat(world.sockets()).isZero();
    }
}
