package io.weft.codec.compression;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.CorruptedFrameException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// Decodes the output of the real tools with options that few people use.
@Tag("peers")
class ToolOptionsTest {
    /// A command for the shell that writes what becomes of the file `$F` to standard output.
    @SuppressWarnings("UnusedVariable") // by its name
    private static final List<String[]> COMMANDS =
            List.of(
                    new String[] {
                        "lz4", "lz4", "lz4 -BD -B4 --content-size --no-frame-crc -c \"$F\""
                    },
                    new String[] {"lz4", "lz4", "lz4 -12 -BX -BD -B5 --content-size -c \"$F\""},
                    new String[] {"lz4", "lz4", "lz4 --fast=9 -B6 -c \"$F\""},
                    new String[] {"lz4", "lz4", "lz4 -3 -B7 -BX --favor-decSpeed -c \"$F\""},
                    new String[] {"lz4", "lz4", "lz4 -1 -B1000 -BD --no-frame-crc -c < \"$F\""},
                    new String[] {"gzip", "gzip", "gzip -9 -c \"$F\""}, // with its name
                    new String[] {"gzip", "gzip", "gzip -n --rsyncable -c \"$F\""},
                    new String[] {"gzip", "gzip", "gzip -1 -c < \"$F\""},
                    new String[] {"bzip2", "bzip2", "bzip2 -3 -c \"$F\""},
                    new String[] {
                        "gzip",
                        "python3",
                        "python3 -c 'import gzip,sys;f=open(sys.argv[1],\"rb\").read();"
                                + "o=sys.stdout.buffer;g=gzip.GzipFile(\"é\",\"wb\",0,o,1e9);"
                                + "g.write(f);g.close()' \"$F\""
                    },
                    zlib("9,8,15,1,0"),
                    zlib("1,8,9,1,1"),
                    zlib("9,8,15,9,2"),
                    zlib("9,8,12,8,3"),
                    zlib("9,8,15,8,4"),
                    zlib("0,8,10,2,0"));

    /// Level, method, window, memory and strategy, with flushes of all kinds.
    private static String[] zlib(String options) {
        String program =
                """
                import sys, zlib
                f = open(sys.argv[1], "rb").read()
                o = sys.stdout.buffer
                c = zlib.compressobj(%s)
                for i in range(0, len(f), 9999):
                    o.write(c.compress(f[i:i+9999]) + c.flush(1 + i %% 3))
                o.write(c.flush())
                """
                        .formatted(options);
        return new String[] {"zlib", "python3", "python3 -c '" + program + "' \"$F\""};
    }

    @TempDir Path directory;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    private static void assumeTool(String tool) {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(java.io.File.pathSeparator))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, tool)));
        Assumptions.assumeTrue(
                there, tool + " is not on the PATH (dev/install-peers.sh installs it)");
    }

    private byte[] shell(String command, byte[] file) throws Exception {
        Path path = Files.write(directory.resolve("file"), file);
        return CompressionPeersTest.run(
                List.of("sh", "-c", "F=\"$0\"; D=\"$0.dict\"; " + command, path.toString()),
                new byte[0]);
    }

    private static Formats format(String name) {
        return Formats.ALL.stream().filter(f -> f.name().equals(name)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @FieldSource("COMMANDS")
    void expandsWhatTheToolCompressedHoweverOften(String format, String tool, String command)
            throws Exception {
        assumeTool(tool);
        ByteArrayOutputStream wires = new ByteArrayOutputStream();
        ByteArrayOutputStream plains = new ByteArrayOutputStream();
        for (byte[] plain : Formats.plains()) {
            byte[] wire = shell(command, plain);
            assertThat(format(format).expand(wire)).isEqualTo(plain);
            wires.writeBytes(wire);
            plains.writeBytes(plain);
        }
        if (!format.equals("zlib")) { // which is one stream
            assertThat(format(format).expand(wires.toByteArray())).isEqualTo(plains.toByteArray());
        }
    }

    @Test
    void lz4BlocksReferToADictionary() throws Exception {
        assumeTool("lz4");
        byte[] dictionary = Formats.plains().get(3); // more than the 64 KiB that count
        byte[] tail = Arrays.copyOfRange(dictionary, 20_000, 60_000);
        byte[] plain = Arrays.copyOf(tail, 200_000);
        System.arraycopy(tail, 0, plain, 131_072, tail.length); // where the third block begins
        Files.write(directory.resolve("file.dict"), dictionary);
        for (String options : List.of("-1 -B4", "-9 -BD -B4", "-1 -BD -BX", "-12 -B5")) {
            byte[] wire = shell("lz4 " + options + " -D \"$D\" -c \"$F\"", plain);
            assertThat(wire.length).as(options).isLessThan(tail.length + 5000);
            assertThat(Formats.expand(lz4(dictionary), wire, 5000)).isEqualTo(plain);
            assertThatThrownBy(() -> Formats.expand(lz4(new byte[0]), wire, 5000))
                    .isInstanceOf(CorruptedFrameException.class);
        }
    }

    private static Lz4Decompressor lz4(byte[] dictionary) {
        return new Lz4Decompressor(
                DecompressionLimits.DEFAULT, Lz4Decompressor.LARGEST_BLOCK, dictionary);
    }

    /// Old tools changed bytes of a block that was slow to sort; the tool of today still expands
    /// such blocks.
    @Test
    void theToolTakesARandomisedBlockAsItIsTakenHere() throws Exception {
        assumeTool("bzip2");
        byte[] plain = CompressionTest.text(5000);
        byte[] wire = CompressionTest.randomised(plain);
        assertThat(shell("bzip2 -dc < \"$F\"", wire)).isEqualTo(plain);
        assertThat(format("bzip2").expand(wire)).isEqualTo(plain);
    }

    @Test
    void pythonReadsARawStreamThatIsFlushed() throws Exception {
        assumeTool("python3");
        try (DeflateCompressor c = new DeflateCompressor(Deflate.RAW, 6, null)) {
            byte[] wire = Formats.compress(c, "raw".repeat(999).getBytes(ISO_8859_1));
            String program =
                    "python3 -c 'import sys,zlib;sys.stdout.buffer.write("
                            + "zlib.decompress(open(sys.argv[1],\"rb\").read(),-15))' \"$F\"";
            assertThat(new String(shell(program, wire), ISO_8859_1)).isEqualTo("raw".repeat(999));
        }
    }

    @Test
    void aLegacyFrameIsRefused() throws IOException {
        byte[] wire = {0x02, 0x21, 0x4C, 0x18, 1, 0, 0, 0, 0};
        assertThatThrownBy(() -> format("lz4").expand(wire))
                .isInstanceOf(CorruptedFrameException.class)
                .hasMessageContaining("184c2102");
    }
}
