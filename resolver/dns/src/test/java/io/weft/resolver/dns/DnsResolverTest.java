package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.answer;
import static io.weft.resolver.dns.SimWorld.name;
import static io.weft.resolver.dns.SimWorld.zone;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.loop.Future;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ResolvedAddress;
import io.weft.resolver.names.ServiceBinding;
import io.weft.testkit.Warns;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Questions and answers over a simulated network.
class DnsResolverTest {
    private final SimWorld world = new SimWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private SimServer server(String... lines) {
        return SimServer.of(world.sim, world.host("server"), query -> zone(query, lines));
    }

    @Test
    void findsRecordsOfAnyType() {
        SimServer server = server("example.com. 60 MX 10 mail.example.com.");
        DnsResolver resolver = world.resolver(server);
        DnsAnswer answer = world.await(resolver.resolveAll("example.com", RecordType.MX));
        assertThat(answer).isInstanceOf(DnsAnswer.Found.class);
        assertThat(answer.records())
                .singleElement()
                .hasToString("example.com. 60 IN MX 10 mail.example.com.");
        assertThat(answer.ttl()).isEqualTo(60);
    }

    @Test
    void namesBehindPointersAreSpelledAsTheyWereAsked() {
        SimServer server =
                SimServer.of(
                        world.sim,
                        world.host("server"),
                        query -> {
                            String sent = query.questions().getFirst().name().toString();
                            return answer(query, sent + " 60 MX 10 mail." + sent);
                        });
        DnsAnswer answer =
                world.await(world.resolver(server).resolveAll("Example.com", RecordType.MX));
        assertThat(answer.records())
                .singleElement()
                .hasToString("Example.com. 60 IN MX 10 mail.Example.com.");
    }

    @Test
    void tellsForHowLongThereIsNothing() {
        SimServer server = server("example.com. 60 A 192.0.2.1");
        DnsResolver resolver = world.resolver(server);
        DnsAnswer noName = world.await(resolver.resolveAll("no.example.com", RecordType.A));
        assertThat(noName).isInstanceOf(DnsAnswer.NoName.class);
        assertThat(noName.ttl()).isEqualTo(300);
        DnsAnswer noData = world.await(resolver.resolveAll("example.com", RecordType.AAAA));
        assertThat(noData).isInstanceOf(DnsAnswer.NoData.class);
        assertThat(noData.ttl()).isEqualTo(300);
    }

    @Test
    void negativeAnswerWithoutSoaIsNotKept() {
        SimServer server =
                SimServer.of(
                        world.sim,
                        world.host("server"),
                        query -> query.response(ResponseCode.NXDOMAIN, List.of()));
        DnsAnswer answer =
                world.await(world.resolver(server).resolveAll("example.com", RecordType.A));
        assertThat(answer.ttl()).isZero();
    }

    @Test
    void followsAliasesThatAResponseDoesNot() {
        SimServer server =
                server(
                        "a.example.com. 60 CNAME b.example.com.",
                        "b.example.com. 50 CNAME c.example.com.",
                        "c.example.com. 70 A 192.0.2.1");
        DnsResolver resolver = world.resolver(server);
        DnsAnswer answer = world.await(resolver.resolveAll("a.example.com", RecordType.A));
        assertThat(answer.canonicalName()).isEqualTo(name("c.example.com."));
        assertThat(answer.aliases()).hasSize(2);
        assertThat(answer.ttl()).isEqualTo(50);
        assertThat(server.udp).hasSize(3);
    }

    @Test
    void aliasesInACircleFail() {
        SimServer server =
                server(
                        "a.example.com. 60 CNAME b.example.com.",
                        "b.example.com. 60 CNAME a.example.com.");
        Throwable failure =
                world.failure(world.resolver(server).resolveAll("a.example.com", RecordType.A));
        assertThat(failure)
                .isInstanceOfSatisfying(
                        ResolveException.class,
                        e -> assertThat(e.reason()).isEqualTo(ResolveException.Reason.ALIASES));
    }

