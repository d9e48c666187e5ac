package io.weft.codec.compression;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;

/// The real tools expand what Weft compresses, and the other way round.
@Tag("peers")
class CompressionPeersTest {
    /// A tool that works from standard input to standard output.
    record Tool(String format, List<String> compress, List<String> expand) {}

    private static final List<Tool> TOOLS =
            List.of(
                    new Tool("gzip", List.of("gzip", "-9"), List.of("gzip", "-d")),
                    new Tool("gzip", List.of("gzip", "-1"), List.of("gzip", "-d")),
                    new Tool("bzip2", List.of("bzip2", "-9"), List.of("bzip2", "-d")),
                    new Tool("bzip2", List.of("bzip2", "-1"), List.of("bzip2", "-d")),
                    new Tool("lz4", List.of("lz4", "-1"), List.of("lz4", "-d")),
                    new Tool(
                            "lz4", List.of("lz4", "-9", "-B4", "-BD", "-BX"), List.of("lz4", "-d")),
                    new Tool("snappy", cramjam("compress"), cramjam("decompress")),
                    new Tool(
                            "zlib",
                            python("zlib.compress(sys.stdin.buffer.read())"),
                            python("zlib.decompress(sys.stdin.buffer.read())")));

    private static List<String> python(String call) {
        return List.of("python3", "-c", "import sys,zlib;sys.stdout.buffer.write(" + call + ")");
    }

    /// Exit value of a command whose installation is not complete.
    private static final int SKIP = 77;

    /// The framed format of Rust's library, in Python.
    private static List<String> cramjam(String call) {
        return List.of(
                "python3",
                "-c",
                """
                import sys
                try:
                    import cramjam
                except ImportError:
                    sys.exit(%d)
                sys.stdout.buffer.write(cramjam.snappy.%s(sys.stdin.buffer.read()))
                """
                        .formatted(SKIP, call));
    }

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    private static Formats format(Tool tool) {
        return Formats.ALL.stream()
                .filter(f -> f.name().equals(tool.format()))
                .findFirst()
                .orElseThrow();
    }

    static byte[] run(List<String> command, byte[] input) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, command.getFirst())));
        Assumptions.assumeTrue(
                there,
                command.getFirst() + " is not on the PATH (dev/install-peers.sh installs it)");
        Process process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        CompletableFuture<Void> writing =
                CompletableFuture.runAsync(
                        () -> {
                            try (var to = process.getOutputStream()) {
                                to.write(input);
                            } catch (IOException e) {
                                throw new java.io.UncheckedIOException(e);
                            }
                        });
        byte[] output = process.getInputStream().readAllBytes();
        int exit = process.waitFor();
        Assumptions.assumeTrue(
                exit != SKIP, "python3 has no cramjam (dev/install-peers.sh installs it)");
        assertThat(exit).as("%s", command).isZero();
        writing.join();
        return output;
    }

    static Stream<Tool> tools() {
        return TOOLS.stream();
    }

    @ParameterizedTest
    @MethodSource("tools")
    void expandsWhatTheToolCompressed(Tool tool) throws Exception {
        for (byte[] plain : Formats.plains()) {
            byte[] wire = run(tool.compress(), plain);
            if (plain.length == 0 && wire.length == 0) {
                continue; // cramjam begins a stream with its first byte; here one without a
                // beginning is cut off
            }
            assertThat(format(tool).expand(wire)).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @MethodSource("tools")
    void theToolExpandsWhatIsCompressedHere(Tool tool) throws Exception {
        for (byte[] plain : Formats.plains()) {
            assertThat(run(tool.expand(), format(tool).compress(plain))).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @FieldSource("TOOLS")
    void aBombOfTheToolsIsStopped(Tool tool) throws Exception {
        byte[] bomb = run(tool.compress(), new byte[32 << 20]);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        Decompressor d = format(tool).decompressor().apply(DecompressionLimits.DEFAULT.ratio(15));
        org.assertj.core.api.Assertions.assertThatThrownBy(
                        () -> Formats.expand(d, bomb, 16 << 10, plain))
                .isInstanceOf(io.weft.codec.LimitExceededException.class);
        assertThat(plain.size()).isLessThan(6 << 20);
    }
}
