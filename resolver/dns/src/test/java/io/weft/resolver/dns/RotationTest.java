package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.good;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.ResponseCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Servers that are asked in turn.
class RotationTest {
    private final SimWorld world = new SimWorld();

    @AfterEach
    void close() {
        world.close();
    }

    @Test
    void rotationForgivesAServerThatFailedOnce() {
        List<DnsMessage> failed = new ArrayList<>();
        SimServer one =
                SimServer.of(
                        world.sim,
                        world.host("one"),
                        query -> {
                            failed.add(query);
                            return failed.size() == 1
                                    ? query.response(ResponseCode.SERVFAIL, List.of())
                                    : good(query);
                        });
        SimServer two = world.goodServer();
        DnsResolver resolver =
                world.builder()
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(one.server(), two.server()))
                                        .rotate(true))
                        .build();
        assertThat(world.ask(resolver).records()).hasSize(1);
        world.sim.run(Duration.ofSeconds(29));
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(one.udp).as("not yet").hasSize(1);
        world.sim.run(Duration.ofSeconds(2));
        for (int i = 0; i < 10; i++) {
            assertThat(world.ask(resolver).records()).hasSize(1);
        }
        assertThat(one.udp).hasSize(6);
        assertThat(two.udp).hasSize(7);
    }
}
