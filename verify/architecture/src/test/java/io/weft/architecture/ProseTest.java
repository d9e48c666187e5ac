package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// Mechanical rules of documentation comments, as the JDK's Javadoc keeps them. A comment begins
/// with a verb phrase or a noun phrase, in tests too. In main code its lines have at most 100
/// columns, but for tables, examples and words that cannot be broken.
class ProseTest {
    private static final int COLUMNS = 100;

    private static final Pattern OPENS_WITH_A_PRONOUN =
            Pattern.compile(
                    "\\s*///\\s*(What|Who|Whom|Whose|Whether|How|Where|Whatever|Whoever|Nobody"
                            + "|Somebody|Anybody)\\b.*");

    /// Tables, examples, and lines of one code span.
    private static final Pattern CANNOT_BE_BROKEN =
            Pattern.compile("\\s*///( *\\|.*| {4,}.*| -D.*| ?[^ ]*`[^`]*`.?|.*[({;]|.*\\);?)");

    private record Line(Path file, int number, String text, boolean first) {}

    private static Stream<Line> documentation(String directory, String kind) {
        Path sources = House.ROOT.resolve(directory).resolve("src").resolve(kind).resolve("java");
        if (!Files.isDirectory(sources)) {
            return Stream.of();
        }
        try (Stream<Path> files = Files.walk(sources)) {
            return files.filter(f -> f.toString().endsWith(".java")).toList().stream()
                    .flatMap(ProseTest::documentation);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Line> documentation(Path file) {
        try {
            List<Line> found = new ArrayList<>();
            boolean within = false;
            int number = 0;
            for (String text : Files.readAllLines(file)) {
                number++;
                boolean documents = text.stripLeading().startsWith("///");
                if (documents) {
                    found.add(new Line(House.ROOT.relativize(file), number, text, !within));
                }
                within = documents;
            }
            return found.stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Line> documentation() {
        return House.directories().stream().flatMap(d -> documentation(d, "main"));
    }

    private static Stream<Line> ofTests() {
        return House.directories().stream().flatMap(d -> documentation(d, "test"));
    }

    @Test
    void commentsBeginWithAVerbOrANoun() {
        assertThat(Stream.concat(documentation(), ofTests()))
                .filteredOn(Line::first)
                .filteredOn(l -> OPENS_WITH_A_PRONOUN.matcher(l.text()).matches())
                .isEmpty();
    }

    @Test
    void linesFit() {
        assertThat(documentation())
                .filteredOn(l -> l.text().length() > COLUMNS)
                .filteredOn(l -> !CANNOT_BE_BROKEN.matcher(l.text()).matches())
                .extracting(l -> l.file() + ":" + l.number())
                .isEmpty();
    }
}
