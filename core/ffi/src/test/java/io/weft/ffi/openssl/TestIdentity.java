package io.weft.ffi.openssl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A self-signed certificate for `localhost` and 127.0.0.1, and its key, made by the `openssl`
/// program.
@SuppressWarnings("ArrayRecordComponent") // never compared
record TestIdentity(byte[] certificate, byte[] key) {
    static TestIdentity make(Path directory) throws IOException, InterruptedException {
        openssl(
                directory,
                "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
                        + " -subj /CN=test -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
                        + " -keyout key.pem -out certificate.der -outform DER");
        openssl(directory, "pkcs8 -topk8 -nocrypt -in key.pem -outform DER -out key.der");
        return new TestIdentity(
                Files.readAllBytes(directory.resolve("certificate.der")),
                Files.readAllBytes(directory.resolve("key.der")));
    }

    private static void openssl(Path directory, String arguments)
            throws IOException, InterruptedException {
        Process process;
        try {
            process =
                    new ProcessBuilder(("openssl " + arguments).split(" ", -1))
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .start();
        } catch (IOException e) {
            abort("cannot run openssl: " + e.getMessage());
            return;
        }
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
    }
}
