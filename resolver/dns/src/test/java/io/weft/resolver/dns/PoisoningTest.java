package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.answer;
import static io.weft.resolver.dns.SimWorld.name;
import static io.weft.resolver.dns.SimWorld.nothing;
import static io.weft.resolver.dns.SimWorld.records;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.DatagramBootstrap;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.Edns;
import io.weft.codec.dns.EdnsOption;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.engine.Datagram;
import io.weft.loop.Future;
import io.weft.transport.sim.SimHost;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Attempts to have a resolver believe what its servers did not say; none succeeds.
class PoisoningTest {
    private static final String TRUE = "192.0.2.1";
    private static final Octets SERVER_COOKIE = Octets.ofHex("0011223344556677");

    private final SimWorld world = new SimWorld();

    @AfterEach
    void close() {
        world.close();
    }

    static List<Forgeries.Forgery> forgeries() {
        return Forgeries.all();
    }

    /// The server's own answer, with its cookie.
    private static DnsMessage genuine(DnsMessage query) {
        DnsMessage response = answer(query, query.questions().getFirst().name() + " 60 A " + TRUE);
        EdnsOption.Cookie cookie = Query.cookieOf(query);
        return cookie == null
                ? response
                : response.edns(
                        Edns.DEFAULT.options(
                                new EdnsOption.Cookie(cookie.client(), SERVER_COOKIE)));
    }

    private static void assertTrue(DnsAnswer answer) {
        assertThat(answer.toString()).doesNotContain(Forgeries.EVIL);
        assertThat(answer.records())
                .singleElement()
                .satisfies(record -> assertThat(record.data()).hasToString(TRUE));
    }

    @ParameterizedTest
    @MethodSource("forgeries")
    void forgedResponseIsNotTaken(Forgeries.Forgery forgery) {
        boolean[] attack = new boolean[1];
        SimServer server =
                new SimServer(
                        world.sim,
                        world.host("server"),
                        (query, _, reply) -> {
                            if (attack[0]) {
                                forgery.datagrams().apply(query).forEach(reply::octets);
                            }
                            reply.message(genuine(query));
                        },
                        query -> List.of(genuine(query)));
        DnsResolver resolver = world.resolver(server);
        // The server's cookie is known then.
        assertTrue(world.await(resolver.resolve(name("first.example.com."), RecordType.A)));
        attack[0] = true;
        assertTrue(world.await(resolver.resolve(name("www.example.com."), RecordType.A)));
        long ignored = counted(resolver, DnsCounter.IGNORED);
        long truncated = counted(resolver, DnsCounter.TRUNCATED);
        assertThat(ignored + truncated).as("the forgeries arrived").isPositive();
        assertThat(resolver.counters()).containsEntry(DnsCounter.TIMEOUTS, 0L);
    }

    @Test
    void thereAreAtLeastSixtyForgeries() {
        assertThat(forgeries()).hasSizeGreaterThanOrEqualTo(60).doesNotHaveDuplicates();
    }

    @Test
    void responsesOfOthersAreNotTaken() {
        SimHost forger = world.host("forger");
        SimHost host = world.host("server");
        List<InetSocketAddress> elsewhere =
                List.of(forger.address(53), forger.address(5353), host.address(54));
        var sockets = new ArrayList<io.weft.channel.Channel>();
        for (InetSocketAddress address : elsewhere) {
            SimHost on = address.getAddress().equals(host.address()) ? host : forger;
            sockets.add(
                    world.await(new DatagramBootstrap(on.group(1)).handler(_ -> {}).bind(address)));
        }
        SimServer server =
                new SimServer(
                        world.sim,
                        host,
                        (query, from, reply) -> {
                            byte[] forged = SimServer.octets(Forgeries.evil(query));
                            for (var socket : sockets) {
                                Buffer buffer = BufferAllocator.pooled().allocate(forged.length);
                                buffer.writeBytes(forged);
                                socket.writeAndFlush(new Datagram(buffer, from));
                            }
                            world.sim.after(
                                    Duration.ofMillis(100), () -> reply.message(genuine(query)));
                        },
                        query -> List.of(genuine(query)));
        DnsResolver resolver = world.resolver(server);
        assertTrue(world.await(resolver.resolve(name("www.example.com."), RecordType.A)));
    }

