package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.Pem;
import io.weft.tls.x509.TlsIdentity;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The example asks OpenSSL's responder.
@Tag("peers")
@EnabledIfSystemProperty(named = "peers", matches = "true")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OcspPeersTest {
    private static final TlsIdentity ROOT =
            CertificateBuilder.subject("CN=root")
                    .authority(-1)
                    .keyUsage(CertificateBuilder.KEY_CERT_SIGN, CertificateBuilder.CRL_SIGN)
                    .selfSigned();
    private static final BigInteger SERIAL = BigInteger.valueOf(0x1234);
    private static final Pattern ACCEPTS = Pattern.compile("ACCEPT .*:(\\d+) PID=.*");

    @TempDir Path directory;

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private record Outcome(int exit, String out, String err) {}

    /// Runs the example on a server whose certificate names this port for its status.
    private Outcome ask(int responder) throws Exception {
        TlsIdentity leaf =
                CertificateBuilder.subject("CN=server")
                        .dnsName("localhost")
                        .serial(SERIAL)
                        .ocspResponder("http://127.0.0.1:" + responder + "/")
                        .signedBy(ROOT);
        // A file of its own: the responder reads its files after it has told its port.
        Path authorities = directory.resolve("authorities.pem");
        Files.writeString(authorities, Pem.write(ROOT.certificate()));
        var out = new ByteArrayOutputStream();
        var err = new ByteArrayOutputStream();
        try (TlsContext context = TlsContext.server(leaf).build();
                HttpServer server =
                        HttpServer.builder()
                                .host(InetAddress.getLoopbackAddress())
                                .port(0)
                                .loops(1)
                                .tls(context)
                                .handler(_ -> Response.text("hello"))
                                .listen()) {
            int exit =
                    Ocsp.run(
                            new PrintStream(out, true, UTF_8),
                            new PrintStream(err, true, UTF_8),
                            "--ca",
                            authorities.toString(),
                            "localhost:" + server.address().getPort());
            return new Outcome(exit, out.toString(UTF_8), err.toString(UTF_8));
        }
    }

    /// @param status as in the index of an authority
    private Process responder(String status) throws Exception {
        Files.writeString(directory.resolve("root.pem"), Pem.write(ROOT.certificate()));
        Files.writeString(directory.resolve("root.key"), Pem.write(ROOT.key()));
        Files.writeString(
                directory.resolve("index"),
                status.replace(' ', '\t') + "\t" + SERIAL.toString(16) + "\tunknown\t/CN=server\n");
        Files.writeString(directory.resolve("index.attr"), "unique_subject = no\n");
        String command =
                "openssl ocsp -port 0 -index index -CA root.pem -rsigner root.pem -rkey root.key"
                        + " -ndays 1";
        return new ProcessBuilder(command.split(" "))
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
    }

    private static int port(Process responder) throws Exception {
        BufferedReader said = responder.inputReader();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            Matcher accepts = ACCEPTS.matcher(line);
            if (accepts.matches()) {
                return Integer.parseInt(accepts.group(1));
            }
        }
        throw new AssertionError("the responder has ended");
    }

    @ParameterizedTest
    @CsvSource({
        "V 391231235959Z '', 0, good: CN=server, ''",
        "R 391231235959Z 250101000000Z, 1, '', REVOKED: ",
    })
    void responderDecides(String status, int exit, String out, String err) throws Exception {
        Process responder = responder(status.replace("''", ""));
        try {
            Outcome outcome = ask(port(responder));
            assertThat(outcome.exit).as(outcome.err).isEqualTo(exit);
            assertThat(outcome.out).startsWith(out);
            assertThat(outcome.err).startsWith(err);
        } finally {
            responder.destroyForcibly().waitFor();
        }
    }

    @Test
    void certificateWithoutAStatusIsRefused() throws Exception {
        Outcome outcome = ask(Ports.free());
        assertThat(outcome.exit).isEqualTo(1);
        assertThat(outcome.out).isEmpty();
        assertThat(outcome.err).startsWith("STATUS_UNKNOWN: ").contains("Connection refused");
    }
}
