package io.weft.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The tarball that `dev/dist.sh` makes of what the build has made.
@EnabledOnOs(value = OS.LINUX, disabledReason = "the script is for sh and GNU tar")
class DistributionTest {
    @TempDir Path directory;

    private static String run(Path from, String... command) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).directory(from.toFile());
        builder.environment().put("BUILD", "false");
        Process process = builder.redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as("%s: %s", List.of(command), said).isZero();
        return said;
    }

    @Test
    void examplesRunFromTheTarball() throws Exception {
        assumeTrue(
                Files.isDirectory(Docs.ROOT.resolve("examples/target/modules")),
                "the examples have not been packaged (./mvnw verify does that before this)");
        String made = run(Docs.ROOT, "dev/dist.sh", directory.toString());
        Path tarball = Path.of(made.substring(0, made.indexOf(": ")));
        run(directory, "tar", "xzf", tarball.toString());
        Path home;
        try (Stream<Path> files = Files.list(directory)) {
            home = files.filter(Files::isDirectory).findAny().orElseThrow();
        }
        assertThat(home.resolve("docs/guide/getting-started.md")).exists();
        assertThat(home.resolve("examples/Hello.java")).exists();
        try (Stream<Path> jars = Files.list(home.resolve("lib"))) {
            assertThat(jars).hasSizeGreaterThan(50);
        }
        assertThat(run(home, "./run-example.sh")).contains("hello-http");
        assertThat(run(home, "./run-example.sh", "hello-http", "--help")).contains("--port");
    }
}
