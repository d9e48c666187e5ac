package io.weft.resolver.doh;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.RecordType;
import io.weft.eventloop.EventLoopGroup;
import io.weft.http.client.HttpClient;
import io.weft.loop.Future;
import io.weft.resolver.dns.DnsAnswer;
import io.weft.resolver.dns.DnsResolver;
import io.weft.resolver.dns.ResolverConfig;
import io.weft.testkit.Ports;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.Pem;
import io.weft.tls.x509.TlsIdentity;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The resolver asks BIND over HTTPS.
@Tag("peers")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DohPeersTest {
    private static final int PROBES = 100;

    @TempDir Path directory;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static String named() {
        String path = System.getenv("PATH") + File.pathSeparator + "/usr/sbin";
        List<Path> found =
                Arrays.stream(path.split(File.pathSeparator, -1))
                        .map(d -> Path.of(d, "named"))
                        .filter(Files::isExecutable)
                        .toList();
        Assumptions.assumeFalse(
                found.isEmpty(), "named is not on the PATH (dev/install-peers.sh installs it)");
        return found.getFirst().toString();
    }

    private Process bind(int port, TlsIdentity identity) throws Exception {
        String program = named();
        Files.writeString(directory.resolve("cert.pem"), Pem.write(identity.certificate()));
        Files.writeString(directory.resolve("key.pem"), Pem.write(identity.key()));
        Files.writeString(
                directory.resolve("zone"),
                """
                $TTL 300
                @ SOA ns h 1 3600 600 86400 60
                @ NS ns
                ns A 127.0.0.1
                www A 192.0.2.1
                """);
        Files.writeString(
                directory.resolve("named.conf"),
                """
                tls local { cert-file "cert.pem"; key-file "key.pem"; };
                options {
                  directory "%s"; pid-file none; session-keyfile none;
                  listen-on port %d tls local http default { 127.0.0.1; };
                  listen-on-v6 { none; };
                  recursion no; dnssec-validation no;
                };
                controls {};
                zone "example.test" { type primary; file "zone"; };
                """
                        .formatted(directory, port));
        return new ProcessBuilder(program, "-c", "named.conf", "-g", "-n", "1")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "GET"})
    void bindAnswers(String method) throws Exception {
        TlsIdentity identity = CertificateBuilder.selfSigned("localhost", "127.0.0.1");
        int port = Ports.free();
        Process server = bind(port, identity);
        try (EventLoopGroup group = EventLoopGroup.create("nio", 1);
                HttpClient client =
                        HttpClient.builder()
                                .group(group)
                                .tls(
                                        TlsContext.client()
                                                .trust(identity.certificate())
                                                .applicationProtocols("h2", "http/1.1")
                                                .build())
                                .build()) {
            String uri = "https://127.0.0.1:" + port + "/dns-query";
            DohTransport transport =
                    method.equals("GET")
                            ? DohTransport.get(client, uri)
                            : DohTransport.post(client, uri);
            try (DnsResolver resolver =
                    DnsResolver.builder(group)
                            .config(
                                    ResolverConfig.DEFAULT
                                            .servers(List.of(transport.server()))
                                            .timeout(Duration.ofSeconds(30))
                                            .attempts(1))
                            .build()) {
                await(resolver, server);
                List<Future<DnsAnswer>> many =
                        Stream.of("www.example.test.", "no.example.test.", "ns.example.test.")
                                .map(n -> resolver.resolve(DnsName.parse(n), RecordType.A))
                                .toList();
                assertThat(many.get(0).join()).isInstanceOf(DnsAnswer.Found.class);
                assertThat(many.get(1).join()).isInstanceOf(DnsAnswer.NoName.class);
                assertThat(many.get(2).join().ttl()).isEqualTo(300);
            }
        } finally {
            server.destroy();
            if (!server.waitFor(60, TimeUnit.SECONDS)) {
                server.destroyForcibly();
            }
        }
    }

    /// Asks until the server has started.
    private void await(DnsResolver resolver, Process server) throws Exception {
        for (int i = 0; ; i++) {
            Future<DnsAnswer> answer =
                    resolver.resolve(DnsName.parse("www.example.test."), RecordType.A);
            if (answer.await(40, TimeUnit.SECONDS) && answer.isSuccess()) {
                return;
            }
            assertThat(i)
                    .as(answer.cause() + Files.readString(directory.resolve("log")))
                    .isLessThan(PROBES);
            assertThat(server.waitFor(100, TimeUnit.MILLISECONDS)).as("it has ended").isFalse();
        }
    }
}
