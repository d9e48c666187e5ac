package io.weft.conformance.tls;

import io.weft.conformance.rig.Programs;
import io.weft.tls.x509.Pem;
import io.weft.tls.x509.TlsIdentity;
import java.nio.file.Path;
import java.util.function.Supplier;

/// Programs that speak TLS, started in a directory with keys and certificates.
final class TlsPrograms {
    private final Programs programs;

    TlsPrograms(Supplier<Path> directory) {
        programs = new Programs(directory);
    }

    /// Leaves an identity there, as `NAME.pem`, with its chain, and `NAME.key`.
    void write(String name, TlsIdentity identity) throws Exception {
        StringBuilder chain = new StringBuilder();
        for (var certificate : identity.chain()) {
            chain.append(Pem.write(certificate));
        }
        programs.write(name + ".pem", chain.toString());
        programs.write(name + ".key", Pem.write(identity.key()));
    }

    /// Skips the test where there is no such program. Its errors come with its output.
    Process start(String... command) throws Exception {
        return programs.start(command);
    }

    void end() throws Exception {
        programs.end();
    }
}
