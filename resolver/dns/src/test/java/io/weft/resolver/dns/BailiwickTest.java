package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.answer;
import static io.weft.resolver.dns.SimWorld.name;
import static io.weft.resolver.dns.SimWorld.records;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Responses of the right server that say more than they were asked, or more than the server can
/// know: it is that of corp.example, and has gone over to the forger.
class BailiwickTest {
    private static final String EVIL = Forgeries.EVIL;

    private final SimWorld world = new SimWorld();

    @AfterEach
    void close() {
        world.close();
    }

    /// A response to a question for www.corp.example, each section with lines of a master file.
    record Response(
            String label,
            List<String> answers,
            List<String> authorities,
            List<String> additionals) {
        @Override
        public String toString() {
            return label;
        }

        DnsMessage to(DnsMessage query) {
            DnsMessage response = query.response(ResponseCode.NOERROR, List.of());
            return response.sections(lines(answers), lines(authorities), lines(additionals));
        }

        private static List<io.weft.codec.dns.DnsRecord> lines(List<String> lines) {
            return records(lines.toArray(String[]::new));
        }
    }

    private static final String ADDRESS = "www.corp.example. 60 A 192.0.2.1";
    private static final String ALIAS = "www.corp.example. 60 CNAME www.bank.example.";

    static List<Response> responses() {
        List<String> none = List.of();
        String evil = "www.bank.example. 9999 A " + EVIL;
        return List.of(
                new Response("another name among the answers", List.of(ADDRESS, evil), none, none),
                new Response("another name before the answer", List.of(evil, ADDRESS), none, none),
                new Response("another name beside", List.of(ADDRESS), none, List.of(evil)),
                new Response("another name as authority", List.of(ADDRESS), List.of(evil), none),
                new Response(
                        "the same name, additional",
                        List.of(ADDRESS),
                        none,
                        List.of("www.corp.example. 60 A " + EVIL)),
                new Response(
                        "the same name, as authority",
                        List.of(ADDRESS),
                        List.of("www.corp.example. 60 A " + EVIL),
                        none),
                new Response(
                        "the same name of another class",
                        List.of("www.corp.example. 60 CLASS9 A \\# 4 cb007142", ADDRESS),
                        none,
                        none),
                new Response(
                        "a delegation with glue",
                        List.of(ADDRESS),
                        List.of("bank.example. 9999 NS ns.bank.example."),
                        List.of("ns.bank.example. 9999 A " + EVIL)),
                new Response(
                        "a delegation of the domain above",
                        List.of(ADDRESS),
                        List.of("example. 9999 NS ns.evil.example."),
                        List.of("ns.evil.example. 9999 A " + EVIL)),
                new Response(
                        "a delegation of the root",
                        List.of(ADDRESS),
                        List.of(". 9999 NS ns.evil.example."),
                        List.of("ns.evil.example. 9999 A " + EVIL)),
                new Response(
                        "an alias to another zone, with its address",
                        List.of(ALIAS, evil),
                        none,
                        none),
                new Response("the address before the alias", List.of(evil, ALIAS), none, none),
                new Response("an alias, its address beside", List.of(ALIAS), none, List.of(evil)),
                new Response(
                        "an alias, and one of the target",
                        List.of(
                                ALIAS,
                                "www.bank.example. 60 CNAME www.evil.example.",
                                "www.evil.example. 60 A " + EVIL),
                        none,
                        none),
                new Response(
                        "a DNAME of the domain above",
                        List.of(
                                ALIAS,
                                "example. 9999 DNAME evil.example.net.",
                                "www.bank.evil.example.net. 9999 A " + EVIL),
                        none,
                        none),
                new Response(
                        "a DNAME of the root",
                        List.of(ALIAS, ". 9999 DNAME evil.example.", evil),
                        none,
                        none),
                new Response(
                        "a DNAME to another zone, with its address",
                        List.of("corp.example. 60 DNAME bank.example.", evil),
                        none,
                        none),
                new Response(
                        "a DNAME above the question's name",
                        List.of(
                                "example. 60 DNAME evil.example.net.",
                                "www.corp.evil.example.net. 60 A " + EVIL,
                                ADDRESS),
                        none,
                        none),
                new Response(
                        "the other family's address",
                        List.of(ADDRESS, "www.corp.example. 60 AAAA ::ffff:203.0.113.66"),
                        none,
                        none));
    }

    @ParameterizedTest
    @MethodSource("responses")
    void extraRecordsAreNotBelieved(Response response) {
        SimServer corp = SimServer.of(world.sim, world.host("corp"), query -> response.to(query));
        SimServer main =
                SimServer.of(
                        world.sim,
                        world.host("main"),
                        query ->
                                answer(
                                        query,
                                        query.questions().getFirst().name() + " 60 A 192.0.2.1"));
        DnsResolver resolver =
                world.builder()
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(main.server()))
                                        .domains(
                                                List.of(
                                                        new ResolverConfig.DomainServers(
                                                                name("corp.example."),
                                                                List.of(corp.server())))))
                        .build();
        assertGenuine(resolver, "www.corp.example.");
        // Nothing that was said of others has changed anything for them.
        assertGenuine(resolver, "www.bank.example.");
        assertThat(corp.udp).hasSize(1);
        assertThat(main.udp).isNotEmpty();
    }

    private void assertGenuine(DnsResolver resolver, String asked) {
        DnsAnswer answer = world.await(resolver.resolve(name(asked), RecordType.A));
        assertThat(answer.toString()).doesNotContain(EVIL).doesNotContain("evil");
        assertThat(answer.records())
                .singleElement()
                .satisfies(record -> assertThat(record.data()).hasToString("192.0.2.1"));
    }
}
