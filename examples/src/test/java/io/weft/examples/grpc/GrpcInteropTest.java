package io.weft.examples.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Served;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.Pem;
import io.weft.tls.x509.TlsIdentity;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Both modes of the example with each other.
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class GrpcInteropTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @TempDir private Path directory;

    private int run(String... args) {
        return GrpcInterop.run(
                new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), args);
    }

    private void assertAllPassed() {
        assertThat(out.toString(UTF_8).lines())
                .containsExactlyElementsOf(
                        GrpcInteropCases.ALL.keySet().stream().map(c -> c + ": passed").toList());
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "epoll", "io_uring"})
    void allCasesPass(String transport) {
        try (Served server = Served.start(GrpcInterop::start, transport)) {
            String address = "127.0.0.1:" + server.address().getPort();
            assertThat(run("--client", address, "--case", "all")).as(out::toString).isZero();
            assertAllPassed();
        }
    }

    @Test
    void allCasesPassOverTls() throws Exception {
        TlsIdentity identity = CertificateBuilder.selfSigned("localhost");
        Path certificate = directory.resolve("cert.pem");
        Path key = directory.resolve("key.pem");
        Files.writeString(certificate, Pem.write(identity.chain().getFirst()));
        Files.writeString(key, Pem.write(identity.key()));
        try (Served server =
                Served.start(options -> GrpcInterop.start(options, certificate, key), "nio")) {
            String address = "localhost:" + server.address().getPort();
            assertThat(run("--client", address, "--case", "all", "--ca", "" + certificate))
                    .as(out::toString)
                    .isZero();
            assertAllPassed();
        }
    }

    @Test
    void caseThatFailsSaysSo() {
        String address;
        try (Served server = Served.start(GrpcInterop::start, "nio")) {
            address = "127.0.0.1:" + server.address().getPort();
        }
        assertThat(run("--client", address, "--case", "empty_unary")).isEqualTo(1);
        assertThat(out.toString(UTF_8)).startsWith("empty_unary: failed: UNAVAILABLE");
    }

    @ParameterizedTest
    @CsvSource({
        "--client a:1,                          arguments",
        "--client a:1 --case none,              --case: none",
        "--client a:1 --case all --ca /nothing, --ca: /nothing",
        "--client a:1 --case,                   --case: no value",
        "--client a:1 --case all --colour red,  arguments",
        "--client a:b --case all,               a:b",
    })
    void whatIsWrongIsSaidInOneLine(String arguments, String message) {
        assertThat(run(arguments.split(" "))).isEqualTo(2);
        assertThat(err.toString(UTF_8).lines()).singleElement().asString().contains(message);
    }
}
