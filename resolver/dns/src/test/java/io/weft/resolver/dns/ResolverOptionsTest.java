package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.name;
import static io.weft.resolver.dns.SimWorld.zone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.RecordType;
import io.weft.loop.Future;
import io.weft.resolver.names.ResolvedAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Options of `resolv.conf`, seen from the server.
class ResolverOptionsTest {
    private final SimWorld world = new SimWorld();
    private final List<String> events = new ArrayList<>();
    private final SimServer server =
            new SimServer(
                    world.sim,
                    world.host("server"),
                    (query, _, reply) -> {
                        RecordType type = query.questions().getFirst().type();
                        events.add("asked " + type);
                        world.sim.after(
                                Duration.ofMillis(20),
                                () -> {
                                    events.add("answered " + type);
                                    reply.message(authentic(query));
                                });
                    },
                    query -> List.of(authentic(query)));

    @AfterEach
    void close() {
        world.close();
    }

    private static DnsMessage authentic(DnsMessage query) {
        DnsMessage response =
                zone(query, "a.example.com. 60 A 192.0.2.1", "a.example.com. 60 AAAA 2001:db8::1");
        return response.flags(response.flags().authentic(true).recursionAvailable(true));
    }

    private DnsResolver resolver(String options) {
        ResolverConfig config = ResolvConf.parse("options " + options + "\n");
        return world.builder().config(config.servers(List.of(server.server()))).build();
    }

    private List<ResolvedAddress> addresses(DnsResolver resolver) {
        List<ResolvedAddress> found = new ArrayList<>();
        Future<Void> search =
                resolver.resolve("a.example.com.", 80, world.client.next(), found::addAll);
        world.await(search);
        return found;
    }

    @Test
    void singleRequestAsksTheSecondFamilyBehindTheAnswerOfTheFirst() {
        assertThat(addresses(resolver("single-request"))).hasSize(2);
        assertThat(events).containsExactly("asked A", "answered A", "asked AAAA", "answered AAAA");
    }

    @Test
    void withoutItBothAreAskedAtOnce() {
        assertThat(addresses(resolver("rotate"))).hasSize(2);
        assertThat(events.subList(0, 2)).containsExactlyInAnyOrder("asked A", "asked AAAA");
    }

    @Test
    void authenticAnswersAreBelievedWithTrustAdAlone() {
        DnsAnswer trusted =
                world.await(resolver("trust-ad").resolve(name("a.example.com."), RecordType.A));
        assertThat(trusted.authentic()).isTrue();
        assertThat(server.udp.getFirst().flags().isAuthentic()).as("asked for").isTrue();
        DnsAnswer other =
                world.await(resolver("rotate").resolve(name("a.example.com."), RecordType.A));
        assertThat(other.authentic()).isFalse();
        assertThat(server.udp.getLast().flags().isAuthentic()).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "65536", "", "x", "-1", "000053"})
    void portsThatAreNoneAreRefused(String port) {
        assertThatThrownBy(() -> DnsServer.of("192.0.2.1:" + port))
                .hasMessage("server: 192.0.2.1:" + port + " (expected: a port from 1 to 65535)");
        assertThat(DnsServer.of("192.0.2.1:65535")).hasToString("192.0.2.1#65535");
    }

    @Test
    void useVcAsksOverTcpAlone() {
        assertThat(addresses(resolver("use-vc"))).hasSize(2);
        assertThat(server.udp).isEmpty();
        assertThat(server.tcp).hasSize(2);
        assertThat(server.connections).hasSize(1);
    }

    @Test
    void noEdns0LeavesItOut() {
        assertThat(addresses(resolver("no-edns0"))).hasSize(2);
        assertThat(server.udp).hasSize(2).allMatch(query -> query.edns() == null);
        assertThat(addresses(resolver("edns0"))).hasSize(2);
        assertThat(server.udp).hasSize(4);
        assertThat(server.udp.getLast().edns()).isNotNull();
    }

    @Test
    void timesBeyondTheClocksRangeAreRefused() {
        Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
        ResolverLimits limits = ResolverLimits.DEFAULT;
        assertThatThrownBy(() -> limits.total(longest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("total: ");
        assertThatThrownBy(() -> limits.hedge(longest)).hasMessageContaining("hedge: ");
        assertThatThrownBy(() -> limits.idle(longest)).hasMessageContaining("idle: ");
        assertThatThrownBy(() -> ResolverConfig.DEFAULT.timeout(longest))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("timeout: ");
    }
}
