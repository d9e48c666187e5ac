package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs of the guides.
class GuideTest {
    private static final Pattern PROGRAM = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern NAME = Pattern.compile("(?m)^(?:final )?class (\\w+)");

    @Test
    void programsOfTheGuidesCompile(@TempDir Path dir) throws IOException {
        StringBuilder failures = new StringBuilder();
        int programs = 0;
        for (Path guide : guides()) {
            Matcher program = PROGRAM.matcher(Files.readString(guide));
            while (program.find()) {
                Path sources = Files.createDirectory(dir.resolve("program" + ++programs));
                String said = compile(sources, program.group(1));
                if (!said.isEmpty()) {
                    failures.append(guide.getFileName()).append(": ").append(said).append('\n');
                }
            }
        }
        assertThat(failures.toString()).isEmpty();
        assertThat(programs).isPositive();
    }

    private static Iterable<Path> guides() throws IOException {
        try (Stream<Path> all = Files.list(House.ROOT.resolve("docs/guide"))) {
            return all.filter(p -> p.toString().endsWith(".md")).sorted().toList();
        }
    }

    private static String compile(Path dir, String program) throws IOException {
        Matcher name = NAME.matcher(program);
        assertThat(name.find()).as("a class in:%n%s", program).isTrue();
        Path source = Files.writeString(dir.resolve(name.group(1) + ".java"), program);
        String path =
                House.ROOMS.stream()
                        .map(room -> room.path().resolve("target/classes").toString())
                        .collect(Collectors.joining(java.io.File.pathSeparator));
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        int exit =
                ToolProvider.findFirst("javac")
                        .orElseThrow()
                        .run(
                                out,
                                out,
                                "-proc:none",
                                "-d",
                                dir.toString(),
                                "-cp",
                                path + java.io.File.pathSeparator + testPath(),
                                source.toString());
        return exit == 0 ? "" : said.toString();
    }

    /// Jars of the test's own libraries, which programs of tests use.
    private static String testPath() {
        String own = System.getProperty("surefire.test.class.path", "");
        return own.isEmpty() ? System.getProperty("java.class.path") : own;
    }
}
