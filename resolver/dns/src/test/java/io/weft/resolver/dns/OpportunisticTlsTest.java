package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.good;
import static io.weft.resolver.dns.SimWorld.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.channel.ServerBootstrap;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.RecordType;
import io.weft.loop.Future;
import io.weft.testkit.Warns;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// TLS where there is some (RFC 7858, 4.1), to servers whose port for it is open and mute.
@Warns // TLS without a check of the host
class OpportunisticTlsTest {
    private final SimWorld world = new SimWorld();
    private final SimServer clear = SimServer.of(world.sim, world.host("server"), SimWorld::good);
    private int connections;

    @AfterEach
    void close() {
        world.close();
    }

    private final class Mute implements MessageHandler<Buffer> {
        @Override
        public Class<Buffer> messageType() {
            return Buffer.class;
        }

        /// Each of the client's connections says hello, in one segment or in several.
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            connections++;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, Buffer hello) {}
    }

    private DnsResolver resolver(Duration timeout) {
        world.sim.await(
                new ServerBootstrap(clear.host.group(1))
                        .childHandler(channel -> channel.pipeline().addLast(new Mute()))
                        .bind(clear.host.address(853)));
        return resolver(clear, timeout);
    }

    private DnsResolver resolver(SimServer fallback, Duration timeout) {
        DnsServer server =
                new DnsServer.Tls(
                        fallback.host.address(853),
                        false,
                        null,
                        Set.of(),
                        fallback.host.address(53),
                        null);
        return world.builder()
                .config(
                        ResolverConfig.DEFAULT
                                .servers(List.of(server))
                                .timeout(timeout)
                                .attempts(1))
                .build();
    }

    @Test
    void serverThatStallsInTheHandshakeIsAskedInTheClear() {
        DnsResolver resolver = resolver(Duration.ofSeconds(5));
        List<Future<DnsAnswer>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            all.add(resolver.resolve(name("n" + i + ".example.com."), RecordType.A));
        }
        all.forEach(future -> assertThat(world.await(future).records()).hasSize(1));
        assertThat(connections).isEqualTo(1);
        assertThat(world.sim.elapsed()).isLessThan(Duration.ofSeconds(3));
        assertThat(resolver.counters()).containsEntry(DnsCounter.TIMEOUTS, 0L);

        Duration before = world.sim.elapsed();
        world.await(resolver.resolve(name("later.example.com."), RecordType.A));
        assertThat(world.sim.elapsed().minus(before)).isLessThan(Duration.ofSeconds(1));
        assertThat(connections).as("not tried again for a while").isEqualTo(1);
        world.sim.run(Duration.ofSeconds(1));
        assertThat(world.sockets()).as("no connection is left").isZero();
    }

    @Test
    void clearConnectionThatEndsIsFollowedByAClearOne() {
        List<DnsMessage> taken = new ArrayList<>();
        List<SimServer> itself = new ArrayList<>();
        SimServer server =
                new SimServer(
                        world.sim,
                        world.host("without TLS"),
                        (query, _, reply) -> {
                            DnsMessage whole = good(query);
                            reply.message(whole.flags(whole.flags().truncated(true)));
                        },
                        query -> {
                            taken.add(query);
                            if (taken.size() == 2) { // behind the answer to the first
                                itself.getFirst().connections.getFirst().close();
                                return List.of();
                            }
                            return List.of(good(query));
                        });
        itself.add(server);
        DnsResolver resolver = resolver(server, Duration.ofSeconds(5));
        List<Future<DnsAnswer>> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            all.add(resolver.resolve(name("n" + i + ".example.com."), RecordType.A));
        }
        all.forEach(future -> assertThat(world.await(future).records()).hasSize(1));
        assertThat(taken).hasSize(3);
        assertThat(server.connections).hasSize(2);
        assertThat(server.udp).as("not asked again where it was truncated").hasSize(2);
    }

    @Test
    void boundOfTheHandshakeIsWithinTheTimeOfAnAttempt() {
        DnsResolver resolver = resolver(Duration.ofMillis(600));
        Future<DnsAnswer> answer = resolver.resolve(name("a.example.com."), RecordType.A);
        assertThat(world.await(answer).records()).hasSize(1);
        assertThat(world.sim.elapsed()).isLessThan(Duration.ofMillis(600));
    }
}
