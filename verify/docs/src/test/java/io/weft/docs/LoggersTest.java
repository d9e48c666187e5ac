package io.weft.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The page about logging names each logger.
class LoggersTest {
    private static final Pattern LOGGER = Pattern.compile("getLogger\\(\\s*\"(io\\.weft[\\w.]*)\"");

    @Test
    void everyLoggerIsOnThePage() throws IOException {
        Set<String> loggers = new TreeSet<>();
        for (String floor :
                new String[] {"core", "transport", "tls", "codec", "handler", "resolver", "http"}) {
            try (Stream<Path> files = Files.walk(Docs.ROOT.resolve(floor))) {
                files.filter(LoggersTest::isMain).forEach(file -> find(file, loggers));
            }
        }
        String page = Files.readString(Docs.ROOT.resolve("docs/guide/logging.md"));
        assertThat(loggers).hasSizeGreaterThan(8);
        assertThat(loggers).allSatisfy(name -> assertThat(page).contains("`" + name + "`"));
    }

    private static boolean isMain(Path file) {
        String name = file.toString().replace('\\', '/');
        return name.endsWith(".java") && name.contains("/src/main/") && !name.contains("/testkit/");
    }

    private static void find(Path file, Set<String> loggers) {
        try {
            LOGGER.matcher(Files.readString(file))
                    .results()
                    .forEach(found -> loggers.add(found.group(1)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
