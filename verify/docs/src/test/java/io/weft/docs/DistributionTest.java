package io.weft.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The tarball that `dev/dist.sh` makes of what the build has made.
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
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

    @ParameterizedTest
    @ValueSource(strings = {"dev/dist.sh", "dev/consume.sh", "dev/site.sh"})
    void optionThatNobodyKnowsIsRefused(String script) throws Exception {
        Process process =
                new ProcessBuilder(script, "--nothing").directory(Docs.ROOT.toFile()).start();
        assertThat(new String(process.getInputStream().readAllBytes(), UTF_8)).isEmpty();
        assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8)).contains(script);
        assertThat(process.waitFor()).isEqualTo(2);
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
        assertThat(answerOf(home)).isEqualTo("Hello, World!");
    }

    /// The response of `hello-http`, started as a reader of the tarball starts it.
    private static String answerOf(Path home) throws Exception {
        Process server =
                new ProcessBuilder("./run-example.sh", "hello-http", "--port", "0")
                        .directory(home.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (BufferedReader out = server.inputReader()) {
            Matcher listening = Pattern.compile(":(\\d+) ").matcher(String.valueOf(out.readLine()));
            assertThat(listening.find()).isTrue();
            URI uri = URI.create("http://127.0.0.1:" + listening.group(1) + "/");
            try (InputStream body = uri.toURL().openStream()) {
                return new String(body.readAllBytes(), UTF_8).strip();
            }
        } finally {
            server.destroyForcibly().waitFor();
        }
    }
}
