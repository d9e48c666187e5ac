package io.weft.codec.zstd;

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
class ZstdPeersTest {
    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, "zstd")));
        Assumptions.assumeTrue(there, "zstd is not on the PATH (dev/install-peers.sh installs it)");
    }

    private static byte[] zstd(String arguments, byte[] input) throws Exception {
        Process process =
                new ProcessBuilder(("zstd " + arguments).split(" "))
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
        assertThat(process.waitFor()).as("zstd %s", arguments).isZero();
        writing.join();
        return output;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "-19",
                "--fast=3 --no-check",
                "-T2 -B4096 -3",
                "-12 --long=23",
                "--rsyncable -5",
                "-7 --adapt",
                "-3 --target-compressed-block-size=1500"
            })
    void expandsWhatTheToolCompressed(String arguments) throws Exception {
        for (byte[] plain : Streams.plains()) {
            assertThat(Streams.expand(zstd(arguments, plain))).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--ultra -22", "-3 --long=27"})
    void largeWindowsAreTakenWhenTheyAreAllowed(String arguments) throws Exception {
        byte[] plain = Streams.plains().getLast();
        byte[] wire = zstd(arguments, plain);
        assertThatThrownBy(() -> Streams.expand(wire)).isInstanceOf(LimitExceededException.class);
        ByteArrayOutputStream back = new ByteArrayOutputStream();
        var d = new ZstdDecompressor(DecompressionLimits.DEFAULT, ZstdDecompressor.LARGEST_WINDOW);
        Streams.expand(d, wire, 10_000, back);
        assertThat(back.toByteArray()).isEqualTo(plain);
    }

    @Test
    void framesOfTheToolFollowEachOther() throws Exception {
        ByteArrayOutputStream wire = new ByteArrayOutputStream();
        ByteArrayOutputStream plains = new ByteArrayOutputStream();
        for (byte[] plain : Streams.plains()) {
            wire.writeBytes(zstd("-1", plain));
            wire.writeBytes(new byte[] {0x5F, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3}); // skippable
            wire.writeBytes(zstd("-3 --no-check", plain));
            plains.writeBytes(plain);
            plains.writeBytes(plain);
        }
        assertThat(Streams.expand(wire.toByteArray())).isEqualTo(plains.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {-7, 3, 19})
    void theToolExpandsWhatIsCompressedHere(int level) throws Exception {
        for (byte[] plain : Streams.plains()) {
            byte[] wire = Streams.compress(new ZstdCompressor(level, true), plain);
            assertThat(zstd("-d", wire)).isEqualTo(plain);
        }
    }

    @Test
    void aBombOfTheToolsIsStopped() throws Exception {
        byte[] bomb = zstd("-19", new byte[32 << 20]);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        var d = new ZstdDecompressor(DecompressionLimits.DEFAULT);
        assertThatThrownBy(() -> Streams.expand(d, bomb, 16 << 10, plain))
                .isInstanceOf(LimitExceededException.class);
        assertThat(plain.size()).isLessThan(2 << 20);
    }
}
