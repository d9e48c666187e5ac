package io.weft.client.redis;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Assumptions;

/// The real servers that tests talk to.
final class RedisPeer {
    private RedisPeer() {}

    /// Skips the test unless peers are on and there is a server.
    static void assumeServer() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        Assumptions.assumeTrue(
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, "redis-server"))),
                "redis-server is not on the PATH (dev/install-peers.sh installs it)");
    }
}
