package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.Child;
import io.weft.conformance.rig.Rig;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A transport whose jar is incomplete takes nobody with it.
@Timeout(300)
class BrokenProviderTest {
    @TempDir Path jar;

    @Test
    void theOthersServeAndTheLogNamesIt() throws IOException {
        Path services = Files.createDirectories(jar.resolve("META-INF/services"));
        Files.writeString(
                services.resolve("io.weft.engine.EngineProvider"), "io.weft.gone.Provider\n");
        try (Child child =
                new Child(
                        "auto",
                        0,
                        "-Xbootclasspath/a:" + jar,
                        "--enable-native-access=ALL-UNNAMED")) {
            try (Socket client = new Socket(child.address.getAddress(), child.address.getPort())) {
                client.setSoTimeout(60_000);
                Rig.assertServed(client);
            }
            assertThat(child.errors()).contains("io.weft.gone.Provider");
        }
    }
}
