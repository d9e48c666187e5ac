package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.good;
import static io.weft.resolver.dns.SimWorld.name;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.Channel;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.Edns;
import io.weft.codec.dns.EdnsOption;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Future;
import io.weft.transport.sim.Fault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Servers that are slow, lame, old or odd, by script.
class ServersTest {
    private final SimWorld world = new SimWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private SimServer silent() {
        return new SimServer(world.sim, world.host("silent"), (_, _, _) -> {}, _ -> List.of());
    }

    @ParameterizedTest
    @CsvSource({"SERVFAIL, 2", "NOTIMP, 4", "REFUSED, 5", "NOTAUTH, 9", "BADVERS, 16"})
    void nextServerIsAskedWhenOneRefuses(String label, int code) {
        SimServer bad =
                SimServer.of(
                        world.sim,
                        world.host(label),
                        query -> query.response(ResponseCode.of(code), List.of()));
        assertThat(world.ask(world.resolver(bad, world.goodServer())).records()).hasSize(1);
        assertThat(bad.udp).hasSize(1);
    }

    @Test
    void queryThatIsNotSentIsAskedAgainAtOnce() {
        DnsResolver resolver = world.resolver(world.goodServer());
        world.failNext(Fault.SEND_ENOBUFS, 1);
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(resolver.counters())
                .containsEntry(DnsCounter.FAILURES, 1L)
                .containsEntry(DnsCounter.TIMEOUTS, 0L);
        assertThat(world.sim.elapsed()).isLessThan(Duration.ofMillis(100));
    }

    @Test
    void closeFailsQuestionsWhileTheLoopTakesNoMoreTasks() {
        DnsResolver resolver = world.resolver(silent());
        Future<DnsAnswer> answer = resolver.resolve(name("www.example.com."), RecordType.A);
        world.sim.run(Duration.ofMillis(1));
        EventLoop loop = world.client.loops().getFirst();
        assertThatThrownBy(
                        () -> {
                            for (; ; ) {
                                loop.execute(() -> {});
                            }
                        })
                .isInstanceOf(RejectedExecutionException.class);
        resolver.close();
        assertThat(world.failure(answer))
                .isInstanceOfSatisfying(
                        ResolveException.class,
                        e -> assertThat(e.reason()).isEqualTo(ResolveException.Reason.CLOSED));
    }

    @Test
    void lameServerIsPassedOver() {
        SimServer lame =
                SimServer.of(
                        world.sim,
                        world.host("lame"),
                        query ->
                                query.response(ResponseCode.NOERROR, List.of())
                                        .sections(
                                                List.of(),
                                                SimWorld.records(". 60 NS a.root-servers.net."),
                                                List.of()));
        assertThat(world.ask(world.resolver(lame, world.goodServer())).records()).hasSize(1);
        Throwable failure =
                world.failure(world.resolver(lame).resolve(name("www.example.com."), RecordType.A));
        assertThat(failure)
                .isInstanceOfSatisfying(
                        ResolveException.class,
                        e -> assertThat(e.reason()).isEqualTo(ResolveException.Reason.LAME));
    }

    @Test
    void datagramThatIsLongerThanWasAskedForIsFetchedOverTcp() {
        SimServer server =
                new SimServer(
                        world.sim,
                        world.host("long"),
                        (query, _, reply) -> {
                            DnsMessage response = good(query);
                            Edns padded = Edns.DEFAULT.options(new EdnsOption.Padding(3_000));
                            reply.message(response.edns(padded));
                        },
                        query -> List.of(good(query)));
        Duration before = world.sim.elapsed();
        assertThat(world.ask(world.resolver(server)).records()).hasSize(1);
        assertThat(server.tcp).hasSize(1);
        assertThat(world.sim.elapsed().minus(before)).isLessThan(Duration.ofSeconds(1));
    }

