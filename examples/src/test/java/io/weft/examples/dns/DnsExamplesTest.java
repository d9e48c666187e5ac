package io.weft.examples.dns;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.MessageHandler;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.rdata.A;
import io.weft.eventloop.EventLoopGroup;
import io.weft.examples.Served;
import io.weft.handler.codec.DecoderHandler;
import io.weft.handler.codec.EncoderHandler;
import io.weft.handler.tls.TlsHandler;
import io.weft.resolver.dns.DnsServer;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// dns-query asks dns-forwarder, which asks dns-server.
class DnsExamplesTest {
    private static final DnsName NAME = DnsName.parse("www.example.com.");

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Served server() {
        DnsZone zone = ZoneServer.zone(null, DnsName.ROOT);
        return Served.start(options -> ZoneServer.start(options, zone), "nio");
    }

    private static String query(int exit, String... args) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int ended =
                DnsQuery.run(
                        new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), args);
        assertThat(ended).as(err.toString(UTF_8)).isEqualTo(exit);
        return out.toString(UTF_8) + err.toString(UTF_8);
    }

    private static String at(Served served) {
        return "@127.0.0.1:" + served.address().getPort();
    }

    @Test
    void serverAnswersOverUdpAndTcp() {
        try (Served server = server()) {
            assertThat(query(0, "www.example.com", at(server)))
                    .contains("status: NOERROR, flags: qr aa rd")
                    .contains("www.example.com. 3600 IN A 192.0.2.1");
            assertThat(query(0, "web.example.com", "AAAA", at(server), "+tcp", "+short"))
                    .isEqualTo("www.example.com." + nl() + "2001:db8::1" + nl());
            assertThat(query(0, "no.example.com", "MX", at(server))).contains("NXDOMAIN");
            assertThat(query(1, "www.example.org", at(server))).contains("REFUSED");
        }
    }

    /// Sends octets as one datagram, and returns the answer to `next` behind them.
    private static DnsMessage behind(Served server, byte[] octets, DnsMessage next)
            throws Exception {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(60_000);
            socket.connect(server.address());
            socket.send(new DatagramPacket(octets, octets.length));
            byte[] wire = octets(next);
            socket.send(new DatagramPacket(wire, wire.length));
            while (true) {
                DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
                socket.receive(packet);
                try (Buffer in = BufferAllocator.pooled().allocate(packet.getLength())) {
                    in.writeBytes(packet.getData(), 0, packet.getLength());
                    if (in.getUnsignedShort(0) == next.id()) {
                        return DnsDecoder.datagrams().message(in);
                    }
                }
            }
        }
    }

    private static byte[] octets(DnsMessage message) {
        try (Output out = new Output()) {
            DnsEncoder.datagrams(1232).encode(message, out);
            byte[] octets = new byte[(int) out.size()];
            out.drain(
                    buffer -> {
                        try (buffer) {
                            buffer.readBytes(octets);
                        }
                    });
            return octets;
        }
    }

    @Test
    void serverGoesOnBehindQueriesOfAnyOpcodeAndFlags() throws Exception {
        DnsMessage next = DnsMessage.query(7, NAME, RecordType.A);
        byte[] strange = octets(DnsMessage.query(8, NAME, RecordType.A));
        try (Served server = server()) {
            for (int flags = 0; flags < 256; flags++) {
                strange[2] = (byte) flags;
                assertThat(behind(server, strange, next).answers()).as("%d", flags).hasSize(1);
            }
        }
    }

    @Test
    void anyIsAnsweredWithRecordsOfOneTypeOverUdpAlone() {
        try (Served server = server()) {
            assertThat(query(0, "example.com", "ANY", at(server)))
                    .contains(" IN SOA ")
                    .doesNotContain(" IN MX ", " IN TXT ");
            assertThat(query(0, "example.com", "ANY", at(server), "+tcp"))
                    .contains(" IN SOA ", " IN MX ", " IN TXT ");
        }
    }

    @Test
    void allOfManyQueriesOnOneConnectionAreAnswered() throws Exception {
        int many = 5_000;
        try (Served server = server();
                Socket socket = new Socket()) {
            socket.connect(server.address());
            socket.setSoTimeout(60_000);
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(all);
            for (int i = 0; i < many; i++) {
                byte[] query = octets(DnsMessage.query(i, NAME, RecordType.A));
                out.writeShort(query.length);
                out.write(query);
            }
            var _ =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            socket.getOutputStream().write(all.toByteArray());
                                        } catch (IOException e) {
                                            throw new UncheckedIOException(e);
                                        }
                                    });
            DataInputStream in = new DataInputStream(socket.getInputStream());
            Set<Integer> ids = new HashSet<>();
            for (int i = 0; i < many; i++) {
                byte[] response = in.readNBytes(in.readUnsignedShort());
                ids.add(((response[0] & 0xFF) << 8) | (response[1] & 0xFF));
            }
            assertThat(ids).hasSize(many);
        }
    }

    @Test
    void clientThatHasAskedAllItWantsIsAnsweredAndClosed() throws Exception {
        try (Served server = server();
                Served forwarder =
                        Served.start(
                                options ->
                                        DnsForwarder.start(options, DnsServer.of(server.address())),
                                "nio")) {
            for (Served asked : List.of(server, forwarder)) {
                for (int many : new int[] {0, 1, 50}) {
                    assertThat(answersBehindTheEnd(asked, many)).isEqualTo(many);
                }
            }
        }
    }

    private static int answersBehindTheEnd(Served server, int many) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(all);
        for (int i = 0; i < many; i++) {
            byte[] query =
                    octets(DnsMessage.query(i, DnsName.parse("n" + i + "." + NAME), RecordType.A));
            out.writeShort(query.length);
            out.write(query);
        }
        try (Socket socket = new Socket()) {
            socket.connect(server.address());
            socket.setSoTimeout(60_000);
            socket.getOutputStream().write(all.toByteArray());
            socket.shutdownOutput();
            DataInputStream in = new DataInputStream(socket.getInputStream());
            int answers = 0;
            for (int high = in.read(); high >= 0; high = in.read()) {
                in.readFully(new byte[high << 8 | in.readUnsignedByte()]);
                answers++;
            }
            return answers;
        }
    }

    private static String nl() {
        return System.lineSeparator();
    }

    @Test
    void forwarderAnswersWhatItsUpstreamDoesAndKeepsIt() {
        Served server = server();
        DnsServer upstream = DnsServer.of(server.address());
        try (Served forwarder =
                Served.start(options -> DnsForwarder.start(options, upstream), "nio")) {
            try (server) {
                assertThat(query(0, "www.example.com", at(forwarder)))
                        .contains("flags: qr rd ra")
                        .containsPattern("www.example.com. 3[56]\\d\\d IN A 192.0.2.1");
                assertThat(query(0, "no.example.com", at(forwarder))).contains("NXDOMAIN");
            }
            assertThat(query(0, "www.example.com", at(forwarder), "+short")).contains("192.0.2.1");
            assertThat(query(1, "mail.example.com", at(forwarder))).contains("SERVFAIL");
        }
    }

    /// A server of DNS over TLS that answers all names with one address, and what it was asked.
    private static ServerChannel overTls(
            EventLoopGroup group, TlsIdentity identity, List<DnsMessage> asked) throws Exception {
        TlsContext context = TlsContext.server(identity).build();
        return new ServerBootstrap(group)
                .childHandler(
                        channel ->
                                channel.pipeline()
                                        .addLast(TlsHandler.server(context))
                                        .addLast(new DecoderHandler<>(DnsDecoder.stream()))
                                        .addLast(
                                                new EncoderHandler<>(
                                                        DnsMessage.class, DnsEncoder.stream()))
                                        .addLast(new OneAddress(asked)))
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .join();
    }

    private record OneAddress(List<DnsMessage> asked) implements MessageHandler<DnsMessage> {
        @Override
        public Class<DnsMessage> messageType() {
            return DnsMessage.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, DnsMessage query) {
            asked.add(query);
            DnsRecord record =
                    new DnsRecord(query.questions().getFirst().name(), 60, A.of("192.0.2.7"));
            DnsMessage response = query.response(ResponseCode.NOERROR, List.of(record));
            ctx.channel().writeAndFlush(response.flags(response.flags().recursionAvailable(true)));
        }
    }

    /// From the arguments of the command line to the server over TLS, with a datagram to the
    /// forwarder at the other end.
    @Test
    void forwarderAsksItsUpstreamOverTls() throws Exception {
        TlsIdentity identity = CertificateBuilder.selfSigned("dns.example", "127.0.0.1");
        List<DnsMessage> asked = new CopyOnWriteArrayList<>();
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            ServerChannel server = overTls(group, identity, asked);
            String upstream = "127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort();
            List<String> rest = new ArrayList<>();
            DnsServer pinned =
                    DnsForwarder.upstream(
                            rest,
                            "--upstream",
                            upstream,
                            "--tls-pin",
                            pin(identity),
                            "--port",
                            "0");
            assertThat(rest).containsExactly("--port", "0");
            try (Served forwarder =
                    Served.start(options -> DnsForwarder.start(options, pinned), "nio")) {
                for (int i = 0; i < 2; i++) {
                    assertThat(query(0, "www.example.com", at(forwarder)))
                            .containsPattern("www.example.com. [1-6]?\\d IN A 192.0.2.7");
                }
                assertThat(query(0, "b.example.com", at(forwarder), "+tcp")).contains("192.0.2.7");
            }
            assertThat(asked).as("the second comes from the cache").hasSize(2);
        }
    }

    @Test
    void forwarderSendsNothingToAServerWithAnotherKey() throws Exception {
        TlsIdentity identity = CertificateBuilder.selfSigned("dns.example", "127.0.0.1");
        TlsIdentity other = CertificateBuilder.selfSigned("dns.example", "127.0.0.1");
        List<DnsMessage> asked = new CopyOnWriteArrayList<>();
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1)) {
            ServerChannel server = overTls(group, other, asked);
            DnsServer pinned =
                    DnsForwarder.upstream(
                            new ArrayList<>(),
                            "--upstream",
                            "127.0.0.1:" + ((InetSocketAddress) server.localAddress()).getPort(),
                            "--tls-pin",
                            pin(identity));
            try (Served forwarder =
                    Served.start(options -> DnsForwarder.start(options, pinned), "nio")) {
                assertThat(query(1, "www.example.com", at(forwarder))).contains("SERVFAIL");
            }
            assertThat(asked).isEmpty();
        }
    }

    private static String pin(TlsIdentity identity) throws Exception {
        byte[] key = identity.certificate().getPublicKey().getEncoded();
        return Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(key));
    }

    @ParameterizedTest
    @CsvSource({
        "'',                        no name (expected:",
        "a b c,                     c: unknown option",
        "a MX MX,                   MX: unknown option",
        "a +x,                      +x: unknown option",
        "a --tls-pin !,             --tls-pin: unknown option",
        "a +https,                  +https without a server",
        "a @h +https=x,             '+https=x (expected: a path'",
        "a @h +tls=,                '+tls=: no value'",
        "a NOTYPE,                  'type: NOTYPE (expected: a mnemonic'",
        "a TYPE65536,               'type: TYPE65536 (expected: a mnemonic'",
        "a..b,                      'a..b: label octets: 0 (expected: 1 to 63)'",
        "a\\300,                    'a\\300: \\300 (expected: at most \\255)'",
        "a @,                       '@ (expected: @ and a host'",
        "a @[::1,                   '@[::1 (expected: @ and a host'",
        "a @127.0.0.1:0,            '@127.0.0.1:0: 0 (expected: a port from 1'",
        "a @127.0.0.1:65536,        '@127.0.0.1:65536: 65536 (expected: a port from 1'",
        "a @127.0.0.1:x,            '@127.0.0.1:x: x (expected: a port from 1'",
        "a -p x,                    '-p: x (expected: a port from 1'",
        "a -p,                      '-p: no value'",
        "-x example.com,            '-x: example.com (expected: an address'",
        "a -c XX,                   'class: XX (expected: a mnemonic'",
    })
    void argumentsThatAreWrongAreToldInALine(String args, String message) {
        String told = query(2, args.isEmpty() ? new String[0] : args.split(" "));
        assertThat(told).startsWith(message).hasLineCount(1);
    }

    @Test
    void longLabelsAreToldInALine() {
        assertThat(query(2, "a".repeat(64)))
                .endsWith("...: label octets: 64 (expected: 1 to 63)" + nl())
                .hasLineCount(1);
        assertThat(query(2, "abc.".repeat(80))).contains("name octets: ").hasLineCount(1);
        assertThat(query(0, "--help")).contains("@SERVER");
    }

    @Test
    void hostThatIsUnknownIsAFailure() {
        assertThat(query(1, "a", "@no.host.invalid")).startsWith("@no.host.invalid: unknown host");
    }

    @Test
    void argumentsOfDigAreTaken() {
        try (Served server = server()) {
            String port = "" + server.address().getPort();
            assertThat(query(0, "MX", "example.com", "@127.0.0.1", "-p", port, "+short"))
                    .isEqualTo("10 mail.example.com." + nl());
            assertThat(query(0, "-t", "mx", "example.com", "IN", at(server)))
                    .contains("IN MX 10 mail.example.com.");
            assertThat(query(1, "version.bind", "CH", "TXT", at(server))).contains("REFUSED");
            assertThat(query(1, "version.bind", "TXT", "CH", at(server))).contains("REFUSED");
            assertThat(query(0, "www.example.com", "a", "in", at(server))).contains("192.0.2.1");
            assertThat(query(1, "-x", "192.0.2.1", at(server)))
                    .contains("1.2.0.192.in-addr.arpa. IN PTR");
            assertThat(query(1, "-x", "2001:db8::1", at(server)))
                    .contains(
                            "1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0."
                                    + "8.b.d.0.1.0.0.2.ip6.arpa. IN PTR");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"!", "AAAA", ""})
    void pinThatIsNoneIsTold(String pin) {
        List<String> rest = new ArrayList<>();
        assertThatThrownBy(
                        () ->
                                DnsForwarder.upstream(
                                        rest, "--upstream", "127.0.0.1", "--tls-pin", pin))
                .hasMessage("--tls-pin: " + pin + " (expected: 32 octets of SHA-256 in base 64)");
    }

    @Test
    void cacheCountsTimesDownAndForgets() {
        long[] now = {100};
        DnsCache cache = new DnsCache(10_000, () -> now[0]);
        DnsMessage query = DnsMessage.query(1, NAME, RecordType.A);
        DnsMessage response =
                query.response(ResponseCode.NOERROR, List.of(new DnsRecord(NAME, 60, new A(1))));
        cache.put(query, response);
        now[0] += 59;
        DnsMessage kept = cache.get(query);
        assertThat(kept).isNotNull();
        assertThat(kept.answers().getFirst().ttl()).isEqualTo(1);
        now[0]++;
        assertThat(cache.get(query)).isNull();
        cache.put(query, query.response(ResponseCode.NXDOMAIN, List.of()));
        assertThat(cache.get(query)).as("without SOA").isNull();
    }

    @Test
    void cacheIsBoundedByOctets() {
        DnsCache cache = new DnsCache(10_000, () -> 0);
        for (int i = 0; i < 1000; i++) {
            DnsName name = DnsName.parse("n" + i + ".example.");
            DnsMessage query = DnsMessage.query(1, name, RecordType.A);
            cache.put(
                    query,
                    query.response(
                            ResponseCode.NOERROR, List.of(new DnsRecord(name, 60, new A(1)))));
        }
        assertThat(cache.size()).isBetween(5, 20);
    }
}
