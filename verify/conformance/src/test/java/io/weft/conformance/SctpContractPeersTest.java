package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.ClassPath;
import io.weft.transport.sctp.SctpProvider;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Runs [ContractTest] on SCTP in an emulated machine, where the kernel of this one lacks it.
@EnabledOnOs(value = OS.LINUX, architectures = "amd64")
@EnabledIfSystemProperty(named = "peers", matches = "true")
@Timeout(900)
class SctpContractPeersTest {
    /// One and a half minutes are usual.
    private static final int SECONDS = 600;

    private static final int NO_MACHINE = 2;

    @TempDir Path directory;

    private static Path script() {
        for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
            Path script = at.resolve("dev/sctp.sh");
            if (Files.exists(script)) {
                return script;
            }
        }
        throw new AssertionError("dev/sctp.sh: not above " + Path.of("").toAbsolutePath());
    }

    /// Surefire adds the launcher of JUnit by a property of its own.
    private static String path() {
        String added = System.getProperty("surefire.real.class.path", "");
        return ClassPath.asGiven() + File.pathSeparator + added;
    }

    @Test
    void theContractHoldsInAMachineWhoseKernelHasSctp() throws Exception {
        Assumptions.assumeTrue(
                SctpProvider.refusal() != null, "this kernel has SCTP: ContractTest runs on it");
        Path output = directory.resolve("output");
        ProcessBuilder builder = new ProcessBuilder(script().toString(), "--contract");
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
    }
}
