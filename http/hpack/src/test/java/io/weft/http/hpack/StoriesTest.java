package io.weft.http.hpack;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Stories, which are the header blocks of a connection one after the other, as other encoders wrote
/// them: decoded, and encoded again. Their format is that of hpack-test-case, a directory of which
/// may be named by `io.weft.hpack.stories`.
class StoriesTest {
    /// One block. Never-indexed fields are not marked in stories.
    ///
    /// @param tableSize that the decoder allows from here on; -1 if nothing changes
    private record Case(int tableSize, String wire, List<String> lines) {}

    /// A string of JSON, a number, or a bracket.
    private static final Pattern TOKEN =
            Pattern.compile("\"((?:[^\"\\\\]++|\\\\.)*+)\"|(\\d+)|([\\[\\]{}])");

    static Stream<Path> stories() throws IOException, URISyntaxException {
        URL own = Objects.requireNonNull(StoriesTest.class.getResource("/stories"));
        Stream<Path> committed = files(Path.of(own.toURI()));
        String more = System.getProperty("io.weft.hpack.stories");
        return more == null ? committed : Stream.concat(committed, files(Path.of(more)));
    }

    private static Stream<Path> files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all
                    .filter(file -> file.toString().endsWith(".json"))
                    .filter(StoriesTest::hasWire)
                    .sorted()
                    .toList()
                    .stream();
        }
    }

    private static boolean hasWire(Path story) {
        try {
            return Files.readString(story).contains("\"wire\"");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Case> cases(Path story) throws IOException {
        List<Case> cases = new ArrayList<>();
        Matcher token = TOKEN.matcher(Files.readString(story, UTF_8));
        int depth = 0;
        int size = -1;
        String wire = "";
        String key = null;
        List<String> lines = new ArrayList<>();
        while (token.find()) {
            String bracket = token.group(3);
            if (bracket != null) {
                key = null;
                depth += "[{".contains(bracket) ? 1 : -1;
                if (depth == 2 && bracket.equals("}")) {
                    cases.add(new Case(size, wire, List.copyOf(lines)));
                    size = -1;
                    wire = "";
                    lines.clear();
                }
            } else if (token.group(2) != null) {
                size = "header_table_size".equals(key) ? Integer.parseInt(token.group(2)) : size;
                key = null;
            } else if (key == null) {
                key = text(token.group(1));
            } else {
                String value = text(token.group(1));
                if (depth == 5) {
                    lines.add(key + ": " + value);
                } else if (key.equals("wire")) {
                    wire = value;
                }
                key = null;
            }
        }
        return cases;
    }

    private static String text(String json) {
        return Pattern.compile("\\\\(u([0-9a-fA-F]{4})|.)")
                .matcher(json)
                .replaceAll(
                        m ->
                                Matcher.quoteReplacement(
                                        m.group(2) == null
                                                ? m.group(1)
                                                : String.valueOf(
                                                        (char) Integer.parseInt(m.group(2), 16))));
    }

    private static List<String> unmarked(List<String> lines) {
        return lines.stream().map(line -> line.replace(" (never)", "")).toList();
    }

    private static HpackLimits limits() {
        return HpackLimits.DEFAULT
                .decoderTable(HpackLimits.MAX_TABLE)
                .encoderTable(HpackLimits.MAX_TABLE)
                .fieldSection(1 << 20)
                .fields(1000);
    }

    @ParameterizedTest
    @MethodSource("stories")
    void storyIsDecodedAndEncodedAgain(Path story) throws IOException {
        List<Case> cases = cases(story);
        assertThat(cases).isNotEmpty();
        for (int piece : new int[] {Integer.MAX_VALUE, 1}) {
            HpackDecoder foreign = new HpackDecoder(limits());
            HpackEncoder encoder = new HpackEncoder(limits());
            HpackDecoder own = new HpackDecoder(limits());
            for (Case next : cases) {
                if (next.tableSize >= 0) {
                    foreign.tableSize(next.tableSize);
                    encoder.tableSize(next.tableSize);
                    own.tableSize(next.tableSize);
                }
                List<String> lines = unmarked(Blocks.decode(foreign, Blocks.hex(next.wire), piece));
                assertThat(lines).isEqualTo(next.lines);
                byte[] again = Blocks.encode(encoder, lines);
                assertThat(unmarked(Blocks.decode(own, again, piece))).isEqualTo(next.lines);
            }
        }
    }
}
