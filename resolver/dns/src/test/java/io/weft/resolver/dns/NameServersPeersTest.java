package io.weft.resolver.dns;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RdataFormat;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ZoneDecoder;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.Pem;
import io.weft.tls.x509.TlsIdentity;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The resolver asks BIND, Knot, Unbound and dnsmasq.
@Tag("peers")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NameServersPeersTest {
    private static final int PROBES = 100;

    @TempDir Path directory;
    private EventLoopGroup group;
    private TlsIdentity identity;

    @BeforeEach
    void start() throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        group = EventLoopGroup.create("nio", 1);
        identity = CertificateBuilder.selfSigned("dns.test", "127.0.0.1");
        Files.writeString(directory.resolve("cert.pem"), Pem.write(identity.certificate()));
        Files.writeString(directory.resolve("key.pem"), Pem.write(identity.key()));
    }

    @AfterEach
    void stop() {
        if (group != null) {
            group.close();
            assertThat(Ledger.takeOpen()).isEmpty();
        }
    }

    private Path in(String name) throws IOException {
        Path made = Files.createDirectories(directory.resolve(name));
        for (String file : List.of("cert.pem", "key.pem")) {
            Files.copy(directory.resolve(file), made.resolve(file));
        }
        return made;
    }

    private DnsResolver resolver(ResolverConfig config) {
        return DnsResolver.builder(group).config(config).build();
    }

    private static ResolverConfig of(DnsServer server) {
        return ResolverConfig.DEFAULT.servers(List.of(server));
    }

    /// Asks until the server has started.
    private void await(PeerServer server, String name) throws Exception {
        try (DnsResolver probe = resolver(of(DnsServer.of(server.address())).attempts(1))) {
            for (int i = 0; ; i++) {
                Future<DnsAnswer> answer = probe.resolve(DnsName.parse(name), RecordType.A);
                boolean done = answer.await(10, TimeUnit.SECONDS);
                if (done && answer.isSuccess()) {
                    return;
                }
                Path log = directory.resolve("log");
                assertThat(i)
                        .as(Files.exists(log) ? Files.readString(log) : "started")
                        .isLessThan(PROBES);
                assertThat(server.process().waitFor(100, TimeUnit.MILLISECONDS))
                        .as("the server has ended")
                        .isFalse();
            }
        }
    }

    private static List<String> ask(DnsResolver resolver, String name, String type) {
        DnsAnswer answer = resolver.resolve(DnsName.parse(name), RecordType.parse(type)).join();
        return answer.records().stream()
                .map(r -> r.type() + " " + RdataFormat.text(r.data()))
                .sorted()
                .toList();
    }

    /// The table of names, by whatever way to the server.
    private static void assertTable(DnsResolver resolver, boolean outside) {
        assertThat(ask(resolver, "www.example.test.", "A"))
                .containsExactly("A 192.0.2.1", "A 192.0.2.2");
        assertThat(ask(resolver, "wWw.eXample.test.", "AAAA")).containsExactly("AAAA 2001:db8::1");
        assertThat(ask(resolver, "alias.example.test.", "A")).hasSize(2);
        // An alias to a zone elsewhere: dnsmasq takes it for all that there is, unless its server
        // follows it.
        if (outside) {
            assertThat(ask(resolver, "out.example.test.", "A")).hasSize(2);
            assertThat(ask(resolver, "www.dn.example.test.", "AAAA")).hasSize(1);
        }
        assertThat(ask(resolver, "example.test.", "MX")).containsExactly("MX 10 www.example.test.");
        assertThat(ask(resolver, "example.test.", "HTTPS")).hasSize(1);
        assertThat(ask(resolver, "_http._tcp.example.test.", "SRV")).hasSize(1);
        assertThat(ask(resolver, "big.example.test.", "TXT")).hasSize(20);
        DnsAnswer noName = resolver.resolve(DnsName.parse("no.example.test."), RecordType.A).join();
        assertThat(noName).isInstanceOf(DnsAnswer.NoName.class);
        assertThat(noName.ttl()).isBetween(0, 60);
        DnsAnswer noData =
                resolver.resolve(DnsName.parse("www.example.test."), RecordType.TXT).join();
        assertThat(noData).isInstanceOf(DnsAnswer.NoData.class);
    }

    private void assertAnswers(PeerServer server, boolean outside) throws Exception {
        await(server, "www.example.test.");
        DnsServer plain = DnsServer.of(server.address());
        try (DnsResolver udp = resolver(of(plain));
                DnsResolver tcp = resolver(of(plain).useTcp(true));
                DnsResolver old = resolver(of(plain).edns(false))) {
            assertTable(udp, outside);
            assertTable(tcp, outside);
            assertTable(old, outside);
            assertThat(udp.counters()).containsEntry(DnsCounter.IGNORED, 0L);
            assertThat(udp.counters().get(DnsCounter.TRUNCATED)).isPositive();
            assertThat(tcp.counters()).containsEntry(DnsCounter.SENT_UDP, 0L);
            List<Future<DnsAnswer>> many = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                many.add(tcp.resolve(DnsName.parse("n" + i + ".example.test."), RecordType.A));
                many.add(udp.resolve(DnsName.parse("m" + i + ".example.test."), RecordType.A));
            }
            many.forEach(f -> assertThat(f.join()).isInstanceOf(DnsAnswer.NoName.class));
        }
    }

    private void assertTls(PeerServer server, boolean outside) throws Exception {
        TlsContext trusting = TlsContext.client().trust(identity.certificate()).build();
        DnsServer strict =
                new DnsServer.Tls(
                        server.tls(),
                        true,
                        "dns.test",
                        Set.of(DnsServer.Tls.pin(identity.certificate())),
                        null,
                        trusting);
        try (DnsResolver tls = resolver(of(strict))) {
            assertTable(tls, outside);
            assertThat(tls.counters())
                    .containsEntry(DnsCounter.SENT_UDP, 0L)
                    .containsEntry(DnsCounter.SENT_TCP, 0L);
        }
    }

    @Test
    void bindAnswers() throws Exception {
        try (PeerServer server = PeerServer.bind(directory)) {
            assertAnswers(server, true);
            assertTls(server, true);
        }
    }

    @Test
    void knotAnswers() throws Exception {
        try (PeerServer server = PeerServer.knot(directory)) {
            assertAnswers(server, true);
        }
    }

    @Test
    void unboundAnswers() throws Exception {
        try (PeerServer authority = PeerServer.bind(in("authority"))) {
            await(authority, "www.example.test.");
            try (PeerServer server = PeerServer.unbound(in("cache"), authority.port())) {
                assertAnswers(server, true);
                assertTls(server, true);
            }
        }
    }

    @Test
    void dnsmasqAnswers() throws Exception {
        try (PeerServer authority = PeerServer.bind(in("authority"))) {
            await(authority, "www.example.test.");
            try (PeerServer server = PeerServer.dnsmasq(in("cache"), authority.port())) {
                assertAnswers(server, false);
            }
        }
    }

    @Test
    void refusalIsTold() throws Exception {
        try (PeerServer server = PeerServer.bind(directory)) {
            await(server, "www.example.test.");
            try (DnsResolver resolver = resolver(of(DnsServer.of(server.address())))) {
                Future<DnsAnswer> answer =
                        resolver.resolve(DnsName.parse("www.elsewhere.test."), RecordType.A);
                assertThat(org.assertj.core.api.Assertions.catchThrowable(answer::join))
                        .isInstanceOf(CompletionException.class)
                        .cause()
                        .hasMessageContaining("REFUSED");
            }
        }
    }

    @Test
    void zoneTransfersAreDecoded() throws Exception {
        try (PeerServer server = PeerServer.bind(directory)) {
            await(server, "www.example.test.");
            DnsName zone = DnsName.parse("example.test.");
            List<DnsRecord> transferred = transfer(server.address(), zone);
            List<DnsRecord> expected = new ArrayList<>(ZoneDecoder.parse(PeerServer.ZONE, zone));
            expected.add(expected.getFirst()); // SOA at both ends
            assertThat(transferred).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    private static List<DnsRecord> transfer(InetSocketAddress server, DnsName zone)
            throws IOException {
        List<DnsRecord> records = new ArrayList<>();
        try (Socket socket = new Socket();
                Output out = new Output();
                DnsDecoder decoder = DnsDecoder.stream()) {
            socket.connect(server, 10_000);
            socket.setSoTimeout(60_000);
            DnsEncoder.stream().encode(DnsMessage.query(77, zone, RecordType.AXFR), out);
            try (Buffer query = Objects.requireNonNull(out.next())) {
                byte[] octets = new byte[query.readableBytes()];
                query.readBytes(octets);
                socket.getOutputStream().write(octets);
            }
            while (records.size() < 2 || !records.getLast().type().equals(RecordType.SOA)) {
                byte[] length = socket.getInputStream().readNBytes(2);
                byte[] message =
                        socket.getInputStream()
                                .readNBytes((length[0] & 0xFF) << 8 | (length[1] & 0xFF));
                try (Buffer in = BufferAllocator.pooled().allocate(message.length + 2)) {
                    in.writeBytes(length).writeBytes(message);
                    decoder.decode(in, m -> records.addAll(m.answers()));
                }
            }
        }
        return records;
    }
}
