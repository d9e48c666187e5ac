package io.weft.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The page about logging names each logger.
class LoggersTest {
    private static final Pattern LOGGER =
            Pattern.compile("(?:getLogger|new GuardedLog)\\(\\s*\"(io\\.weft[\\w.]*)\"");
    private static final Pattern OF_CLASS =
            Pattern.compile("getLogger\\(\\s*(\\w+)\\.class\\.getName\\(\\)");
    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");

    @Test
    void everyLoggerIsOnThePage() throws IOException {
        Set<String> loggers = new TreeSet<>();
        for (String floor :
                new String[] {
                    "core", "transport", "tls", "codec", "handler", "resolver", "client", "http"
                }) {
            try (Stream<Path> files = Files.walk(Docs.ROOT.resolve(floor))) {
                files.filter(LoggersTest::isMain).forEach(file -> find(file, loggers));
            }
        }
        String page = Files.readString(Docs.ROOT.resolve("docs/guide/logging.md"));
        assertThat(loggers).hasSizeGreaterThan(20);
        assertThat(loggers).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    private static boolean isMain(Path file) {
        String name = file.toString().replace('\\', '/');
        return name.endsWith(".java") && name.contains("/src/main/") && !name.contains("/testkit/");
    }

    private static void find(Path file, Set<String> loggers) {
        try {
            String source = Files.readString(file);
            LOGGER.matcher(source).results().forEach(found -> loggers.add(found.group(1)));
            // Of a class in the same package.
            Matcher named = PACKAGE.matcher(source);
            String prefix = named.find() ? named.group(1) + "." : "";
            OF_CLASS.matcher(source)
                    .results()
                    .forEach(found -> loggers.add(prefix + found.group(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
