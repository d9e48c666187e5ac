package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Messages of the example without a certificate; [OcspPeersTest] asks a responder.
class OcspTest {
    private static String says(int exit, String... args) {
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        PrintStream to = new PrintStream(said, true, UTF_8);
        assertThat(Ocsp.run(to, to, args)).as(said.toString(UTF_8)).isEqualTo(exit);
        return said.toString(UTF_8).stripTrailing();
    }

    @Test
    void wrongArgumentsAreTold() {
        assertThat(says(2)).startsWith("arguments: ").contains("(expected: [--ca FILE] HOST");
        assertThat(says(2, "--bogus")).startsWith("arguments: --bogus ");
        assertThat(says(2, "localhost:99999"))
                .isEqualTo("server: localhost:99999 (expected: HOST:PORT)");
    }

    @Test
    void filesWithoutCertificatesAreNamed(@TempDir Path directory) throws Exception {
        Path none = directory.resolve("none.pem");
        assertThat(says(1, "--ca", none.toString(), "localhost"))
                .isEqualTo(none + ": no such file");
        Path text = Files.writeString(directory.resolve("a.pem"), "text");
        assertThat(says(2, "--ca", text.toString(), "localhost"))
                .isEqualTo("--ca: " + text + " (expected: certificates in PEM)");
    }

    @Test
    void refusedConnectionIsSaidWithoutTheNameOfAnException() throws Exception {
        int port = Ports.free();
        assertThat(says(1, "127.0.0.1:" + port)).startsWith("connect /127.0.0.1:" + port + ": ");
    }
}
