package io.weft.docs;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/// A program that a document shows, whole: imports and one class.
///
/// @param page that shows it
/// @param heading above it
/// @param name of its class
/// @param source as it is shown
record Program(Path page, String heading, String name, String source) {
    private static final Pattern PART =
            Pattern.compile(
                    "^#+ (?<heading>[^\n]+)$|^```java\n(?<source>.*?)^```",
                    Pattern.MULTILINE | Pattern.DOTALL);

    private static final Pattern CLASS =
            Pattern.compile("(?m)^(?:public )?(?:final )?(?:class|record|interface) (\\w+)");

    /// The programs of a page, in their order.
    static List<Program> of(Path page) throws IOException {
        List<Program> programs = new ArrayList<>();
        String heading = "";
        Matcher part = PART.matcher(Files.readString(page));
        while (part.find()) {
            if (part.group("heading") != null) {
                heading = part.group("heading");
                continue;
            }
            String source = part.group("source");
            Matcher name = CLASS.matcher(source);
            if (!name.find()) {
                throw new IllegalArgumentException(page + ": no class in:\n" + source);
            }
            programs.add(new Program(page, heading, name.group(1), source));
        }
        return programs;
    }

    /// Tells if it imports a class of a package or of those below it.
    boolean imports(String packageName) {
        return source.contains("import " + packageName + ".")
                || source.contains("import static " + packageName + ".");
    }

    /// The number of its tests.
    int tests() {
        return (int) source.lines().filter(line -> line.strip().equals("@Test")).count();
    }

    /// Compiles programs of different names at once, with the libraries of this test.
    ///
    /// @return what the compiler says, nothing if it is content
    static String compile(Collection<Program> programs, Path classes) throws IOException {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("-proc:none", "-d", classes.toString(), "-cp", classPath()));
        for (Program program : programs) {
            Path page = Files.createTempDirectory(classes, program.page.getFileName().toString());
            Path file = Files.writeString(page.resolve(program.name + ".java"), program.source);
            arguments.add(file.toString());
        }
        StringWriter said = new StringWriter();
        PrintWriter out = new PrintWriter(said);
        ToolProvider javac = ToolProvider.findFirst("javac").orElseThrow();
        int exit = javac.run(out, out, arguments.toArray(String[]::new));
        return exit == 0 ? "" : said.toString();
    }

    /// The class path of this test, which surefire may have put into a jar's manifest.
    private static String classPath() {
        String own = System.getProperty("surefire.test.class.path", "");
        return own.isEmpty() ? System.getProperty("java.class.path") : own;
    }
}
