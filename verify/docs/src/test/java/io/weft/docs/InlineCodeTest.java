package io.weft.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Code within sentences of the guides; [GuideTest] has the programs.
class InlineCodeTest {
    private static final Pattern FENCED = Pattern.compile("(?s)```.*?```");
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern MEMBER =
            Pattern.compile("\\b([A-Z][a-z]\\w+)\\.([a-zA-Z]\\w+)\\b");
    private static final Pattern PROPERTY = Pattern.compile("-D(io\\.weft\\.[\\w.]*\\w)");

    /// Sources by the names of their types; of several types with one name, all together.
    private static final Map<String, String> SOURCES = new HashMap<>();

    @BeforeAll
    static void readSources() throws IOException {
        for (String room : Files.readAllLines(Docs.ROOT.resolve("pom.xml"))) {
            if (room.strip().startsWith("<module>")) {
                String name = room.strip().replaceAll("</?module>", "");
                Path sources = Docs.ROOT.resolve(name).resolve("src/main/java");
                if (Files.exists(sources)) {
                    try (Stream<Path> files = Files.walk(sources)) {
                        files.filter(f -> f.toString().endsWith(".java")).forEach(f -> read(f));
                    }
                }
            }
        }
        assertThat(SOURCES).hasSizeGreaterThan(1000);
    }

    private static void read(Path file) {
        try {
            String type = file.getFileName().toString().replace(".java", "");
            SOURCES.merge(type, Files.readString(file), String::concat);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Guides but those that speak of Netty's types, of which some have the names of ours.
    private static void eachCode(BiConsumer<String, String> visitor) throws IOException {
        List<Path> guides = new ArrayList<>(Docs.all());
        guides.add(Docs.ROOT.resolve("README.md"));
        for (Path guide : guides) {
            String name = guide.getFileName().toString();
            if (guide.toString().contains("design") || name.contains("netty")) {
                continue;
            }
            String prose = FENCED.matcher(Files.readString(guide)).replaceAll("");
            CODE.matcher(prose).results().forEach(found -> visitor.accept(name, found.group(1)));
        }
    }

    @Test
    void everyMemberThatAGuideNamesIsInTheSourceOfItsType() throws IOException {
        List<String> missing = new ArrayList<>();
        int[] seen = {0};
        eachCode(
                (guide, code) ->
                        MEMBER.matcher(code)
                                .results()
                                .filter(found -> SOURCES.containsKey(found.group(1)))
                                .filter(found -> !found.group(2).equals("class"))
                                .forEach(
                                        found -> {
                                            seen[0]++;
                                            String source = SOURCES.get(found.group(1));
                                            if (!has(source, found.group(2))) {
                                                missing.add(guide + ": " + found.group());
                                            }
                                        }));
        assertThat(seen[0]).isGreaterThan(100);
        assertThat(missing).isEmpty();
    }

    @Test
    void everyPropertyThatAGuideSetsIsRead() throws IOException {
        String all = String.join("\n", SOURCES.values());
        List<String> missing = new ArrayList<>();
        eachCode(
                (guide, code) ->
                        PROPERTY.matcher(code)
                                .results()
                                .map(found -> found.group(1))
                                .filter(name -> !name.contains(".test.") && !all.contains(name))
                                .forEach(name -> missing.add(guide + ": " + name)));
        assertThat(missing).isEmpty();
    }

    private static boolean has(String source, String word) {
        return Pattern.compile("\\b" + word + "\\b").matcher(source).find();
    }
}