    /// The attack of Kaminsky: names below a zone, so that each question is a new chance, and the
    /// answer brings an authority of the zone with it.
    @Test
    void floodsForNamesBelowAZoneGainNothing() {
        SimServer server =
                new SimServer(
                        world.sim,
                        world.host("server"),
                        (query, _, reply) -> {
                            DnsMessage forged =
                                    Forgeries.evil(query)
                                            .sections(
                                                    List.of(),
                                                    records(
                                                            "example.com. 9999 NS www.example.com."),
                                                    records(
                                                            "www.example.com. 9999 A "
                                                                    + Forgeries.EVIL));
                            for (int i = 1; i <= 50; i++) {
                                reply.message(forged.id(query.id() + i * 7 & 0xFFFF));
                            }
                            reply.message(genuine(query));
                        },
                        query -> List.of(genuine(query)));
        DnsResolver resolver = world.resolver(server);
        for (int i = 0; i < 40; i++) {
            assertTrue(
                    world.await(resolver.resolve(name("x" + i + ".example.com."), RecordType.A)));
        }
        assertTrue(world.await(resolver.resolve(name("www.example.com."), RecordType.A)));
    }

    /// The birthday attack needs several queries of the same question in flight.
    @Test
    void equalQuestionsGiveNoSecondChance() {
        List<DnsMessage> asked = new ArrayList<>();
        SimServer server =
                new SimServer(
                        world.sim,
                        world.host("server"),
                        (query, _, reply) -> {
                            asked.add(query);
                            world.sim.after(
                                    Duration.ofMillis(50), () -> reply.message(genuine(query)));
                        },
                        query -> List.of(genuine(query)));
        DnsResolver resolver = world.resolver(server);
        List<Future<DnsAnswer>> all = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            all.add(resolver.resolve(name("www.example.com."), RecordType.A));
        }
        all.forEach(future -> assertTrue(world.await(future)));
        assertThat(asked).hasSize(1);
    }

    @Test
    void portsIdsAndSpellingsAreRandom() {
        SimServer server = SimServer.of(world.sim, world.host("server"), PoisoningTest::genuine);
        DnsResolver resolver = world.resolver(server);
        for (int i = 0; i < 100; i++) {
            assertTrue(
                    world.await(
                            resolver.resolve(
                                    name("a-name-with-letters.example.com."), RecordType.A)));
            world.sim.run(Duration.ofMillis(250)); // for queries in a row, see UdpPortsTest
        }
        Set<Integer> ids = new HashSet<>();
        Set<Integer> ports = new HashSet<>();
        Set<String> spellings = new HashSet<>();
        server.udp.forEach(query -> ids.add(query.id()));
        server.udp.forEach(query -> spellings.add(query.questions().toString()));
        server.sources.forEach(from -> ports.add(from.getPort()));
        // Of 100 at random, some may be equal.
        assertThat(ids).hasSizeGreaterThan(90);
        assertThat(ports).hasSizeGreaterThan(90);
        assertThat(spellings).hasSizeGreaterThan(90);
    }

    @Test
    void negativeAnswerOfAnotherZoneIsNotKept() {
        SimServer server =
                SimServer.of(
                        world.sim,
                        world.host("server"),
                        query ->
                                query.response(ResponseCode.NXDOMAIN, List.of())
                                        .sections(
                                                List.of(),
                                                records(
                                                        "evil.example. 9999 SOA a. b. 1 1 1 1 9999"),
                                                List.of()));
        DnsAnswer answer =
                world.await(world.resolver(server).resolve(name("www.example.com."), RecordType.A));
        assertThat(answer.ttl()).isZero();
    }

    @Test
    void timesToLiveAreBounded() {
        SimServer server =
                SimServer.of(
                        world.sim,
                        world.host("server"),
                        query ->
                                query.questions().getFirst().type().equals(RecordType.A)
                                        ? answer(query, "www.example.com. 2147483647 A " + TRUE)
                                        : nothing(query, ResponseCode.NOERROR)
                                                .sections(
                                                        List.of(),
                                                        records(
                                                                "example.com. 2147483647 SOA a. b."
                                                                        + " 1 1 1 1 2147483647"),
                                                        List.of()));
        DnsResolver resolver = world.resolver(server);
        assertThat(world.await(resolver.resolve(name("www.example.com."), RecordType.A)).ttl())
                .isEqualTo(86_400);
        assertThat(world.await(resolver.resolve(name("www.example.com."), RecordType.TXT)).ttl())
                .isEqualTo(10_800);
    }

    private static long counted(DnsResolver resolver, DnsCounter counter) {
        return Objects.requireNonNull(resolver.counters().get(counter));
    }
}
