package io.weft.codec.lzma;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.LimitExceededException;
import io.weft.codec.compression.DecompressionLimits;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
class XzPeersTest {
    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, "xz")));
        Assumptions.assumeTrue(there, "xz is not on the PATH (dev/install-peers.sh installs it)");
    }

    private static byte[] xz(String arguments, byte[] input) throws Exception {
        ByteArrayOutputStream output = new ByteArrayOutputStream();
        assertThat(xz(arguments, input, output)).as("xz %s", arguments).isZero();
        return output.toByteArray();
    }

    /// @return what it ends with
    private static int xz(String arguments, byte[] input, ByteArrayOutputStream output)
            throws Exception {
        Process process =
                new ProcessBuilder(("xz " + arguments).split(" "))
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
        process.getInputStream().transferTo(output);
        int exit = process.waitFor();
        if (exit == 0) {
            writing.join(); // else it may not have read everything
        }
        return exit;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-0",
                "-6",
                "-2 -C sha256 -T2 --block-size=65536",
                "-1 -C none",
                "-4e -C crc32 --block-list=1000,20000,0",
                "-0 -T0 --block-size=4096 -C crc64",
                "--lzma2=preset=1,lc=0,lp=4,pb=0,dict=4KiB",
                "--lzma2=lc=4,pb=4,mf=hc3,nice=2"
            })
    void expandsWhatTheToolCompressed(String arguments) throws Exception {
        for (byte[] plain : Streams.plains()) {
            assertThat(Streams.expand(xz(arguments, plain))).isEqualTo(plain);
        }
    }

    @Test
    void aDictionaryOfTheBestLevelIsTakenWhenItIsAllowed() throws Exception {
        byte[] plain = Streams.plains().getLast();
        byte[] wire = xz("-9e", plain);
        assertThatThrownBy(() -> Streams.expand(wire)).isInstanceOf(LimitExceededException.class);
        ByteArrayOutputStream back = new ByteArrayOutputStream();
        var limits = DecompressionLimits.DEFAULT.ratio(Integer.MAX_VALUE);
        var d = new XzDecompressor(limits, XzDecompressor.LARGEST_DICTIONARY);
        Streams.expand(d, wire, 10_000, back);
        assertThat(Arrays.equals(back.toByteArray(), plain)).isTrue();
    }

    @Test
    void streamsOfTheToolFollowEachOther() throws Exception {
        byte[] plain = Streams.plains().getLast();
        byte[] zeros = new byte[8];
        byte[] wire =
                Streams.join(
                        xz("-0", plain), xz("-1 -C none", new byte[0]), zeros, xz("-2", plain));
        assertThat(Streams.expand(wire)).isEqualTo(Streams.join(plain, plain));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void theToolExpandsWhatIsCompressedHere(int level) throws Exception {
        for (byte[] plain : Streams.plains()) {
            byte[] wire = Streams.compress(new XzCompressor(level), plain);
            assertThat(xz("-d", wire)).isEqualTo(plain);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-0", "-6", "--lzma1=lc=0,lp=4,pb=0", "--lzma1=lc=4,pb=4"})
    void expandsTheOlderFormatOfTheTool(String arguments) throws Exception {
        for (byte[] plain : Streams.plains()) {
            byte[] wire = xz("--format=lzma " + arguments, plain);
            ByteArrayOutputStream back = new ByteArrayOutputStream();
            var limits = DecompressionLimits.DEFAULT.ratio(Integer.MAX_VALUE);
            Streams.expand(new LzmaDecompressor(limits), wire, 10_000, back);
            assertThat(Arrays.equals(back.toByteArray(), plain)).isTrue();
        }
    }

    @Test
    void aMarkerBehindAKnownLengthIsTakenAsTheToolTakesIt() throws Exception {
        byte[] plain = Streams.plains().getLast();
        byte[] wire = xz("--format=lzma -1", plain);
        ByteBuffer.wrap(wire).order(ByteOrder.LITTLE_ENDIAN).putLong(5, plain.length);
        ByteArrayOutputStream back = new ByteArrayOutputStream();
        var limits = DecompressionLimits.DEFAULT.ratio(Integer.MAX_VALUE);
        Streams.expand(new LzmaDecompressor(limits), wire, 10_000, back);
        assertThat(Arrays.equals(back.toByteArray(), plain)).isTrue();
        ByteArrayOutputStream theirs = new ByteArrayOutputStream();
        int exit = xz("--format=lzma -d", wire, theirs);
        Assumptions.assumeTrue(exit == 0, "this xz takes no marker behind a known length");
        assertThat(Arrays.equals(theirs.toByteArray(), plain)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3})
    void theToolExpandsTheOlderFormatFromHere(int preset) throws Exception {
        for (byte[] plain : Streams.plains()) {
            byte[] wire = Streams.compress(new LzmaCompressor(preset), plain);
            assertThat(xz("--format=lzma -d", wire)).isEqualTo(plain);
        }
    }

    @Test
    void aBombOfTheToolsIsStopped() throws Exception {
        byte[] bomb = xz("-6", new byte[32 << 20]);
        ByteArrayOutputStream plain = new ByteArrayOutputStream();
        var d = new XzDecompressor(DecompressionLimits.DEFAULT);
        assertThatThrownBy(() -> Streams.expand(d, bomb, 16 << 10, plain))
                .isInstanceOf(LimitExceededException.class);
        assertThat(plain.size()).isLessThan(2 << 20);
    }
}
