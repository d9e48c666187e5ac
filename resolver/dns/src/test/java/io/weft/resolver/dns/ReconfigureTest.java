package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.answer;
import static io.weft.resolver.dns.SimWorld.name;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RdataFormat;
import io.weft.codec.dns.RecordType;
import io.weft.loop.Future;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Questions that are in flight while the configuration is exchanged.
class ReconfigureTest {
    private static final DnsName HOST = name("www.corp.example.");

    private final SimWorld world = new SimWorld();
    private final HeldServer old = new HeldServer();
    private final SimServer other =
            SimServer.of(
                    world.sim,
                    world.host("other"),
                    query ->
                            answer(query, query.questions().getFirst().name() + " 60 A 192.0.2.1"));
    private final ResolverConfig before = ResolverConfig.DEFAULT.servers(List.of(old.server()));
    private final ResolverConfig after = ResolverConfig.DEFAULT.servers(List.of(other.server()));

    @AfterEach
    void close() {
        world.close();
    }

    private DnsResolver resolver(ResolverConfig config) {
        return world.builder().config(config).cache(DnsCacheLimits.DEFAULT).build();
    }

    private Future<DnsAnswer> ask(DnsResolver resolver) {
        Future<DnsAnswer> answer = resolver.resolve(HOST, RecordType.A);
        world.sim.run(Duration.ofMillis(100));
        return answer;
    }

    private String address(Future<DnsAnswer> answer) {
        return RdataFormat.text(world.await(answer).records().getFirst().data());
    }

    @Test
    void answersOfADomainsServersStayWithinTheDomainThatTheyWereAskedFor() {
        DnsResolver resolver =
                resolver(
                        after.domains(
                                List.of(
                                        new ResolverConfig.DomainServers(
                                                name("corp.example."), List.of(old.server())))));
        Future<DnsAnswer> inFlight = ask(resolver);
        world.await(resolver.reconfigure(after));
        old.answer(
                "www.corp.example. 3600 CNAME www.bank.example.",
                "www.bank.example. 3600 A " + Forgeries.EVIL);
        assertThat(address(inFlight)).isEqualTo("192.0.2.1");
        assertThat(address(ask(resolver))).isEqualTo("192.0.2.1");
        assertThat(address(resolver.resolve(name("www.bank.example."), RecordType.A)))
                .isEqualTo("192.0.2.1");
    }

    @Test
    void newQuestionsDoNotWaitForTheAnswersOfOldServers() {
        DnsResolver resolver = resolver(before);
        Future<DnsAnswer> inFlight = ask(resolver);
        world.await(resolver.reconfigure(after));
        assertThat(address(ask(resolver))).isEqualTo("192.0.2.1");
        old.answer("www.corp.example. 3600 A 192.0.2.9");
        assertThat(address(inFlight)).isEqualTo("192.0.2.9");
    }

    @Test
    void answersOfOldServersAreNotKept() {
        DnsResolver resolver = resolver(before);
        Future<DnsAnswer> inFlight = ask(resolver);
        world.await(resolver.reconfigure(after));
        old.answer("www.corp.example. 3600 A 192.0.2.9");
        assertThat(address(inFlight)).isEqualTo("192.0.2.9");
        assertThat(address(ask(resolver))).isEqualTo("192.0.2.1");
    }

    @Test
    void aliasesAreFollowedByTheServersOfTheQuestion() {
        DnsResolver resolver = resolver(before);
        Future<DnsAnswer> inFlight = ask(resolver);
        world.await(resolver.reconfigure(after));
        old.answer("www.corp.example. 3600 CNAME host.corp.example.");
        world.sim.run(Duration.ofMillis(100));
        old.answer("host.corp.example. 3600 A 192.0.2.9");
        assertThat(address(inFlight)).isEqualTo("192.0.2.9");
        assertThat(old.asked).containsExactly("www.corp.example.", "host.corp.example.");
        assertThat(other.udp).isEmpty();
    }

    @Test
    void connectionToAServerThatIsGoneClosesBehindTheLastAnswer() {
        SimServer gone =
                SimServer.of(
                        world.sim,
                        world.host("gone"),
                        query ->
                                query.questions().getFirst().name().equals(HOST)
                                        ? answer(query, HOST + " 60 CNAME host.corp.example.")
                                        : answer(query, "host.corp.example. 60 A 192.0.2.9"));
        DnsResolver resolver = resolver(before.servers(List.of(gone.server())).useTcp(true));
        Future<DnsAnswer> inFlight = resolver.resolve(HOST, RecordType.A);
        Future<Void> changed = resolver.reconfigure(after); // before any answer
        assertThat(address(inFlight)).isEqualTo("192.0.2.9");
        world.await(changed);
        world.sim.run(Duration.ofSeconds(1));
        assertThat(gone.connections).hasSize(2).noneMatch(connection -> connection.isOpen());
    }

    @Test
    void equalConfigurationChangesNothing() {
        DnsResolver resolver = resolver(before);
        Future<DnsAnswer> first = ask(resolver);
        world.await(resolver.reconfigure(before.rotate(false)));
        Future<DnsAnswer> second = ask(resolver);
        old.answer("www.corp.example. 3600 A 192.0.2.9");
        assertThat(address(first)).isEqualTo("192.0.2.9");
        assertThat(address(second)).isEqualTo("192.0.2.9");
        assertThat(address(ask(resolver))).as("kept").isEqualTo("192.0.2.9");
        assertThat(old.asked).hasSize(1);
    }
}