    @Test
    void followsDname() {
        SimServer server =
                SimServer.of(
                        world.sim,
                        world.host("server"),
                        query ->
                                answer(
                                        query,
                                        "example.com. 60 DNAME example.net.",
                                        "www.example.net. 60 A 192.0.2.1"));
        DnsAnswer answer =
                world.await(world.resolver(server).resolveAll("www.example.com", RecordType.A));
        assertThat(answer.canonicalName()).isEqualTo(name("www.example.net."));
        assertThat(answer.records()).hasSize(1);
    }

    @Test
    void truncatedAnswerComesOverTcp() {
        SimServer server =
                new SimServer(
                        world.sim,
                        world.host("server"),
                        (query, _, reply) -> {
                            DnsMessage cut = query.response(ResponseCode.NOERROR, List.of());
                            reply.message(cut.flags(cut.flags().truncated(true)));
                        },
                        query -> List.of(answer(query, "example.com. 60 TXT whole")));
        DnsResolver resolver = world.resolver(server);
        DnsAnswer answer = world.await(resolver.resolveAll("example.com", RecordType.TXT));
        assertThat(answer.records()).hasSize(1);
        assertThat(resolver.counters()).containsEntry(DnsCounter.TRUNCATED, 1L);
        world.await(resolver.resolveAll("example.com", RecordType.TXT));
        assertThat(server.connections).as("reused").hasSize(1);
    }

    @Test
    void bothFamiliesAreAskedSideBySide() {
        SimServer server =
                server("example.com. 60 A 192.0.2.1", "example.com. 60 AAAA 2001:db8::1");
        DnsResolver resolver = world.resolver(server);
        List<ResolvedAddress> found = new ArrayList<>();
        Future<Void> search =
                resolver.resolve("example.com", 80, world.client.next(), found::addAll);
        world.await(search);
        assertThat(found).hasSize(2).allMatch(address -> address.port() == 80);
        assertThat(server.udp).hasSize(2);
    }

    /// Events of a search, in order.
    private static final class Heard implements NameResolver.Answers {
        final List<String> all = new ArrayList<>();

        @Override
        public void found(List<ResolvedAddress> addresses) {
            throw new AssertionError("without a time to live");
        }

        @Override
        public void found(List<ResolvedAddress> addresses, Duration timeToLive) {
            addresses.forEach(a -> all.add(a.address().getHostAddress() + " " + timeToLive));
        }

        @Override
        public void complete(StandardProtocolFamily family) {
            all.add(family.name());
        }

        @Override
        public void absent(Duration timeToLive) {
            all.add("absent " + timeToLive);
        }
    }

    @Test
    void searchForAddressesTellsTimesToLive() {
        DnsResolver resolver =
                world.resolver(
                        server(
                                "v4.example.com. 60 A 192.0.2.1",
                                "example.com. 60 A 192.0.2.1",
                                "example.com. 50 AAAA 2001:db8::1"));
        Heard both = new Heard();
        world.await(resolver.resolve("example.com", 80, world.client.next(), both));
        assertThat(both.all)
                .containsExactlyInAnyOrder(
                        "INET6", "2001:db8:0:0:0:0:0:1 PT50S", "INET", "192.0.2.1 PT1M");
        Heard one = new Heard();
        world.await(resolver.resolve("v4.example.com", 80, world.client.next(), one));
        assertThat(one.all).contains("INET", "192.0.2.1 PT1M");
        Heard none = new Heard();
        world.failure(resolver.resolve("no.example.com", 80, world.client.next(), none));
        assertThat(none.all).containsExactly("absent PT5M");
    }

    @Test
    @Warns
    void callerThatThrowsDoesNotEndTheSearch() {
        DnsResolver resolver = world.resolver(server("example.com. 60 A 192.0.2.1"));
        List<ResolvedAddress> found = new ArrayList<>();
        Future<Void> search =
                resolver.resolve(
                        "example.com",
                        80,
                        world.client.loops().getFirst(), // the resolver's own
                        addresses -> {
                            found.addAll(addresses);
                            throw new IllegalStateException("of the caller");
                        });
        world.await(search);
        assertThat(found).hasSize(1);
    }

