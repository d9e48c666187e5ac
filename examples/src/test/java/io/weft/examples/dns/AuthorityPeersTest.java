package io.weft.examples.dns;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
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
import io.weft.codec.dns.Flags;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.ResponseCode;
import io.weft.examples.Served;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.File;
import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// dns-server answers as BIND and Knot do over the same zone file: every name with every type, over
/// one connection each.
@Tag("peers")
@Timeout(value = 2, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AuthorityPeersTest {
    private static final String ZONE =
            """
            $ORIGIN example.com.
            $TTL 3600
            @ SOA ns hostmaster 1 7200 600 604800 300
              NS ns
              NS ns2.other.net.
              MX 10 mail
              MX 20 mx.sub
              TXT "hello" "world"
              HTTPS 1 . alpn=h2 ipv4hint=192.0.2.1
              CAA 0 issue "ca.example"
            ns A 127.0.0.1
            ns AAAA 2001:db8::53
            www A 192.0.2.1
            www A 192.0.2.2
            www AAAA 2001:db8::1
            mail A 192.0.2.25
            alias CNAME www
            alias2 CNAME alias
            out CNAME www.other.net.
            dangling CNAME nowhere
            intosub CNAME x.sub
            wildalias CNAME foo.wild
            *.wild A 192.0.2.77
            *.wild TXT "wild"
            exact.wild MX 5 mail
            *.cwild CNAME www
            a.b.ent TXT "ent"
            sub NS ns.sub
            sub NS ns
            ns.sub A 192.0.2.53
            sub DS 1 8 2 0123456789012345678901234567890123456789012345678901234567890123
            dn DNAME target
            dn TXT "at dname"
            x.target A 192.0.2.88
            *.wt.target A 192.0.2.89
            dnout DNAME other.net.
            long DNAME %1$s.%1$s.%1$s
            _http._tcp SRV 0 5 80 www
            _http._tcp SRV 1 5 80 mail
            chain.with.ent CNAME www
            unk TYPE65400 \\# 4 01020304
            naptr NAPTR 1 1 "S" "SIP+D2U" "" _sip._udp
            svcb SVCB 1 www port=53
            """
                    .formatted("a".repeat(63));

    private static final List<String> NAMES =
            List.of(
                    "",
                    "www.",
                    "WwW.",
                    "ns.",
                    "alias.",
                    "alias2.",
                    "out.",
                    "dangling.",
                    "intosub.",
                    "wildalias.",
                    "foo.wild.",
                    "a.b.wild.",
                    "exact.wild.",
                    "below.exact.wild.",
                    "*.wild.",
                    "wild.",
                    "x.cwild.",
                    "b.ent.",
                    "ent.",
                    "a.b.ent.",
                    "x.b.ent.",
                    "sub.",
                    "x.sub.",
                    "ns.sub.",
                    "dn.",
                    "x.dn.",
                    "nope.dn.",
                    "q.wt.dn.",
                    "x.y.dnout.",
                    "x." + "b".repeat(63) + ".long.",
                    "y.long.",
                    "_http._tcp.",
                    "_tcp.",
                    "none.",
                    "a.none.",
                    "chain.with.ent.",
                    "unk.",
                    "naptr.",
                    "svcb.");

    private static final List<String> TYPES =
            List.of(
                    "A",
                    "AAAA",
                    "CNAME",
                    "NS",
                    "SOA",
                    "MX",
                    "TXT",
                    "ANY",
                    "DS",
                    "DNAME",
                    "SRV",
                    "TYPE65400",
                    "HTTPS",
                    "NAPTR",
                    "SVCB");

    @TempDir private Path directory;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static String program(String name) {
        for (String place :
                (System.getenv("PATH") + File.pathSeparator + "/usr/sbin")
                        .split(File.pathSeparator, -1)) {
            Path file = Path.of(place, name);
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        Assumptions.abort(name + " is not on the PATH (dev/install-peers.sh installs it)");
        throw new AssertionError();
    }

    @Test
    void answersAreThoseOfBind() throws Exception {
        assertAgrees(
                _ -> false,
                "named.conf",
                """
                options {
                  directory "%s"; pid-file none; session-keyfile none;
                  listen-on port %d { 127.0.0.1; }; listen-on-v6 { none; };
                  recursion no; dnssec-validation no; minimal-responses yes; notify no;
                };
                controls {};
                zone "example.com" { type primary; file "zone"; };
                """,
                "named",
                "-g",
                "-n",
                "1",
                "-c");
    }

    /// But for ANY, to which Knot gives records of one type, and names that DNAME makes too long, for
    /// which it has a record of its own.
    @Test
    void answersAreThoseOfKnot() throws Exception {
        assertAgrees(
                answer -> answer.contains(" ANY: ") || answer.contains(": YXDOMAIN"),
                "knot.conf",
                """
                database:
                  storage: "%s"
                server:
                  listen: 127.0.0.1@%d
                  rundir: "."
                  udp-workers: 1
                  tcp-workers: 1
                  background-workers: 1
                zone:
                  - domain: example.com
                    file: zone
                    storage: "."
                    semantic-checks: off
                """,
                "knotd",
                "-c");
    }

    /// @param differs tells answers that each gives in its own way
    private void assertAgrees(
            Predicate<String> differs, String file, String configuration, String... command)
            throws Exception {
        Path zone = Files.writeString(directory.resolve("zone"), ZONE);
        int port = free();
        Files.writeString(directory.resolve(file), configuration.formatted(directory, port));
        List<String> all = new ArrayList<>(Arrays.asList(command));
        all.set(0, program(command[0]));
        all.add(file);
        Process peer =
                new ProcessBuilder(all)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("log").toFile())
                        .start();
        DnsZone ours = ZoneServer.zone(zone.toString(), DnsName.ROOT);
        try (Served server = Served.start(options -> ZoneServer.start(options, ours), "nio")) {
            List<String> theirs = answers(begun(peer, port));
            List<String> differing = answers(connected(server.address()));
            differing.removeAll(theirs);
            differing.removeIf(differs);
            assertThat(differing).isEmpty();
            assertThat(theirs).hasSizeGreaterThan(500);
        } finally {
            peer.destroy();
            if (!peer.waitFor(60, TimeUnit.SECONDS)) {
                peer.destroyForcibly();
            }
        }
    }

    /// A port below those that the system gives to others meanwhile, as the peer cannot choose one and
    /// tell it.
    private static int free() throws IOException {
        int first = (int) (ProcessHandle.current().pid() * 61 % 8_000);
        for (int i = 0; i < 8_000; i++) {
            int port = 8_192 + (first + i) % 8_000;
            InetAddress here = InetAddress.getLoopbackAddress();
            try (ServerSocket tcp = new ServerSocket(port, 1, here);
                    DatagramSocket udp = new DatagramSocket(port, here)) {
                assertThat(tcp.isBound() && udp.isBound()).isTrue();
                return port;
            } catch (BindException _) {
                // the next one
            }
        }
        throw new IOException("no port");
    }

    private static Socket connected(InetSocketAddress address) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(60_000);
        socket.setTcpNoDelay(true);
        socket.connect(address);
        return socket;
    }

    /// The peer binds its port some time after its process began.
    private Socket begun(Process peer, int port) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        while (true) {
            try {
                Socket socket = connected(address);
                if (ask(socket, "www.example.com.", "A").code().equals(ResponseCode.NOERROR)) {
                    return socket;
                }
                socket.close(); // the zone is being loaded
            } catch (IOException e) {
                if (!peer.isAlive()) {
                    String log = Files.readString(directory.resolve("log"), ISO_8859_1);
                    throw new IOException(log, e);
                }
            }
            Thread.onSpinWait();
        }
    }

    private static List<String> answers(Socket socket) throws IOException {
        List<String> all = new ArrayList<>();
        try (socket) {
            for (String name : NAMES) {
                for (String type : TYPES) {
                    all.add(shown(name, type, ask(socket, name + "example.com.", type)));
                }
            }
        }
        return all;
    }

    private static DnsMessage ask(Socket socket, String name, String type) throws IOException {
        DnsMessage query =
                DnsMessage.query(7, DnsName.parse(name), RecordType.parse(type)).flags(Flags.NONE);
        try (Output out = new Output();
                Buffer in = BufferAllocator.pooled().allocate(65_535)) {
            DnsEncoder.datagrams(512).encode(query, out);
            byte[] octets = new byte[(int) out.size()];
            out.drain(
                    buffer -> {
                        try (buffer) {
                            buffer.readBytes(octets);
                        }
                    });
            DataOutputStream to = new DataOutputStream(socket.getOutputStream());
            byte[] framed = new byte[octets.length + 2];
            framed[1] = (byte) octets.length;
            System.arraycopy(octets, 0, framed, 2, octets.length);
            to.write(framed);
            DataInputStream from = new DataInputStream(socket.getInputStream());
            in.writeBytes(from.readNBytes(from.readUnsignedShort()));
            return DnsDecoder.datagrams().message(in);
        }
    }

    /// The part that both are to agree on: addresses beside the answer are as each likes, and the TTL of a
    /// missing SOA record is.
    private static String shown(String name, String type, DnsMessage response) {
        return "%s %s: %s%s, answer %s, authority %s"
                .formatted(
                        name,
                        type,
                        response.code(),
                        response.flags().isAuthoritative() ? " aa" : "",
                        sorted(response.answers()),
                        type.equals("SOA")
                                ? response.authorities().size()
                                : sorted(response.authorities()));
    }

    private static List<String> sorted(List<DnsRecord> section) {
        return section.stream().map(r -> r.text().toLowerCase(Locale.ROOT)).sorted().toList();
    }
}
