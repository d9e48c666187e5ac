package io.weft.conformance.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.ClassPath;
import io.weft.conformance.rig.Rig;
import io.weft.eventloop.EventLoopGroup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// In the locale C, as in many containers, a peer's Unix path may have bytes that are no character.
/// Such a peer has no address; it harms nobody.
@Timeout(300)
class OddPathTest {
    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void peerWithPathOutsideOfTheLocaleHarmsNobody(String transport) throws Exception {
        assumeWorks(transport);
        List<String> lines = run(transport);
        if (transport.equals("nio")) {
            // The JDK loses that connection.
            assertThat(lines)
                    .containsExactlyInAnyOrder(
                            "connect 4 0", "connect 5 0", "active address", "echo 1", "done");
            return;
        }
        assertThat(lines)
                .containsExactlyInAnyOrder(
                        "connect 4 0",
                        "active null",
                        "echo 1",
                        "connect 5 0",
                        "active address",
                        "echo 1",
                        "from null",
                        "from /sender",
                        "done");
    }

    private static void assumeWorks(String transport) {
        try {
            EventLoopGroup.create(transport, 1).close();
        } catch (IllegalStateException e) {
            Assumptions.abort(e.getMessage());
        }
    }

    private static List<String> run(String transport) throws Exception {
        Path output = Files.createTempFile("odd", ".txt");
        Path errors = Files.createTempFile("odd", ".log");
        ProcessBuilder child =
                new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-Xmx64m",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        ClassPath.asGiven(),
                        OddPathChild.class.getName(),
                        transport);
        child.environment().put("LC_ALL", "C");
        Process process =
                child.redirectOutput(output.toFile()).redirectError(errors.toFile()).start();
        boolean ended = process.waitFor(Rig.PATIENCE_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly().waitFor();
        assertThat(ended).as("it said: " + read(output) + read(errors)).isTrue();
        assertThat(process.exitValue()).as(read(errors)).isZero();
        List<String> lines = read(output).lines().toList();
        Files.delete(output);
        Files.delete(errors);
        return lines;
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file);
    }
}
