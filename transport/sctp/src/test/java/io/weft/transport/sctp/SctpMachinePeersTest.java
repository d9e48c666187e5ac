package io.weft.transport.sctp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Runs the tests that need SCTP in an emulated machine, where the kernel of this one lacks it: the
/// short form of `dev/sctp.sh`.
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
@EnabledIfSystemProperty(named = "peers", matches = "true")
@Timeout(1500)
class SctpMachinePeersTest {
    /// A minute is usual, on an idle processor.
    private static final int SECONDS = 1200;

    private static final int NO_MACHINE = 2;

    @TempDir Path directory;

    /// Properties with all that this process was started from: its modules, its classes, and what
    /// Surefire adds, the launcher of JUnit among it.
    private static final List<String> PATHS =
            List.of("jdk.module.path", "java.class.path", "surefire.real.class.path");

    private static String path() {
        return PATHS.stream()
                .map(name -> System.getProperty(name, ""))
                .flatMap(path -> Stream.of(path.split(File.pathSeparator)))
                .filter(entry -> !entry.isEmpty() && Files.exists(Path.of(entry)))
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static Path script() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path script = at.resolve("dev/sctp.sh");
            if (Files.exists(script)) {
                return script;
            }
        }
        throw new AssertionError("dev/sctp.sh: not above " + Path.of("").toAbsolutePath());
    }

    @Test
    void testsPassInAMachineWhoseKernelHasSctp() throws Exception {
        Assumptions.assumeTrue(SctpProvider.refusal() != null, "this kernel has SCTP itself");
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(script().toString(), "--quick");
        builder.environment().put("SCTP_CLASSPATH", path());
        builder.environment().put("SCTP_SECONDS", String.valueOf(SECONDS));
        Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
        try {
            assertThat(process.waitFor(SECONDS + 120, TimeUnit.SECONDS))
                    .as("ended: %s", Files.readString(output))
                    .isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        String told = Files.readString(output);
        Assumptions.assumeTrue(process.exitValue() != NO_MACHINE, told);
        assertThat(process.exitValue()).as(told).isZero();
        assertThat(told).containsPattern("\\[ +0 tests aborted +]");
    }
}
