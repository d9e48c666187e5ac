package io.weft.http.hpack;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// hpack of Python decodes what Weft encodes, and the other way round.
@Tag("peers")
class PythonHpackPeersTest {
    /// Exit status of a command that is not complete.
    private static final int SKIP = 77;

    private static final String IMPORT =
            """
            import sys
            try:
                import hpack
            except ImportError:
                sys.exit(%d)
            """
                    .formatted(SKIP);

    /// A line is a block; it becomes a line of fields, in hexadecimal.
    private static final String DECODE =
            IMPORT
                    + """
                    decoder = hpack.Decoder(max_header_list_size=1 << 20)
                    for line in sys.stdin:
                        fields = decoder.decode(bytes.fromhex(line), raw=True)
                        print(b'\\n'.join(n + b': ' + v for n, v in fields).hex())
                    """;

    /// A line is the fields of a block, in hexadecimal; it becomes the block.
    private static final String ENCODE =
            IMPORT
                    + """
                    encoder = hpack.Encoder()
                    number = 0
                    for line in sys.stdin:
                        number += 1
                        if number % 50 == 0:
                            encoder.header_table_size = (number * 37) % 4097
                        fields = bytes.fromhex(line).split(b'\\n')
                        pairs = [tuple(f.split(b': ', 1)) for f in fields if f]
                        print(encoder.encode(pairs, huffman=number % 3 > 0).hex())
                    """;

    @BeforeEach
    void peersAreOn() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
    }

    private static List<String> python(String program, List<String> lines) throws Exception {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, "python3")));
        Assumptions.assumeTrue(
                there, "python3 is not on the PATH (dev/install-peers.sh installs it)");
        Process process =
                new ProcessBuilder("python3", "-c", program)
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try {
            CompletableFuture<byte[]> reading =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    return process.getInputStream().readAllBytes();
                                } catch (IOException e) {
                                    throw new UncheckedIOException(e);
                                }
                            });
            try (var to = process.getOutputStream()) {
                to.write((String.join("\n", lines) + "\n").getBytes(US_ASCII));
            } catch (IOException e) {
                // It has ended: its exit code says why.
                assertThat(process.waitFor()).isEqualTo(SKIP);
            }
            String output = new String(reading.get(60, TimeUnit.SECONDS), US_ASCII);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            Assumptions.assumeTrue(
                    process.exitValue() != SKIP,
                    "python3 has no hpack (dev/install-peers.sh installs it)");
            assertThat(process.exitValue()).isZero();
            return output.lines().toList();
        } finally {
            process.destroyForcibly();
        }
    }

    private static List<List<String>> blocks() {
        Random random = new Random(Long.getLong("io.weft.test.seed", 1));
        String[] names = {
            ":path", ":authority", "accept", "cookie", "etag", "x-a", "x-b", "user-agent"
        };
        List<List<String>> blocks = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            List<String> lines = new ArrayList<>(List.of(":method: GET"));
            for (int n = random.nextInt(15); n > 0; n--) {
                StringBuilder value = new StringBuilder();
                for (int length = random.nextInt(40); length > 0; length--) {
                    value.append(
                            (char) (0x21 + random.nextInt(random.nextInt(9) == 0 ? 0xDF : 90)));
                }
                lines.add(names[random.nextInt(names.length)] + ": " + value);
            }
            blocks.add(lines);
        }
        return blocks;
    }

    private static String fields(List<String> lines) {
        return Blocks.toHex(String.join("\n", lines).getBytes(ISO_8859_1));
    }

    @Test
    void pythonDecodesWhatWeftEncodes() throws Exception {
        HpackEncoder encoder = new HpackEncoder(HpackLimits.DEFAULT);
        List<String> encoded = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (List<String> lines : blocks()) {
            if (encoded.size() % 50 == 20) {
                encoder.tableSize(100);
                encoder.tableSize(encoded.size() * 8);
            }
            encoded.add(Blocks.toHex(Blocks.encode(encoder, lines)));
            expected.add(fields(lines));
        }
        assertThat(python(DECODE, encoded)).isEqualTo(expected);
    }

    @Test
    void weftDecodesWhatPythonEncodes() throws Exception {
        HpackDecoder decoder = new HpackDecoder(HpackLimits.DEFAULT);
        List<List<String>> blocks = blocks();
        List<String> encoded =
                python(ENCODE, blocks.stream().map(PythonHpackPeersTest::fields).toList());
        assertThat(encoded).hasSameSizeAs(blocks);
        for (int i = 0; i < encoded.size(); i++) {
            assertThat(Blocks.decode(decoder, encoded.get(i))).isEqualTo(blocks.get(i));
        }
    }
}
