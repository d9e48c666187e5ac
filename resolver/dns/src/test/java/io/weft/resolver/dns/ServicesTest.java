package io.weft.resolver.dns;

import static io.weft.resolver.dns.SimWorld.name;
import static io.weft.resolver.dns.SimWorld.records;
import static io.weft.resolver.dns.SimWorld.zone;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.dns.ResponseCode;
import io.weft.resolver.names.ServiceBinding;
import io.weft.resolver.names.ServiceEndpoint;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ServicesTest {
    private final SimWorld world = new SimWorld();

    @AfterEach
    void close() {
        world.close();
    }

    private DnsResolver resolver(String... lines) {
        return world.resolver(
                SimServer.of(world.sim, world.host("server"), query -> zone(query, lines)));
    }

    @Test
    void srvRecordsComeByPriority() {
        DnsResolver resolver =
                resolver(
                        "_x._tcp.example.com. 60 SRV 20 0 5222 c.example.com.",
                        "_x._tcp.example.com. 60 SRV 10 60 5223 a.example.com.");
        List<ServiceAddress> found = world.await(resolver.services(name("_x._tcp.example.com.")));
        assertThat(found).extracting(ServiceAddress::port).containsExactly(5223, 5222);
        assertThat(world.await(resolver.services(name("_y._tcp.example.com.")))).isEmpty();
    }

    @Test
    void srvRecordsOfMoreWeightAreMoreOftenFirst() {
        var records =
                records(
                        "s. 60 SRV 1 0 1 zero.",
                        "s. 60 SRV 1 10 2 ten.",
                        "s. 60 SRV 1 30 3 thirty.",
                        "s. 60 SRV 0 0 0 .");
        Random random = new Random(Long.getLong("io.weft.test.seed", 1));
        Map<Integer, Integer> firsts = new HashMap<>();
        for (int i = 0; i < 4100; i++) {
            List<ServiceAddress> order = Services.ofSrv(records, random);
            assertThat(order).hasSize(3).doesNotHaveDuplicates();
            firsts.merge(order.getFirst().port(), 1, Integer::sum);
        }
        assertThat(firsts.get(1)).isBetween(50, 200);
        assertThat(firsts.get(2)).isBetween(850, 1150);
        assertThat(firsts.get(3)).isBetween(2800, 3200);
    }

    @Test
    void httpsRecordsTellProtocolsPortsAndHints() throws Exception {
        DnsResolver resolver =
                resolver(
                        "example.com. 60 HTTPS 2 b.example.com. port=8443 alpn=h3 no-default-alpn",
                        "example.com. 60 HTTPS 1 . alpn=h2 ipv4hint=192.0.2.7 ipv6hint=2001:db8::7",
                        "example.com. 60 HTTPS 3 c.example.com. mandatory=key77 key77=x");
        List<ServiceAddress> found = world.await(resolver.httpsServices(name("example.com."), 443));
        assertThat(found).hasSize(2);
        assertThat(found.getFirst().target()).isEqualTo(name("example.com."));
        assertThat(found.getFirst().port()).isEqualTo(443);
        assertThat(found.getFirst().protocols()).containsExactly("h2", "http/1.1");
        assertThat(found.getFirst().hints())
                .containsExactly(
                        InetAddress.getByName("2001:db8::7"), InetAddress.getByName("192.0.2.7"));
        assertThat(found.getLast().port()).isEqualTo(8443);
        assertThat(found.getLast().protocols()).containsExactly("h3");
    }

    @Test
    void aliasesOfHttpsRecordsAreFollowed() {
        DnsResolver resolver =
                resolver(
                        "_8443._https.example.com. 60 HTTPS 0 pool.example.com.",
                        "pool.example.com. 60 HTTPS 1 . alpn=h2",
                        "gone.example.com. 60 HTTPS 0 .");
        List<ServiceAddress> found =
                world.await(resolver.httpsServices(name("example.com."), 8443));
        assertThat(found)
                .singleElement()
                .returns(name("pool.example.com."), ServiceAddress::target)
                .returns(8443, ServiceAddress::port);
        assertThat(world.await(resolver.httpsServices(name("gone.example.com."), 443))).isEmpty();
    }

    @Test
    void circleOfAliasesFails() {
        DnsResolver resolver =
                resolver(
                        "a.example.com. 60 HTTPS 0 b.example.com.",
                        "b.example.com. 60 HTTPS 0 a.example.com.");
        assertThat(world.failure(resolver.httpsServices(name("a.example.com."), 443)))
                .isInstanceOf(ResolveException.class);
    }

    private ServiceBinding binding(DnsResolver resolver, String host, int port) {
        return world.await(resolver.serviceBinding(host, port, world.client.loops().getFirst()));
    }

    @Test
    void bindingHasPlacesThatAClientOfHttpMayUse() {
        DnsResolver resolver =
                resolver(
                        "example.com. 60 HTTPS 2 b.example.com. port=8443 alpn=h2",
                        "example.com. 50 HTTPS 1 . alpn=h2 ipv4hint=192.0.2.7",
                        "example.com. 60 HTTPS 3 c.example.com. mandatory=key77 key77=x",
                        "example.com. 60 HTTPS 4 d.example.com. mandatory=ech ech=AAEC",
                        "example.com. 60 HTTPS 5 e.example.com. port=0");
        ServiceBinding found = binding(resolver, "example.com", 443);
        assertThat(found.endpoints())
                .containsExactly(
                        new ServiceEndpoint(
                                "example.com.",
                                443,
                                List.of("h2", "http/1.1"),
                                List.of(InetAddress.ofLiteral("192.0.2.7"))),
                        new ServiceEndpoint(
                                "b.example.com.", 8443, List.of("h2", "http/1.1"), List.of()));
        assertThat(found.timeToLive()).hasSeconds(50);
        assertThat(binding(resolver, "no.example.com", 443).isEmpty()).isTrue();
        assertThat(binding(resolver, "no.example.com", 443).timeToLive()).hasSeconds(300);
    }

    @Test
    void endOfAliasesIsAPlaceWithoutParameters() {
        DnsResolver resolver =
                resolver(
                        "_8443._https.example.com. 60 HTTPS 0 pool.example.com.",
                        "pool.example.com. 60 A 192.0.2.1",
                        "gone.example.com. 60 HTTPS 0 .");
        assertThat(binding(resolver, "example.com", 8443).endpoints())
                .containsExactly(
                        new ServiceEndpoint("pool.example.com.", 8443, List.of(), List.of()));
        assertThat(binding(resolver, "gone.example.com", 443).isEmpty()).isTrue();
    }

    @Test
    void endOfAliasesIsBehindItsRecords() {
        DnsResolver resolver =
                resolver(
                        "example.com. 60 HTTPS 0 pool.example.com.",
                        "pool.example.com. 60 HTTPS 1 a.example.com. alpn=h2");
        assertThat(binding(resolver, "example.com", 443).endpoints())
                .extracting(ServiceEndpoint::host)
                .containsExactly("a.example.com.", "pool.example.com.");
        List<ServiceAddress> found = world.await(resolver.httpsServices(name("example.com."), 443));
        assertThat(found.getLast().priority()).isEqualTo(0x10000);
    }

    @Test
    void placesOfEqualPriorityComeAtRandom() {
        DnsResolver resolver =
                resolver(
                        "example.com. 60 HTTPS 1 a.example.com. alpn=h2",
                        "example.com. 60 HTTPS 1 b.example.com. alpn=h2");
        Map<String, Integer> firsts = new HashMap<>();
        for (int i = 0; i < 64; i++) {
            firsts.merge(
                    binding(resolver, "example.com", 443).endpoints().getFirst().host(),
                    1,
                    Integer::sum);
        }
        assertThat(firsts).hasSize(2);
    }

    @Test
    void namesThatASearchListCompletesAndSpecialOnesHaveNoRecords() {
        SimServer server =
                SimServer.of(
                        world.sim, world.host("server"), query -> zone(query, "a. 1 A 1.1.1.1"));
        DnsResolver resolver =
                world.builder()
                        .config(
                                ResolverConfig.DEFAULT
                                        .servers(List.of(server.server()))
                                        .search(List.of(name("example.com."))))
                        .build();
        assertThat(binding(resolver, "intranet", 443).isEmpty()).isTrue();
        assertThat(binding(resolver, "localhost.", 443).isEmpty()).isTrue();
        assertThat(binding(resolver, "x.invalid", 443).isEmpty()).isTrue();
        assertThat(server.udp).isEmpty();
    }

    @Test
    void unansweredQuestionFailsTheBinding() {
        SimServer server =
                SimServer.of(
                        world.sim,
                        world.host("server"),
                        query -> query.response(ResponseCode.SERVFAIL, List.of()));
        assertThat(
                        world.failure(
                                world.resolver(server)
                                        .serviceBinding(
                                                "example.com",
                                                443,
                                                world.client.loops().getFirst())))
                .isInstanceOf(ResolveException.class);
    }
}
