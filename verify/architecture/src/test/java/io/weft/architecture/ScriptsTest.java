package io.weft.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The scripts that readers start first.
class ScriptsTest {
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script is for sh")
    void benchListsItsGroups() throws Exception {
        Process list =
                new ProcessBuilder(House.ROOT.resolve("bench.sh").toString(), "list")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(list.getInputStream().readAllBytes(), UTF_8);
        assertThat(list.waitFor()).as(said).isZero();
        assertThat(said).contains("main-job", "codecs", "dns", "protocols");
    }

    /// Some of them build everything, or install packages: a question is no reason to.
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the scripts are for sh")
    void everyScriptForDevelopersHasHelp() throws Exception {
        try (Stream<Path> files = Files.list(House.ROOT.resolve("dev"))) {
            List<Path> scripts = files.filter(file -> file.toString().endsWith(".sh")).toList();
            assertThat(scripts).hasSizeGreaterThan(25);
            for (Path script : scripts) {
                assertThat(Files.readString(script)).as(script.toString()).contains("-h | --help");
                Process help =
                        new ProcessBuilder(script.toString(), "--help")
                                .redirectErrorStream(true)
                                .start();
                String said = new String(help.getInputStream().readAllBytes(), UTF_8);
                assertThat(help.waitFor()).as(script + ": " + said).isZero();
                assertThat(said).as(script.toString()).contains(script.getFileName().toString());
            }
        }
    }

    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script is for sh")
    void packagesAreSignedInADryRun(@TempDir Path repository) throws Exception {
        assumeTrue(
                Stream.of(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "gpg"))),
                "gpg is not on the PATH");
        Path folder = Files.createDirectories(repository.resolve("io/weft"));
        Files.writeString(folder.resolve("weft-buffer.jar"), "a jar");
        Files.writeString(folder.resolve("weft-buffer.pom"), "a POM");
        Files.writeString(folder.resolve("maven-metadata.xml"), "made by each repository");
        Process sign =
                new ProcessBuilder(
                                House.ROOT.resolve("dev/sign.sh").toString(),
                                "--dry-run",
                                repository.toString())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(sign.getInputStream().readAllBytes(), UTF_8);
        assertThat(sign.waitFor()).as(said).isZero();
        assertThat(said).contains("2 files signed and verified");
        try (Stream<Path> left = Files.list(folder)) {
            assertThat(left).hasSize(3);
        }
    }
}
