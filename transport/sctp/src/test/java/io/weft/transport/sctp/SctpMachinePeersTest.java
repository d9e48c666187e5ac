package io.weft.transport.sctp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
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
@Timeout(900)
class SctpMachinePeersTest {
    /// A minute is usual.
    private static final int SECONDS = 600;

    private static final int NO_MACHINE = 2;

    @TempDir Path directory;

    /// Returns all that this process was started from: a module runs with a path of its own.
    private static String path() {
        Stream<String> modules =
                ModuleLayer.boot().configuration().modules().stream()
                        .map(module -> module.reference().location())
                        .flatMap(Optional::stream)
                        .filter(at -> at.getScheme().equals("file"))
                        .map(at -> Path.of(at).toString());
        Set<String> entries = new LinkedHashSet<>();
        entries.add(Path.of("target/test-classes").toAbsolutePath().toString());
        modules.forEach(entries::add);
        entries.addAll(List.of(System.getProperty("java.class.path").split(File.pathSeparator)));
        entries.removeIf(entry -> !Files.exists(Path.of(entry)));
        return String.join(File.pathSeparator, entries);
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
        Process process =
                builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
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
