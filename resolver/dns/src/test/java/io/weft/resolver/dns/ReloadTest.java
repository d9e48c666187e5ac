package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.answer;
import static io.weft.resolver.dns.SimWorld.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.RdataFormat;
import io.weft.codec.dns.RecordType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A `resolv.conf` that changes while the resolver is in use.
class ReloadTest {
    private static SimServer server(SimWorld world, String address) {
        return SimServer.of(
                world.sim,
                world.host(address),
                query -> answer(query, query.questions().getFirst().name() + " 60 A " + address));
    }

    private static String text(SimServer server) {
        return "nameserver " + server.host.address().getHostAddress() + "\n";
    }

    private static String ask(SimWorld world, DnsResolver resolver) {
        return RdataFormat.text(
                world.await(resolver.resolve(name("www.example.com."), RecordType.A))
                        .records()
                        .getFirst()
                        .data());
    }

    @Test
    @Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void changedFileIsReadAgain(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("resolv.conf");
        try (SimWorld world = new SimWorld()) {
            SimServer one = server(world, "192.0.2.1");
            SimServer two = server(world, "192.0.2.2");
            Files.writeString(file, text(one));
            DnsResolver resolver = world.builder().resolvConf(file).build();
            assertThat(ask(world, resolver)).isEqualTo("192.0.2.1");
            Files.writeString(file, text(two) + "options ndots:2 # longer\n");
            assertThat(ask(world, resolver)).as("not yet").isEqualTo("192.0.2.1");
            // The file is read on a thread of its own, in real time.
            while (!ask(world, resolver).equals("192.0.2.2")) {
                world.sim.run(Duration.ofSeconds(6));
                Thread.onSpinWait();
            }
            Files.delete(file);
            for (int i = 0; i < 10; i++) {
                world.sim.run(Duration.ofSeconds(6));
                assertThat(ask(world, resolver)).isEqualTo("192.0.2.2");
            }
        }
    }
}
