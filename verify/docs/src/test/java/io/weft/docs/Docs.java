package io.weft.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The project's documents.
final class Docs {
    static final Path ROOT = root();

    private Docs() {}

    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("mvnw"))) {
            directory = directory.getParent();
            if (directory == null) {
                throw new IllegalStateException(
                        "no mvnw in or above " + Path.of("").toAbsolutePath());
            }
        }
        return directory;
    }

    /// All documents below `docs`, by name.
    static List<Path> all() throws IOException {
        try (Stream<Path> all = Files.walk(ROOT.resolve("docs"))) {
            return all.filter(p -> p.toString().endsWith(".md")).sorted().toList();
        }
    }
}
