package io.weft.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The JVM prints nothing with the documented flag, or with the documented line of a manifest. The
/// same for the module path is `RunExampleIT`.
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WarningsTest {
    private static final String ECHO = ShadedEcho.class.getName();

    @TempDir Path directory;

    /// Lines that a server prints to stderr until it listens, but for that of its log which
    /// says which transport was chosen.
    private List<String> warnings(String... arguments) throws Exception {
        Path err = directory.resolve("stderr");
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("-Djava.util.logging.SimpleFormatter.format=%4$s %5$s%n");
        command.add("-Dio.weft.watchdog.threshold=0");
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(err.toFile());
        // A JVM says that it has picked these up.
        builder.environment()
                .keySet()
                .removeAll(List.of("JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"));
        Process process = builder.start();
        try (var out = process.inputReader(UTF_8)) {
            assertThat(out.readLine()).as(Files.readString(err)).isNotNull();
        } finally {
            process.destroyForcibly().waitFor();
        }
        return Files.readAllLines(err).stream()
                .filter(line -> !line.startsWith("INFO transport "))
                .toList();
    }

    private static Stream<Path> classPath() {
        return Stream.concat(Jars.ours().stream(), Stream.of(Path.of("target/test-classes")));
    }

    private static String joined() {
        return classPath().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    @Test
    void classPathWithTheFlagPrintsNoWarning() throws Exception {
        assertThat(warnings("--enable-native-access=ALL-UNNAMED", "-cp", joined(), ECHO, "auto"))
                .isEmpty();
    }

    @Test
    void nioNeedsNoFlag() throws Exception {
        assertThat(warnings("--illegal-native-access=deny", "-cp", joined(), ECHO, "nio"))
                .isEmpty();
    }

    @Test
    void manifestOfAProgramTakesThePlaceOfTheFlag() throws Exception {
        Manifest manifest = new Manifest();
        Attributes lines = manifest.getMainAttributes();
        lines.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        lines.put(Attributes.Name.MAIN_CLASS, ECHO);
        lines.putValue("Enable-Native-Access", "ALL-UNNAMED");
        lines.put(
                Attributes.Name.CLASS_PATH,
                classPath().map(p -> p.toUri().toString()).collect(Collectors.joining(" ")));
        Path program = directory.resolve("program.jar");
        writeJar(program, manifest);
        assertThat(warnings("-jar", program.toString(), "auto")).isEmpty();
    }

    private static void writeJar(Path file, Manifest manifest) throws IOException {
        try (OutputStream bytes = Files.newOutputStream(file);
                var jar = new JarOutputStream(bytes, manifest)) {
            jar.putNextEntry(new JarEntry("empty"));
        }
    }
}
