package io.weft.codec.brotli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.LimitExceededException;
import io.weft.codec.compression.DecompressionLimits;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The tool expands what Weft compresses, and the other way round.
@Tag("peers")
class BrotliPeersTest {
    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, "brotli")));
        Assumptions.assumeTrue(
                there, "brotli is not on the PATH (dev/install-peers.sh installs it)");
    }

    private static byte[] brotli(String arguments, byte[] input) throws Exception {
        Process process =
                new ProcessBuilder(("brotli " + arguments).split(" "))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        CompletableFuture<Void> writing =
                CompletableFuture.runAsync(
                        () -> {
                            try (var to = process.getOutputStream()) {
                                to.write(input);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        byte[] output = process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).as("brotli %s", arguments).isZero();
        writing.join();
        return output;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-q 1 -c", "-q 5 -w 16 -c", "-q 11 -c", "-q 0 -w 10 -c", "-q 9 -w 22 -c"})
    void expandsWhatTheToolCompressed(String arguments) throws Exception {
        for (byte[] plain : Streams.plains()) {
            assertThat(Streams.expand(brotli(arguments, plain))).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 4, 11})
    void theToolExpandsWhatIsCompressedHere(int level) throws Exception {
        for (byte[] plain : Streams.plains()) {
            byte[] wire = Streams.compress(new BrotliCompressor(level, 24), plain);
            assertThat(brotli("-d -c", wire)).isEqualTo(plain);
        }
    }

    @Test
    void aBombOfTheToolsIsStopped() throws Exception {
        byte[] bomb = brotli("-q 9 -c", new byte[32 << 20]);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        var d = new BrotliDecompressor(DecompressionLimits.DEFAULT, 24);
        assertThatThrownBy(() -> Streams.expand(d, bomb, 16 << 10, plain))
                .isInstanceOf(LimitExceededException.class);
        assertThat(plain.size()).isLessThan(2 << 20);
    }
}
