package io.weft.conformance;

import io.weft.tls.x509.Pem;
import io.weft.tls.x509.TlsIdentity;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/// Programs that speak TLS, started in a directory with keys and certificates, and killed in the
/// end.
final class TlsPrograms {
    private final Supplier<Path> directory;
    private final List<Process> processes = new ArrayList<>();

    TlsPrograms(Supplier<Path> directory) {
        this.directory = directory;
    }

    /// Leaves an identity there, as `NAME.pem`, with its chain, and `NAME.key`.
    void write(String name, TlsIdentity identity) throws Exception {
        StringBuilder chain = new StringBuilder();
        for (var certificate : identity.chain()) {
            chain.append(Pem.write(certificate));
        }
        Files.writeString(directory.get().resolve(name + ".pem"), chain);
        Files.writeString(directory.get().resolve(name + ".key"), Pem.write(identity.key()));
    }

    /// Skips the test where there is no such program. Its errors come with its output.
    Process start(String... command) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, command[0])));
        Assumptions.assumeTrue(
                there, command[0] + " is not on the PATH (dev/install-peers.sh installs it)");
        Process process =
                new ProcessBuilder(command)
                        .directory(directory.get().toFile())
                        .redirectErrorStream(true)
                        .start();
        processes.add(process);
        return process;
    }

    void end() throws Exception {
        for (Process process : processes) {
            process.destroyForcibly().waitFor();
            process.getInputStream().close();
            process.getOutputStream().close();
            process.getErrorStream().close();
        }
    }
}
