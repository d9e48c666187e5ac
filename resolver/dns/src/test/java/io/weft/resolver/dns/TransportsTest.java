package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.good;
import static io.weft.resolver.dns.SimWorld.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Transports that misbehave.
class TransportsTest {
    private final SimWorld world = new SimWorld();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void transportToAServerWithoutEdnsIsAskedWithoutIt() {
        List<DnsMessage> asked = new ArrayList<>();
        DnsServer old =
                new DnsServer.Custom(
                        "old",
                        (query, executor) -> {
                            asked.add(query);
                            return executor.<DnsMessage>newPromise()
                                    .setSuccess(
                                            query.edns() == null
                                                    ? good(query)
                                                    : query.response(
                                                                    ResponseCode.FORMERR, List.of())
                                                            .edns(null));
                        });
        DnsResolver resolver = world.builder().servers(old).build();
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(asked).hasSize(2);
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(asked).as("remembered").hasSize(3);
    }

    @Test
    @SuppressWarnings("NullAway") // as programs are that nobody checks
    void transportThatReturnsNullIsPassedOverAtOnce() {
        DnsServer broken = new DnsServer.Custom("broken", (_, _) -> null);
        DnsResolver resolver = world.builder().servers(broken, world.goodServer().server()).build();
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(world.sim.elapsed()).isLessThan(Duration.ofMillis(100));
    }

    @Test
    void transportThatThrowsIsPassedOverAtOnce() {
        DnsServer broken =
                new DnsServer.Custom(
                        "broken",
                        (_, _) -> {
                            throw new IllegalStateException("of the transport");
                        });
        DnsResolver both = world.builder().servers(broken, world.goodServer().server()).build();
        DnsResolver alone = world.builder().servers(broken).build();
        assertThat(world.ask(both).records()).hasSize(1);
        assertThat(world.failure(alone.resolve(name("www.example.com."), RecordType.A)))
                .isInstanceOfSatisfying(
                        ResolveException.class,
                        e -> assertThat(e.reason()).isEqualTo(ResolveException.Reason.CONNECTION))
                .hasMessageContaining("of the transport");
        assertThat(world.sim.elapsed()).isLessThan(Duration.ofMillis(100));
    }
}