    @Test
    void hostThatDoesNotExistIsUnknown() {
        DnsResolver resolver = world.resolver(server());
        Future<Void> search = resolver.resolve("no.example.com", 80, world.client.next(), _ -> {});
        assertThat(world.failure(search)).isInstanceOf(UnknownHostException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.1",
                "2130706433",
                "0x7f.1",
                "1.2.3.4.",
                "www.example.1",
                "127.\\049",
                "[::1]",
                "fe80::1%nosuch",
                "www.example:80",
                "\uff11\uff12\uff17.0.0.1",
                "127\u30020\u30020\u30021",
                "\uff3b\uff1a\uff1a1\uff3d"
            })
    void textsThatSystemsTakeForAddressesAreNotAskedFor(String host) {
        SimServer server = SimServer.of(world.sim, world.host("server"), q -> answer(q));
        DnsResolver resolver =
                world.builder()
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(server.server()))
                                        .search(List.of(name("example.com."))))
                        .build();
        Future<Void> search = resolver.resolve(host, 80, world.client.next(), _ -> {});
        assertThat(world.failure(search)).isInstanceOf(UnknownHostException.class);
        String whole = host.endsWith(".") ? host : host + ".";
        assertThat(world.await(resolver.serviceBinding(whole, 443, world.client.next())))
                .isEqualTo(ServiceBinding.NONE);
        assertThat(server.udp).isEmpty();
    }

    @Test
    void searchListCompletesShortNames() {
        SimServer server = server("www.corp.example.com. 60 A 192.0.2.1");
        DnsResolver resolver =
                world.builder()
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(server.server()))
                                        .search(
                                                List.of(
                                                        name("example.com."),
                                                        name("corp.example.com."))))
                        .build();
        DnsAnswer answer = world.await(resolver.resolveAll("www", RecordType.A));
        assertThat(answer.question().name()).isEqualTo(name("www.corp.example.com."));
        assertThat(world.await(resolver.resolveAll("www.", RecordType.A)).records()).isEmpty();
    }

    @Test
    void specialNamesAreNotAskedFor() {
        SimServer server = SimServer.of(world.sim, world.host("server"), q -> answer(q));
        DnsResolver resolver = world.resolver(server);
        DnsAnswer local = world.await(resolver.resolveAll("a.localhost", RecordType.A));
        assertThat(local.records()).singleElement().asString().endsWith("127.0.0.1");
        assertThat(world.await(resolver.resolveAll("LOCALHOST.", RecordType.AAAA)).records())
                .hasSize(1);
        assertThat(world.await(resolver.resolveAll("a.invalid", RecordType.A)))
                .isInstanceOf(DnsAnswer.NoName.class);
        assertThat(server.udp).isEmpty();
    }

    @Test
    void rawQueriesForSpecialNamesAreAnsweredHere() {
        SimServer server = SimServer.of(world.sim, world.host("server"), q -> answer(q));
        DnsResolver resolver = world.resolver(server);
        DnsMessage query = DnsMessage.query(7, name("db.LocalHost."), RecordType.A);
        DnsMessage local = world.await(resolver.exchange(query));
        assertThat(local.id()).isEqualTo(7);
        assertThat(local.questions()).isEqualTo(query.questions());
        assertThat(local.answers())
                .singleElement()
                .hasToString("db.LocalHost. 86400 IN A 127.0.0.1");
        DnsMessage none =
                world.await(
                        resolver.exchange(DnsMessage.query(8, name("localhost."), RecordType.TXT)));
        assertThat(none.code()).isEqualTo(ResponseCode.NOERROR);
        assertThat(none.authorities())
                .singleElement()
                .asString()
                .startsWith("localhost. 86400 IN SOA");
        for (String special : List.of("a.b.invalid.", "facebookcorewwwi.onion.")) {
            DnsMessage no =
                    world.await(
                            resolver.exchange(DnsMessage.query(9, name(special), RecordType.A)));
            assertThat(no.code()).isEqualTo(ResponseCode.NXDOMAIN);
            assertThat(no.authorities()).hasSize(1);
        }
        assertThat(server.udp).isEmpty();
    }

    @Test
    void aliasOfASpecialNameHasWhatThatHas() {
        SimServer server = server("a.example.com. 60 CNAME localhost.");
        DnsResolver resolver = world.resolver(server);
        assertThat(world.await(resolver.resolveAll("a.example.com", RecordType.A)).records())
                .singleElement()
                .asString()
                .endsWith("127.0.0.1");
        assertThat(world.await(resolver.resolveAll("a.example.com", RecordType.MX)))
                .isInstanceOf(DnsAnswer.NoData.class);
        assertThat(server.udp).hasSize(2);
    }

    @Test
    void namesOfOtherScriptsBecomeAscii() {
        SimServer server = server("xn--bcher-kva.example. 60 A 192.0.2.1");
        DnsAnswer answer =
                world.await(world.resolver(server).resolveAll("b\u00fccher.example", RecordType.A));
        assertThat(answer.records()).hasSize(1);
    }

    @Test
    void equalQuestionsAreAskedOnce() {
        SimServer server = server("example.com. 60 A 192.0.2.1");
        DnsResolver resolver = world.resolver(server);
        List<Future<DnsAnswer>> all = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            all.add(resolver.resolveAll("example.com", RecordType.A));
        }
        all.forEach(future -> assertThat(world.await(future).records()).hasSize(1));
        assertThat(server.udp).hasSize(1);
        assertThat(resolver.counters()).containsEntry(DnsCounter.COALESCED, 9L);
    }

    @Test
    void questionThatIsCancelledBeforeItBeginsIsNotAsked() {
        SimServer server = server("example.com. 60 A 192.0.2.1");
        DnsResolver resolver = world.resolver(server);
        resolver.resolveAll("example.com", RecordType.A).cancel();
        resolver.resolve("example.com", 80, world.client.next(), _ -> {}).cancel();
        resolver.services(name("_http._tcp.example.com.")).cancel();
        resolver.exchange(DnsMessage.query(1, name("example.com."), RecordType.A)).cancel();
        world.sim.run(Duration.ofSeconds(1));
        assertThat(server.udp).isEmpty();
    }

    @Test
    void closeFailsQuestionsInFlight() {
        SimServer server =
                new SimServer(world.sim, world.host("server"), (_, _, _) -> {}, _ -> List.of());
        DnsResolver resolver = world.resolver(server);
        Future<DnsAnswer> answer = resolver.resolveAll("example.com", RecordType.A);
        resolver.close();
        assertThat(world.failure(answer))
                .isInstanceOfSatisfying(
                        ResolveException.class,
                        e -> assertThat(e.reason()).isEqualTo(ResolveException.Reason.CLOSED));
    }

    @Test
    void familyIsCompleteBehindItsAddresses() {
        DnsResolver resolver =
                world.resolver(
                        server("a.example.com. 60 A 192.0.2.1", "a.example.com. 60 AAAA ::2"));
        List<String> told = new ArrayList<>();
        world.await(
                resolver.resolve(
                        "a.example.com",
                        80,
                        world.client.loops().getFirst(),
                        new NameResolver.Answers() {
                            @Override
                            public void found(List<ResolvedAddress> addresses) {
                                told.add(addresses.getFirst().isIpv6() ? "6" : "4");
                            }

                            @Override
                            public void complete(StandardProtocolFamily family) {
                                told.add(family.name());
                            }
                        }));
        // A connect that has an address of IPv4 begins with it when it hears that IPv6 is complete.
        assertThat(told.indexOf("6")).isLessThan(told.indexOf("INET6"));
        assertThat(told.indexOf("4")).isLessThan(told.indexOf("INET"));
    }
}