    /// Not a forger, who would have to know the id: there is no use in waiting for another response.
    @Test
    void malformedResponseIsFetchedOverTcpAtOnce() {
        SimServer server =
                new SimServer(
                        world.sim,
                        world.host("malformed"),
                        (query, _, reply) -> {
                            byte[] response = SimServer.octets(good(query));
                            reply.octets(Arrays.copyOf(response, response.length + 1));
                        },
                        query -> List.of(good(query)));
        Duration before = world.sim.elapsed();
        assertThat(world.ask(world.resolver(server)).records()).hasSize(1);
        assertThat(server.tcp).hasSize(1);
        assertThat(world.sim.elapsed().minus(before)).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void slowServerIsHedged() {
        SimServer silent = silent();
        DnsResolver resolver = world.resolver(silent, world.goodServer());
        Duration before = world.sim.elapsed();
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(world.sim.elapsed().minus(before)).isLessThan(Duration.ofSeconds(1));
        assertThat(resolver.counters()).containsEntry(DnsCounter.HEDGED, 1L);
    }

    @Test
    void serversThatAllAreSilentTimeOut() {
        DnsResolver resolver = world.resolver(silent());
        Duration before = world.sim.elapsed();
        Throwable failure = world.failure(resolver.resolve(name("www.example.com."), RecordType.A));
        assertThat(failure)
                .isInstanceOfSatisfying(
                        ResolveException.class,
                        e -> assertThat(e.reason()).isEqualTo(ResolveException.Reason.TIMEOUT));
        // Two attempts of five seconds.
        assertThat(world.sim.elapsed().minus(before).toSeconds()).isEqualTo(10);
    }

    @Test
    void serverThatLosesTheFirstQueryIsAskedAgain() {
        List<DnsMessage> lost = new ArrayList<>();
        SimServer server =
                new SimServer(
                        world.sim,
                        world.host("lossy"),
                        (query, _, reply) -> {
                            if (lost.isEmpty()) {
                                lost.add(query);
                            } else {
                                reply.message(good(query));
                            }
                        },
                        query -> List.of(good(query)));
        assertThat(world.ask(world.resolver(server)).records()).hasSize(1);
        assertThat(server.udp).hasSize(2);
        assertThat(server.udp.get(1).id()).isNotEqualTo(server.udp.get(0).id());
    }

    @Test
    void portWithoutServerIsPassedOverAtOnce() {
        DnsServer nobody = DnsServer.of(world.host("nobody").address(53));
        DnsResolver resolver = world.builder().servers(nobody, world.goodServer().server()).build();
        Duration before = world.sim.elapsed();
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(world.sim.elapsed().minus(before)).isLessThan(Duration.ofMillis(500));
    }

    @ParameterizedTest
    @CsvSource({"1, true", "4, true", "1, false", "4, false"})
    void serverWithoutEdnsIsAskedWithoutIt(int code, boolean question) {
        SimServer old =
                SimServer.of(
                        world.sim,
                        world.host("old"),
                        query -> {
                            if (query.edns() == null) {
                                return good(query);
                            }
                            DnsMessage refusal =
                                    query.response(ResponseCode.of(code), List.of()).edns(null);
                            return question ? refusal : withoutQuestion(refusal);
                        });
        DnsResolver resolver = world.resolver(old);
        assertThat(world.ask(resolver).records()).hasSize(1);
        int before = old.udp.size();
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(old.udp).as("remembered").hasSize(before + 1);
    }

    private static DnsMessage withoutQuestion(DnsMessage m) {
        return new DnsMessage(
                m.id(),
                m.opcode(),
                m.flags(),
                m.code(),
                List.of(),
                m.answers(),
                m.authorities(),
                m.additionals(),
                m.edns());
    }

    @Test
    void serverThatFoldsCaseIsBelievedOverTcpAndRemembered() {
        SimServer folding =
                SimServer.of(
                        world.sim,
                        world.host("folding"),
                        query -> {
                            DnsMessage plain =
                                    DnsMessage.query(
                                            query.id(),
                                            query.questions().getFirst().name().toLowerCase(),
                                            RecordType.A);
                            return good(plain.edns(null));
                        });
        DnsResolver resolver = world.resolver(folding);
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(folding.tcp).hasSize(1);
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(folding.tcp).as("the second over UDP").hasSize(1);
    }

    @Test
    void badCookieIsTriedAgainWithTheNewOne() {
        Octets cookie = Octets.ofHex("aabbccddeeff0011");
        SimServer server =
                SimServer.of(
                        world.sim,
                        world.host("cookies"),
                        query -> {
                            EdnsOption.Cookie theirs = Query.cookieOf(query);
                            if (theirs == null) {
                                return good(query);
                            }
                            DnsMessage response =
                                    theirs.server().equals(cookie)
                                            ? good(query)
                                            : query.response(ResponseCode.BADCOOKIE, List.of());
                            return response.edns(
                                    Edns.DEFAULT.options(
                                            new EdnsOption.Cookie(theirs.client(), cookie)));
                        });
        assertThat(world.ask(world.resolver(server)).records()).hasSize(1);
        assertThat(server.udp).hasSize(2);
        assertThat(server.tcp).isEmpty();
    }

    @Test
    void serverThatStopsCookiesIsAskedOverTcp() {
        boolean[] stopped = new boolean[1];
        SimServer server =
                SimServer.of(
                        world.sim,
                        world.host("cookies"),
                        query -> {
                            EdnsOption.Cookie theirs = Query.cookieOf(query);
                            return stopped[0] || theirs == null
                                    ? good(query)
                                    : good(query)
                                            .edns(
                                                    Edns.DEFAULT.options(
                                                            new EdnsOption.Cookie(
                                                                    theirs.client(),
                                                                    Octets.ofHex(
                                                                            "aabbccddeeff0011"))));
                        });
        DnsResolver resolver = world.resolver(server);
        assertThat(world.ask(resolver).records()).hasSize(1);
        stopped[0] = true;
        Duration before = world.sim.elapsed();
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(world.sim.elapsed().minus(before)).isLessThan(Duration.ofSeconds(6));
        assertThat(server.tcp).hasSize(1);
    }

    @Test
    void connectionIsPipelinedAndAnswersComeInAnyOrder() {
        List<DnsMessage> held = new ArrayList<>();
        SimServer server =
                new SimServer(
                        world.sim,
                        world.host("tcp"),
                        (_, _, _) -> {},
                        query -> {
                            held.add(query);
                            if (held.size() < 3) {
                                return List.of();
                            }
                            return held.reversed().stream().map(SimWorld::good).toList();
                        });
        DnsResolver resolver =
                world.builder()
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(server.server()))
                                        .useTcp(true))
                        .build();
        List<Future<DnsAnswer>> all = new ArrayList<>();
        for (String text : List.of("a.example.", "b.example.", "c.example.")) {
            all.add(resolver.resolve(name(text), RecordType.A));
        }
        all.forEach(future -> assertThat(world.await(future).records()).hasSize(1));
        assertThat(server.connections).hasSize(1);
    }

    @Test
    void idleConnectionIsClosedAndOpenedAgain() {
        SimServer server = world.goodServer();
        DnsResolver resolver =
                world.builder()
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(server.server()))
                                        .useTcp(true))
                        .build();
        assertThat(world.ask(resolver).records()).hasSize(1);
        world.sim.run(Duration.ofSeconds(9));
        assertThat(server.connections.getFirst().isOpen()).isTrue();
        world.sim.run(Duration.ofSeconds(2));
        assertThat(server.connections.getFirst().isOpen()).isFalse();
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(server.connections).hasSize(2);
    }

    @Test
    void connectionThatTheServerClosedIsOpenedAgain() {
        SimServer server = world.goodServer();
        DnsResolver resolver =
                world.builder()
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(server.server()))
                                        .useTcp(true))
                        .build();
        assertThat(world.ask(resolver).records()).hasSize(1);
        var _ = server.connections.getFirst().close();
        assertThat(world.ask(resolver).records()).hasSize(1);
        assertThat(resolver.counters()).containsEntry(DnsCounter.TIMEOUTS, 0L);
    }

    /// dnsmasq ends a connection after 100 queries, others sooner.
    @Test
    void serverThatEndsEachConnectionAfterThreeAnswersAnswersAll() {
        List<SimServer> itself = new ArrayList<>();
        Map<Channel, Integer> asked = new HashMap<>();
        SimServer server =
                new SimServer(
                        world.sim,
                        world.host("tcp"),
                        (_, _, _) -> {},
                        query -> {
                            Channel connection = itself.getFirst().connections.getLast();
                            if (asked.merge(connection, 1, Integer::sum) <= 3) {
                                return List.of(good(query));
                            }
                            var _ = connection.close();
                            return List.of();
                        });
        itself.add(server);
        DnsResolver resolver =
                world.builder()
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(server.server()))
                                        .useTcp(true))
                        .build();
        List<Future<DnsAnswer>> all = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            all.add(resolver.resolve(name("n" + i + ".example."), RecordType.A));
        }
        all.forEach(future -> assertThat(world.await(future).records()).hasSize(1));
        assertThat(server.connections).hasSizeBetween(20, 21);
        assertThat(resolver.counters()).containsEntry(DnsCounter.TIMEOUTS, 0L);
    }

    @Test
    void fasterServerIsPreferredOnceItIsKnown() {
        SimServer slow =
                new SimServer(
                        world.sim,
                        world.host("slow"),
                        (query, _, reply) ->
                                world.sim.after(
                                        Duration.ofMillis(450), () -> reply.message(good(query))),
                        query -> List.of(good(query)));
        SimServer fast = world.goodServer();
        DnsResolver resolver = world.resolver(slow, fast);
        for (int i = 0; i < 10; i++) {
            assertThat(world.ask(resolver).records()).hasSize(1);
        }
        assertThat(slow.udp.size()).isLessThan(fast.udp.size());
    }

    @Test
    void rotationSharesTheQuestions() {
        SimServer one = world.goodServer();
        SimServer two = world.goodServer();
        DnsResolver resolver =
                world.builder()
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(one.server(), two.server()))
                                        .rotate(true))
                        .build();
        for (int i = 0; i < 10; i++) {
            assertThat(world.ask(resolver).records()).hasSize(1);
        }
        assertThat(one.udp).hasSize(5);
        assertThat(two.udp).hasSize(5);
    }

    @Test
    void questionsBeyondTheLimitsAreRefused() {
        DnsResolver resolver =
                world.builder()
                        .servers(silent().server())
                        .limits(ResolverLimits.DEFAULT.inFlight(1).waiting(1))
                        .build();
        var _ = resolver.resolve(name("a.example."), RecordType.A);
        Future<DnsAnswer> second = resolver.resolve(name("b.example."), RecordType.A);
        Future<DnsAnswer> third = resolver.resolve(name("c.example."), RecordType.A);
        assertThat(world.failure(third))
                .isInstanceOfSatisfying(
                        ResolveException.class,
                        e -> assertThat(e.reason()).isEqualTo(ResolveException.Reason.OVERLOADED));
        assertThat(world.failure(second))
                .isInstanceOfSatisfying(
                        ResolveException.class,
                        e -> assertThat(e.reason()).isEqualTo(ResolveException.Reason.TIMEOUT));
    }

    @Test
    void answerOfManySocketsLeavesNoneOpen() {
        DnsResolver resolver = world.resolver(world.goodServer());
        for (int i = 0; i < 20; i++) {
            assertThat(world.ask(resolver).records()).hasSize(1);
        }
        Future<DnsAnswer> cancelled = resolver.resolve(name("a.example."), RecordType.A);
        cancelled.cancel();
        world.sim.run(Duration.ofSeconds(1));
        assertThat(world.sockets()).isZero();
    }
}
