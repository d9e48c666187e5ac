package io.weft.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.testkit.engine.EngineTestKit;

/// The programs of the documents. That of the README is `ReadmeTest`'s.
class GuideTest {
    @Test
    void programsOfTheDocumentsCompileAndTestsPass(@TempDir Path directory) throws Exception {
        List<Program> left = new ArrayList<>();
        for (Path document : Docs.all()) {
            left.addAll(Program.of(document));
        }
        assertThat(left).hasSizeGreaterThan(40);
        for (int round = 0; !left.isEmpty(); round++) {
            // Those of one name are compiled one after the other.
            Map<String, Program> together = new LinkedHashMap<>();
            left.forEach(program -> together.putIfAbsent(program.name(), program));
            left.removeAll(together.values());
            Path classes = Files.createDirectory(directory.resolve("round" + round));
            assertThat(Program.compile(together.values(), classes)).isEmpty();
            runTests(together.values(), classes);
        }
    }

    /// Runs programs that are tests.
    private static void runTests(Collection<Program> programs, Path classes) throws Exception {
        URL[] urls = {classes.toUri().toURL()};
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (var loader = new URLClassLoader(urls, GuideTest.class.getClassLoader())) {
            thread.setContextClassLoader(loader);
            for (Program program : programs) {
                if (program.imports("org.junit.jupiter.api")) {
                    EngineTestKit.engine("junit-jupiter")
                            .selectors(selectClass(loader.loadClass(program.name())))
                            .execute()
                            .testEvents()
                            .assertStatistics(
                                    events ->
                                            events.started(program.tests())
                                                    .succeeded(program.tests()));
                }
            }
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
