package io.weft.examples.dns;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.codec.dns.DnsName;
import io.weft.examples.Served;
import io.weft.resolver.dns.DnsServer;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// dig, kdig, delv and dnspython ask dns-server and dns-forwarder.
@Tag("peers")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DnsPeersTest {
    /// A zone with an answer that is too long for a datagram.
    private static final String BIG =
            """
            $ORIGIN example.com.
            $TTL 300
            @ SOA ns h 1 3600 600 86400 60
              NS ns
            ns A 127.0.0.1
            web CNAME www
            www A 192.0.2.1
            """
                    + ("big TXT \"" + "x".repeat(200) + "%d\"\n").repeat(20);

    private static final String PYTHON =
            """
            import sys
            try:
                import dns.query, dns.message, dns.zone, dns.flags
            except ImportError:
                sys.exit(77)
            port = int(sys.argv[1])
            query = dns.message.make_query('big.example.com', 'TXT', use_edns=0, payload=1232)
            cut = dns.query.udp(query, '127.0.0.1', port=port, timeout=30)
            print(bool(cut.flags & dns.flags.TC), len(cut.answer))
            whole, tcp = dns.query.udp_with_fallback(query, '127.0.0.1', port=port, timeout=30)
            print(tcp, len(whole.answer[0]))
            zone = dns.zone.from_xfr(dns.query.xfr('127.0.0.1', 'example.com', port=port))
            print(len(zone.nodes))
            """;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static String run(String program, String... arguments) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(directory -> Files.isExecutable(Path.of(directory, program)));
        Assumptions.assumeTrue(
                there, program + " is not on the PATH (dev/install-peers.sh installs it)");
        List<String> command = new ArrayList<>(List.of(program));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), UTF_8);
            assertThat(process.waitFor(2, TimeUnit.MINUTES)).isTrue();
            Assumptions.assumeTrue(process.exitValue() != 77, "dnspython is missing");
            assertThat(process.exitValue()).as(output).isZero();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    private static Served server() throws IOException {
        StringBuilder text = new StringBuilder();
        int i = 0;
        for (String line : BIG.lines().toList()) {
            text.append(line.replace("%d", "" + i++)).append('\n');
        }
        Path file = Files.createTempFile("zone", ".txt");
        Files.writeString(file, text);
        DnsZone zone = ZoneServer.zone(file.toString(), DnsName.ROOT);
        Files.delete(file);
        return Served.start(options -> ZoneServer.start(options, zone), "nio");
    }

    private static String port(Served served) {
        return "" + served.address().getPort();
    }

    @ParameterizedTest
    @CsvSource({
        "dig, +notcp",
        "dig, +tcp",
        "dig, +noedns",
        "kdig, +notcp",
        "kdig, +tcp",
        "dig, +cookie"
    })
    void asksTheServer(String program, String option) throws Exception {
        try (Served server = server()) {
            String output =
                    run(program, "-p", port(server), "@127.0.0.1", option, "web.example.com", "A");
            assertThat(output)
                    .contains("NOERROR", "www.example.com.", "192.0.2.1")
                    .doesNotContainIgnoringCase("malformed")
                    .doesNotContainIgnoringCase("warning: message");
        }
    }

    @Test
    void digGetsLongAnswersOverTcpAndTheWholeZone() throws Exception {
        try (Served server = server()) {
            assertThat(run("dig", "-p", port(server), "@127.0.0.1", "big.example.com", "TXT"))
                    .contains("Truncated, retrying in TCP mode", "ANSWER: 20");
            assertThat(run("dig", "-p", port(server), "@127.0.0.1", "example.com", "AXFR"))
                    .contains("XFR size: 26 records");
            assertThat(run("dig", "-p", port(server), "@127.0.0.1", "example.com", "IXFR=0"))
                    .contains("XFR size: 26 records");
            assertThat(run("dig", "-p", port(server), "@127.0.0.1", "example.com", "IXFR=1"))
                    .contains("XFR size: 1 records");
        }
    }

    @Test
    void delvAsksTheServer() throws Exception {
        try (Served server = server()) {
            assertThat(
                            run(
                                    "delv",
                                    "-p",
                                    port(server),
                                    "@127.0.0.1",
                                    "-i",
                                    "+noroot",
                                    "www.example.com"))
                    .contains("192.0.2.1");
        }
    }

    @Test
    void dnspythonAsksTheServer() throws Exception {
        try (Served server = server()) {
            assertThat(run("python3", "-c", PYTHON, port(server)).lines())
                    .containsExactly("True 0", "True 20", "5");
        }
    }

    @Test
    void digAsksTheForwarder() throws Exception {
        try (Served server = server()) {
            DnsServer upstream = DnsServer.of(server.address());
            try (Served forwarder =
                    Served.start(options -> DnsForwarder.start(options, upstream), "nio")) {
                for (int i = 0; i < 2; i++) {
                    assertThat(run("dig", "-p", port(forwarder), "@127.0.0.1", "web.example.com"))
                            .contains("NOERROR", "flags: qr rd ra", "192.0.2.1");
                    assertThat(
                                    run(
                                            "dig",
                                            "-p",
                                            port(forwarder),
                                            "@127.0.0.1",
                                            "big.example.com",
                                            "TXT"))
                            .contains("ANSWER: 20");
                }
            }
        }
    }
}
